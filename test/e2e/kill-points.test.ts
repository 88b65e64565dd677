import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorkerPool } from '../../src/queue/worker-pool.ts'
import { addDays } from '../../src/scheduling/civil-date.ts'
import { localDate } from '../../src/scheduling/time-zone.ts'
import { KILL_POINTS, type KillPoint } from '../support/kill-points.ts'
import {
  type ApiLine,
  type LoopbackMessagesApi,
  startLoopbackMessagesApi,
} from '../support/loopback-messages-api.ts'
import { silentLog } from '../support/queue-harness.ts'
import {
  addTenant,
  type ProductTenant,
  type RunningProduct,
  startProduct,
} from '../support/running-product.ts'
import { spawnTurnWorker, type TurnWorker } from '../support/turn-worker.ts'

/** Requests that were answered, but died before they were stored: asked once more, and nothing else is. */
const ASKED_AGAIN: ReadonlySet<KillPoint> = new Set([
  'before_save_read',
  'before_save_call',
  'before_save_answer',
])
/** The read has run, and its result died with the worker: it reads again. */
const READ_AGAIN: ReadonlySet<KillPoint> = new Set(['before_second_request', 'before_save_call'])
/** The row was taken and nobody knows whether it left: for ten minutes a status is waited for instead. */
const FATE_UNKNOWN: ReadonlySet<KillPoint> = new Set(['before_send'])

const alwaysOpen = {
  policy: { minNoticeMinutes: 0, slotStepMinutes: 60 },
  professionals: [
    {
      key: 'ana',
      name: 'Ana',
      services: ['corte'],
      hours: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }],
    },
  ],
}

describe('kill -9 at any point of a turn, and the next worker goes on', () => {
  let api: LoopbackMessagesApi
  let product: RunningProduct
  let tenant: ProductTenant
  let other: ProductTenant
  let spare: TurnWorker

  beforeAll(async () => {
    api = await startLoopbackMessagesApi()
    const model = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: api.baseURL }
    product = await startProduct({ ROLE: 'web', ...model })
    tenant = await addTenant(product, alwaysOpen)
    other = await addTenant(product, alwaysOpen)
    spare = newWorker()
  })
  afterAll(async () => {
    await spare.kill()
    await product.close()
    await api.close()
  })

  function newWorker(): TurnWorker {
    return spawnTurnWorker({
      DATABASE_URL: product.db.url,
      WHATSAPP_GRAPH_URL: product.graph.url,
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: api.baseURL,
    })
  }

  /** The same three answers whoever asks: look for times, book one, then say so. */
  function answerAsScripted(day: string, startsAt: string): void {
    const booking = { service: 'corte', professional: 'ana' }
    api.otherwise((body) => {
      const asked = JSON.stringify(body)
      if (asked.includes(toolUseId('book', startsAt))) {
        return {
          type: 'message',
          stopReason: 'end_turn',
          content: [{ type: 'text', text: `Marcado ${startsAt}.` }],
        }
      }
      return asked.includes(toolUseId('times', startsAt))
        ? calling(toolUseId('book', startsAt), 'book_appointment', { ...booking, starts_at: startsAt })
        : calling(toolUseId('times', startsAt), 'list_available_times', { ...booking, date: day })
    })
  }

  it.each(KILL_POINTS.map((point, index) => ({ point, index })))(
    '$point: one appointment, no stored answer paid twice, one reply at most',
    async ({ point, index }) => {
      const day = addDays(localDate('America/Sao_Paulo', Date.now()), 3)
      const startsAt = `${day}T${String(index).padStart(2, '0')}:00`
      const phone = `55119666600${String(index).padStart(2, '0')}`
      answerAsScripted(day, startsAt)
      const asked = api.requests.length

      const worker = spare
      spare = newWorker()
      try {
        await worker.start(point)
        await product.say(tenant, phone, `quero cortar em ${startsAt}`)
        await worker.reached()
      } finally {
        await worker.kill()
      }
      if (READ_AGAIN.has(point)) expect(await storedResultsOf(startsAt)).toEqual([{ stored: false }])

      const next = startWorkerPool({
        databaseUrl: product.db.url,
        handlers: [...product.context.jobHandlers],
        concurrency: 4,
        log: silentLog,
      })
      try {
        await expect.poll(() => openTurns(phone), { timeout: 20_000 }).toBe(0)
      } finally {
        await next.stop({ timeoutMs: 10_000 })
      }

      const sends = product.graph.sends.filter((send) => send.phone === phone && send.accepted)
      expect(sends.map((send) => send.text)).toEqual(FATE_UNKNOWN.has(point) ? [] : [`Marcado ${startsAt}.`])
      expect(api.requests.length - asked).toBe(ASKED_AGAIN.has(point) ? 4 : 3)
      expect(await storedResultsOf(startsAt)).toEqual([{ stored: true }, { stored: true }])
      expect(await appointmentsAt(tenant, day, startsAt)).toHaveLength(1)
      expect(await appointmentsAt(other, day, startsAt)).toHaveLength(0)
      expect(api.complaints).toEqual([])
    },
    60_000,
  )

  /** Jobs of this customer's conversation, their messages that wait for a turn, and rows that wait to leave. */
  async function openTurns(phone: string): Promise<number> {
    const rows = await product.db.store.unsafeRead(
      'test',
      (reader) => reader.$queryRaw<{ open: bigint }[]>`
      select (select count(*) from graphile_worker.jobs
          where task_identifier <> 'sweep_conversations' and run_at <= now())
        + (select count(*) from messages m join conversations c on c.tenant_id = m.tenant_id and c.id = m.conversation_id
          where c.address = ${phone} and m.awaits_turn)
        + (select count(*) from outbox o join conversations c on c.tenant_id = o.tenant_id and c.id = o.conversation_id
          where c.address = ${phone} and o.state in ('pending', 'sending'))
        + (select case when count(*) = 0 then 1 else 0 end from runs r
          join conversations c on c.tenant_id = r.tenant_id and c.id = r.conversation_id
          where c.address = ${phone} and r.status = 'completed') as open`,
    )
    return Number(rows[0]?.open)
  }

  /** Whether the result of each tool call is stored, in the order of the calls. */
  async function storedResultsOf(startsAt: string): Promise<{ stored: boolean }[]> {
    const ids = [toolUseId('times', startsAt), toolUseId('book', startsAt)]
    return await product.db.store.unsafeRead(
      'test',
      (reader) => reader.$queryRaw<{ stored: boolean }[]>`
      select result is not null as stored from tool_calls where tool_use_id = any(${ids}) order by started_at`,
    )
  }

  async function appointmentsAt(who: ProductTenant, day: string, startsAt: string): Promise<unknown[]> {
    const { body } = await who.staff.call('GET', `/v1/appointments?from=${day}&to=${day}`)
    const items = Array.isArray(body['items']) ? body['items'] : []
    return items.filter((item) => JSON.stringify(item).includes(`"startsAt":"${startsAt}`))
  }
})

function toolUseId(what: 'times' | 'book', startsAt: string): string {
  return `toolu_${what}_${startsAt.replace(':', '')}`
}

function calling(id: string, name: string, input: object): ApiLine {
  return { type: 'message', stopReason: 'tool_use', content: [{ type: 'tool_use', id, name, input }] }
}
