import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBooking } from '../../src/booking/create-booking.ts'
import {
  messageUpdate,
  textMessageUpdate,
  type WebhookChange,
  webhookBody,
} from '../../src/demo/signed-webhook.ts'
import { migrateQueue } from '../../src/queue/migrate-queue.ts'
import { ingestWebhook } from '../../src/whatsapp/ingest-webhook.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createTestClock, createTwoTenants, type TestTenant } from '../support/factories.ts'
import { silentLog } from '../support/queue-harness.ts'
import { numberOf } from '../support/running-product.ts'

describe('a stored webhook body', () => {
  let db: TestDatabase
  let one: TestTenant
  let other: TestTenant

  beforeAll(async () => {
    db = await createTestDatabase()
    await migrateQueue({ databaseUrl: db.url, log: silentLog })
    ;[one, other] = await createTwoTenants(db.store)
  })
  afterAll(() => db.close())

  it('of a thousand updates with malformed ones among them loses none, and each lands with its tenant', async () => {
    const changes = Array.from({ length: 1_000 }, (_, index) => {
      if (index % 250 === 7) return malformed(one)
      return text(index % 2 === 0 ? one : other, `mensagem ${index}`)
    })
    await ingest(...changes)
    const wellFormed = changes.length - 4
    const stored = [await textsOf(one), await textsOf(other)]
    expect(stored.flat()).toHaveLength(wellFormed)
    expect(stored[0]?.every((said) => Number(said?.split(' ')[1]) % 2 === 0)).toBe(true)
    expect(stored[1]?.every((said) => Number(said?.split(' ')[1]) % 2 === 1)).toBe(true)
    expect(await leftovers()).toHaveLength(4)
  }, 180_000)

  it('keeps an unknown number and an unknown field aside, and stores an unknown type', async () => {
    const before = (await textsOf(one)).length
    const stranger = {
      number: { ...numberOf(one), phoneNumberId: '999' },
      from: { waId: phone() },
      text: 'oi',
    }
    await ingest(
      textMessageUpdate(stranger),
      { wabaId: '1', field: 'something_new', value: { anything: true } },
      messageUpdate({ number: numberOf(one), from: { waId: phone() } }, 'hologram', {
        hologram: { id: '1' },
      }),
    )
    expect(await leftovers()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ reason: 'unknown_number' }),
        expect.objectContaining({ reason: 'unknown' }),
      ]),
    )
    expect(await textsOf(one)).toHaveLength(before + 1)
  })

  it('with characters that PostgreSQL does not hold is stored without them', async () => {
    await ingest(text(one, 'a\u0000b \ud800 c'))
    expect(await textsOf(one)).toContain('ab \ufffd c')
  })

  it('is read once: again, and 20 times at once, nothing is added', async () => {
    const change = text(other, 'uma vez')
    const eventId = await store(change)
    await Promise.all(Array.from({ length: 20 }, () => read(eventId)))
    await read(eventId)
    expect((await textsOf(other)).filter((said) => said === 'uma vez')).toHaveLength(1)
  })

  function text(tenant: TestTenant, body: string): WebhookChange {
    return textMessageUpdate({
      number: numberOf(tenant),
      from: { waId: phone(), name: 'Marina' },
      text: body,
    })
  }

  function malformed(tenant: TestTenant): WebhookChange {
    const { wabaId, field, value } = text(tenant, 'x')
    return { wabaId, field, value: { ...value, messages: ['no message at all'] } }
  }

  async function store(...changes: WebhookChange[]): Promise<bigint> {
    const body = Uint8Array.from(Buffer.from(JSON.stringify(webhookBody(...changes))))
    const { id } = await db.store.unsafeTransact('test', (tx) => tx.webhookEvent.create({ data: { body } }))
    return id
  }

  function read(eventId: bigint): Promise<void> {
    return ingestWebhook(
      {
        store: db.store,
        clock: createTestClock(Date.now()),
        debounceMs: 1_500,
        actionSecret: 'secret',
        mediaWaitMs: 0,
        transcriptWaitMs: null,
        booking: createBooking({ store: db.store, clock: createTestClock(Date.now()) }),
        onUpdate: () => {},
        onKept: () => {},
        onHandoff: () => {},
        onFailure: (error) => {
          throw error
        },
      },
      { eventId, isLastAttempt: false },
    )
  }

  async function ingest(...changes: WebhookChange[]): Promise<void> {
    await read(await store(...changes))
  }

  async function leftovers(): Promise<unknown> {
    const event = await db.store.unsafeRead('test', (reader) =>
      reader.webhookEvent.findFirstOrThrow({ orderBy: { id: 'desc' } }),
    )
    expect(event.processedAt).not.toBeNull()
    return event.leftovers
  }

  function textsOf(tenant: TestTenant): Promise<(string | null)[]> {
    return db.store.read(tenant.id, async (reader) =>
      (await reader.message.findMany({ where: { tenantId: tenant.id, direction: 'in' } })).map(
        (row) => row.text,
      ),
    )
  }
})

function phone(): string {
  return `55119${randomInt(10_000_000, 99_999_999)}`
}
