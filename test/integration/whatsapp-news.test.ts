import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listDeliveryCounts } from '../../src/conversations/delivery-counts.ts'
import { loadChannelOverview } from '../../src/tenancy/channel-events.ts'
import { loadSendState } from '../../src/tenancy/channel-sends.ts'
import type { TestTenant } from '../support/factories.ts'
import { createWhatsappWorld, type WhatsappWorld } from '../support/whatsapp-world.ts'

let world: WhatsappWorld

beforeAll(async () => {
  world = await createWhatsappWorld()
})
afterAll(() => world.close())

const overview = async (tenant: TestTenant) => {
  const found = await world.db.store.read(tenant.id, loadChannelOverview)
  return { quality: found?.quality, templates: found?.templates ?? [], alerts: found?.alerts ?? [] }
}
const QUIET = { quality: null, templates: [], alerts: [] }

describe('news of the account, shown to the owner once', () => {
  it.each([
    ['account-update', { alerts: [{ field: 'account_update', event: 'DISABLED_UPDATE' }] }],
    ['phone-quality-update', { quality: { event: 'DOWNGRADE', limit: 'TIER_1K' } }],
    [
      'template-status-update',
      { templates: [{ name: 'lembrete_1', language: 'pt_BR', status: 'PAUSED', reason: 'NONE' }] },
    ],
    ['value-errors', { alerts: [{ field: 'errors', event: '130429', detail: 'Rate limit hit' }] }],
    ['history-declined', { alerts: [{ field: 'errors', event: '2593109' }] }],
  ])('%s', async (fixture, shown) => {
    const tenants = await world.tenants()
    const [one, other] = tenants
    expect(await world.deliver(tenants, fixture)).toEqual(['stored'])
    expect(await world.deliver(tenants, fixture)).toEqual([expect.stringMatching(/duplicate|stored/)])
    expect(await overview(one)).toMatchObject({ ...QUIET, ...shown })
    expect(await overview(other)).toEqual(QUIET)
  })

  it('goes to the number that it names; without one, to every number of the account', async () => {
    const tenants = await world.tenants()
    const [one, other] = tenants
    const { wabaId } = one.document.channel
    await world.db.store.transact(other.id, (tx) => tx.channel.updateMany({ data: { wabaId } }))
    await world.deliver(tenants, 'phone-quality-update')
    expect((await overview(one)).quality).not.toBeNull()
    expect((await overview(other)).quality).toBeNull()
    await world.deliver(tenants, 'template-status-update')
    for (const tenant of tenants) expect((await overview(tenant)).templates).toHaveLength(1)
  })

  it('an approval puts a template to use again that a refusal had taken out, and no other', async () => {
    const tenants = await world.tenants()
    const [one, other] = tenants
    const disable = (tenant: TestTenant, name: string, disabledAt: Date) =>
      world.db.store.transact(tenant.id, (tx) =>
        tx.disabledTemplate.create({
          data: { tenantId: tenant.id, name, language: 'pt_BR', code: 132_015, detail: '', disabledAt },
        }),
      )
    const before = new Date(world.clock.now() - 60_000)
    await disable(one, 'lembrete_1', before)
    await disable(one, 'lembrete_2', before)
    await disable(other, 'lembrete_1', before)
    const disabled = async (tenant: TestTenant) =>
      (await world.db.store.read(tenant.id, loadSendState))?.disabledTemplates.map(({ name }) => name)
    await world.deliver(tenants, 'template-status-update')
    expect(await disabled(one)).toEqual(['lembrete_1', 'lembrete_2'])
    const approved = (json: string) => json.replace('PAUSED', 'APPROVED')
    expect(await world.deliver(tenants, 'template-status-update', { edit: approved })).toEqual(['stored'])
    expect(await disabled(one)).toEqual(['lembrete_2'])
    expect(await disabled(other)).toEqual(['lembrete_1'])
  })

  it('of an account that nobody here has stays with the raw body', async () => {
    const tenants = await world.tenants()
    const elsewhere = (json: string) => json.replaceAll('102290129340398', '1')
    expect(await world.deliver(tenants, 'account-update', { edit: elsewhere })).toEqual(['unknown_account'])
  })
})

describe('a status of a message', () => {
  /** The business's own message that the fixtures' statuses are about, and its row afterwards. */
  async function afterStatuses(out: string, ...fixtures: readonly string[]) {
    const tenants = await world.tenants()
    const [one, other] = tenants
    const send = () =>
      world.deliver(tenants, 'echo', { edit: (json) => json.replace('wamid.ECHO1', `wamid.${out}`) })
    const outcomes: unknown[] = []
    for (const fixture of fixtures) {
      outcomes.push(fixture === 'message' ? await send() : await world.deliver(tenants, fixture))
    }
    const counts = await world.db.store.read(one.id, (reader) =>
      listDeliveryCounts(reader, { timeZone: 'America/Sao_Paulo', now: world.clock.now(), days: 30 }),
    )
    expect(await world.messages(other)).toEqual([])
    return { one, outcomes: outcomes.flat(), message: (await world.messages(one))[0], counts }
  }

  it.each([
    ['status-v23', 'OUT1', { status: 'sent' }],
    ['status-v25-bsuid', 'OUT1', { status: 'delivered' }],
    ['status-v25-free-bsuid-only', 'OUT1', { status: 'delivered' }],
    ['status-read-before-delivered', 'OUT1', { status: 'read' }],
    ['status-played', 'OUT5', { status: 'read', playedAt: new Date(1_796_040_100_000) }],
    ['status-failed', 'OUT6', { status: 'failed', errorCode: 131_047 }],
    ['status-failed-bsuid-only', 'OUT7', { status: 'failed', errorCode: 131_026 }],
  ])('%s: applied, also when it came before the message', async (fixture, out, row) => {
    const after = await afterStatuses(out, 'message', fixture)
    // An echo was sent already.
    expect(after.outcomes[1]).toBe(fixture === 'status-v23' ? 'stale' : 'applied')
    expect(after.message).toMatchObject(row)
    const early = await afterStatuses(out, fixture, 'message')
    expect(early.outcomes[0]).toBe('parked')
    expect(early.message).toMatchObject(row)
  })

  it('keeps each its own time, and is never taken back', async () => {
    const { message, outcomes } = await afterStatuses(
      'OUT1',
      'message',
      'status-read-before-delivered',
      'status-v23',
    )
    expect(outcomes.slice(1)).toEqual(['applied', 'stale', 'stale'])
    expect(message).toMatchObject({
      status: 'read',
      readAt: new Date(1_796_040_120_000),
      deliveredAt: new Date(1_796_040_110_000),
    })
  })

  it('with a price counts once for the tenant’s day, by old and new shapes of it', async () => {
    const paid = await afterStatuses('OUT1', 'message', 'status-v23', 'status-v25-bsuid', 'status-v25-bsuid')
    expect(paid.counts).toEqual([
      { date: '2026-11-30', category: 'service', type: 'regular', billable: true, count: 1 },
    ])
    const free = await afterStatuses('OUT1', 'message', 'status-v25-free-bsuid-only')
    expect(free.counts).toMatchObject([{ type: 'free_customer_service', billable: false, count: 1 }])
  })

  it('keeps its errors whole', async () => {
    const { message } = await afterStatuses('OUT6', 'message', 'status-failed')
    expect(message?.errors).toEqual([{ code: 131_047, detail: expect.stringMatching(/24 hours/) }])
  })

  it('with a word that nobody here knows stays with the raw body', async () => {
    const tenants = await world.tenants()
    const edit = (json: string) => json.replace('"played"', '"pondered"')
    expect(await world.deliver(tenants, 'status-played', { edit })).toEqual(['unknown_status'])
  })
})
