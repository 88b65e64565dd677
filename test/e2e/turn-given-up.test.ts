import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '../support/factories.ts'
import { WAIT } from '../support/queue-harness.ts'
import {
  addTenant,
  type ProductTenant,
  type RunningProduct,
  startProduct,
} from '../support/running-product.ts'

const WAIT_SEND = { timeoutMs: 15_000 }
/** Inside the hours of the people and outside. */
const NOTICE = 'o atendimento por aqui'

describe('a turn that fails each time, for a fault of ours', () => {
  const clock = createTestClock(Date.now())
  let product: RunningProduct
  let tenant: ProductTenant
  let other: ProductTenant

  beforeAll(async () => {
    product = await startProduct({}, { clock })
    tenant = await addTenant(product)
    other = await addTenant(product)
    // No run of this tenant can be begun.
    await product.db.prisma.$executeRaw`create table broken_tenants as select ${tenant.id}::uuid as id`
    await product.db.prisma
      .$executeRaw`create function break_run() returns trigger language plpgsql as $$ begin
      if exists (select from broken_tenants where id = new.tenant_id) then raise exception 'broken'; end if;
      return new;
    end $$`
    await product.db.prisma.$executeRaw`create trigger break_run before insert on runs
      for each row execute function break_run()`
  })
  afterAll(() => product.close())

  it('leads to a person in its last attempt, with one notice, and stays to be looked at', async () => {
    const phone = '5511900000011'
    await product.say(tenant, phone, 'quero um corte')
    await untilFailed(1)
    expect(sendsTo(phone)).toEqual([])
    await retryAs(25)
    await product.graph.waitForSend((send) => send.phone === phone, WAIT_SEND)
    expect(await queued(phone)).toMatchObject({
      unread: 1,
      handoff: { reason: 'model_error', summary: expect.stringContaining('quero um corte') },
    })
    await untilFailed(25)
    expect(sendsTo(phone)).toEqual([expect.stringContaining(NOTICE)])
    expect(await counted()).toBe(1)
    expect(await metrics()).toContain('queue_failed_jobs{task="run_turn"} 1')
    await forgetFailed()
  })

  it('leads to a person before that when the customer has waited for minutes, whatever they add', async () => {
    const phone = '5511900000012'
    await product.say(tenant, phone, 'oi')
    await untilFailed(1)
    await retryAs(4)
    await untilFailed(4)
    expect(sendsTo(phone)).toEqual([])
    // Messages arrive by the database's clock, which went on meanwhile.
    clock.advance(6 * 60_000)
    await product.say(tenant, phone, 'tem alguém aí?')
    await untilFailed(1)
    expect(sendsTo(phone)).toEqual([])
    await retryAs(4)
    await product.graph.waitForSend((send) => send.phone === phone, WAIT_SEND)
    expect(await queued(phone)).toMatchObject({
      unread: 2,
      handoff: { reason: 'model_error', summary: expect.stringContaining('oi / tem alguém aí?') },
    })
    await retryAs(5)
    await product.idle()
    expect(sendsTo(phone)).toEqual([expect.stringContaining(NOTICE)])
    expect(await counted()).toBe(2)
  })

  it('is no matter of another tenant', async () => {
    await product.say(other, '5511900000013', 'oi')
    await product.graph.waitForSend((send) => send.phone === '5511900000013', WAIT_SEND)
    expect((await other.staff.call('GET', '/v1/conversations?status=queued')).body['items']).toEqual([])
  })

  function turns(): Promise<{ attempts: number; locked_at: Date | null }[]> {
    return product.db.prisma.$queryRaw`
      select jobs.attempts::int, jobs.locked_at from graphile_worker.jobs
      where task_identifier = 'run_turn'`
  }

  async function untilFailed(attempts: number): Promise<void> {
    await expect.poll(turns, WAIT).toEqual([{ attempts, locked_at: null }])
  }

  /** Runs the job that waits for its next try, now and as the one of this number. */
  async function retryAs(attempt: number): Promise<void> {
    await expect
      .poll(
        () => product.db.prisma.$executeRaw`
          update graphile_worker._private_jobs as jobs set attempts = ${attempt - 1}, run_at = now()
          from graphile_worker._private_tasks as tasks
          where tasks.id = jobs.task_id and tasks.identifier = 'run_turn' and jobs.locked_at is null`,
        WAIT,
      )
      .toBe(1)
  }

  async function forgetFailed(): Promise<void> {
    await product.db.prisma
      .$executeRaw`delete from graphile_worker._private_jobs where attempts >= max_attempts`
  }

  async function queued(phone: string): Promise<unknown> {
    const { body } = await tenant.staff.call('GET', `/v1/conversations?status=queued&q=${phone}`)
    return Array.isArray(body['items']) ? body['items'][0] : undefined
  }

  async function counted(): Promise<number> {
    return Number(/^handoffs_total\{reason="model_error"\} (\d+)$/m.exec(await metrics())?.[1])
  }

  async function metrics(): Promise<string> {
    return (await fetch(`${product.address}/metrics`)).text()
  }

  function sendsTo(phone: string): (string | null)[] {
    return product.graph.sends.filter((send) => send.phone === phone).map((send) => send.text)
  }
})
