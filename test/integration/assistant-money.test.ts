import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AssistantHarness, createAssistantHarness } from '../support/assistant-harness.ts'
import { freshPhone } from '../support/conversation-harness.ts'
import { answers, calls, type ScriptLine, scriptedModel } from '../support/scripted-model.ts'

/** 2,000 output tokens of claude-haiku-5-5 at 0.50 USD a million, and no input. */
const COST = 1_000
const usage = { input_tokens: 0, output_tokens: 2_000 }
const dear = (line: ReturnType<typeof answers>) => ({ ...line, usage })
const services = (id: string) => dear(calls([id, 'list_services', {}]))
const times = (id: string) =>
  dear(calls([id, 'list_available_times', { service: 'corte', date: '2026-12-01' }]))

describe("the tenant's money of a day (0.0025 USD, a request costs 0.001)", () => {
  let world: AssistantHarness

  beforeAll(async () => {
    world = await createAssistantHarness({ env: { TENANT_DAILY_COST_USD: '0.0025' } })
  })
  afterAll(() => world.close())

  async function talk(tenant: 'one' | 'other', lines: readonly ScriptLine[]) {
    const model = scriptedModel(lines)
    world.use(model)
    const { concluded, texts } = await world.talk(world[tenant], freshPhone(), 'oi')
    model.assertPlayed()
    return { concluded, texts, requests: model.requests.length }
  }

  async function spent(tenant: 'one' | 'other'): Promise<number> {
    const { _sum } = await world.db.store.read(world[tenant].id, (reader) =>
      reader.run.aggregate({ _sum: { costMicroUsd: true } }),
    )
    return Number(_sum.costMicroUsd ?? 0)
  }

  it('is spent by one request too many at most, also in the middle of a run', async () => {
    expect((await talk('one', [dear(answers('oi'))])).concluded).toMatchObject({ handoff: null })
    const { concluded, texts } = await talk('one', [services('t1'), times('t2')])
    expect(concluded).toMatchObject({ status: 'stopped', stopReason: 'daily_cost', handoff: 'cost_limit' })
    expect(texts).toHaveLength(1)
    expect(await spent('one')).toBe(3 * COST)
  })

  it('then pays for no further request, and people get what comes', async () => {
    const { concluded, texts, requests } = await talk('one', [])
    expect(concluded).toMatchObject({ stopReason: 'daily_cost', handoff: 'cost_limit' })
    expect(texts).toHaveLength(1)
    expect(requests).toBe(0)
    expect(await spent('one')).toBe(3 * COST)
  })

  it('is of that tenant alone', async () => {
    expect((await talk('other', [dear(answers('oi'))])).concluded).toMatchObject({ handoff: null })
    expect(await spent('other')).toBe(COST)
  })

  it('what another conversation spends meanwhile counts before the next request', async () => {
    const { concluded } = await talk('other', [
      async () => {
        await world.db.store.transact(world.other.id, (tx) =>
          tx.run.updateMany({
            where: { tenantId: tx.tenantId, status: 'completed' },
            data: { costMicroUsd: { increment: BigInt(COST) } },
          }),
        )
        return services('t1')
      },
      times('t2'),
    ])
    expect(concluded).toMatchObject({ stopReason: 'daily_cost' })
    expect(await spent('other')).toBe(4 * COST)
  })

  it('and there is new money at the local midnight of the tenant', async () => {
    world.clock.set(Date.parse('2026-12-01T02:59:00Z'))
    expect((await talk('one', [])).concluded).toMatchObject({ stopReason: 'daily_cost' })
    world.clock.set(Date.parse('2026-12-01T03:00:00Z'))
    expect((await talk('one', [dear(answers('bom dia'))])).texts).toEqual(['bom dia'])
  })
})
