import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  classifyDatabaseError,
  connectionSettings,
  createPrismaClient,
  createTenantStore,
  pingDatabase,
  type Sql,
  type SystemTx,
  sql,
} from '../../src/db/index.ts'
import type { TransactOptions } from '../../src/db/tenant-store.ts'
import { newId } from '../../src/shared/ids.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  // login_failures belongs to no tenant; in this database it gets one constraint of each kind.
  await client.query(`
    alter table login_failures
      add constraint lf_unique unique (account),
      add constraint lf_check check (address <> 'forbidden'),
      add constraint lf_exclusion exclude using gist (address with =);
    create function raise_state(state text) returns int language plpgsql as $$
      begin raise exception 'by a statement' using errcode = state; end $$;
    create function raise_at_commit() returns trigger language plpgsql as $$
      begin raise exception 'at commit' using errcode = new.address; end $$;
    create constraint trigger at_commit after insert on login_failures deferrable initially deferred
      for each row when (new.address ~ '^[0-9A-Z]{5}$') execute function raise_at_commit();`)
  await client.end()
})
afterAll(() => database.close())

describe('a violated constraint, from a model query and from raw SQL', () => {
  const cases = [
    {
      kind: 'exclusion',
      sqlState: '23P01',
      constraint: 'lf_exclusion',
      rows: [['a', 'x'] as const, ['b', 'x'] as const],
    },
    {
      kind: 'unique',
      sqlState: '23505',
      constraint: 'lf_unique',
      rows: [['a', 'x'] as const, ['a', 'y'] as const],
    },
    { kind: 'check', sqlState: '23514', constraint: 'lf_check', rows: [['a', 'forbidden'] as const] },
  ]
  for (const { rows, ...expected } of cases) {
    it(`is told as ${expected.kind}, with its name`, async () => {
      const byModel = await failureOf(async (tx) => {
        for (const [account, address] of rows)
          await tx.loginFailure.create({ data: failedLogin(account, address) })
      })
      expect(byModel).toEqual(expected)
      const byRaw = await failureOf(async (tx) => {
        for (const [account, address] of rows) await tx.$executeRaw(insert(account, address))
      })
      expect(byRaw).toEqual(expected)
    })
  }

  it('is told as foreign_key, with its name', async () => {
    const expected = { kind: 'foreign_key', sqlState: '23503', constraint: 'customers_tenant_id_fkey' }
    const data = { tenantId: newId(), id: newId(), name: 'nobody' }
    expect(await failureOf((tx) => tx.customer.create({ data }))).toEqual(expected)
    const raw = sql`insert into customers (tenant_id, id, updated_at)
      values (${newId()}::uuid, ${newId()}::uuid, now())`
    expect(await failureOf((tx) => tx.$executeRaw(raw))).toEqual(expected)
  })
})

describe('a transaction that lost against another', () => {
  for (const { sqlState, kind } of [
    { sqlState: '40001', kind: 'serialization' },
    { sqlState: '40P01', kind: 'deadlock' },
  ]) {
    it(`is ${kind} by a statement and by COMMIT (${sqlState})`, async () => {
      const raise = (tx: SystemTx) => tx.$queryRaw`select raise_state(${sqlState})`
      expect(await failureOf(raise)).toMatchObject({ kind, sqlState })
      const commit = database.store.unsafeTransact(
        'test',
        (tx) => tx.loginFailure.create({ data: failedLogin('commit', sqlState) }),
        { attempts: 1 },
      )
      expect(classifyDatabaseError(await errorOf(commit))).toMatchObject({ kind, sqlState })
    })
  }

  it('is told from a constraint that is checked at COMMIT only', async () => {
    const commit = database.store.unsafeTransact('test', (tx) => tx.$executeRaw(insert('commit', '23P01')))
    expect(classifyDatabaseError(await errorOf(commit))).toMatchObject({
      kind: 'exclusion',
      sqlState: '23P01',
    })
  })
})

describe('a transaction that went on after an error', () => {
  it('is transaction_aborted', async () => {
    const failure = await failureOf(async (tx) => {
      await tx.$executeRaw(insert('a', 'forbidden')).catch(() => undefined)
      await tx.loginFailure.count()
    })
    expect(failure).toEqual({ kind: 'transaction_aborted', sqlState: '25P02' })
  })
})

describe('a limit of time', () => {
  it('of a statement and of a lock is timeout', async () => {
    const slow = await failureOf(async (tx) => {
      await tx.$executeRaw`set local statement_timeout = 20`
      await tx.$queryRaw`select pg_sleep(10)::text`
    })
    expect(slow).toEqual({ kind: 'timeout', sqlState: '57014' })
    const holder = new Client({ connectionString: database.url })
    await holder.connect()
    await holder.query('begin; lock table login_failures in access exclusive mode')
    const waiting = await failureOf(async (tx) => {
      await tx.$executeRaw`set local lock_timeout = 20`
      await tx.loginFailure.count()
    })
    expect(waiting).toEqual({ kind: 'timeout', sqlState: '55P03' })
    await holder.end()
  })

  it('of the whole transaction is timeout, for who waits to begin and for who does not end', async () => {
    const late = await failureOf((tx) => tx.$queryRaw`select pg_sleep(0.3)::text`, { timeoutMs: 50 })
    expect(late).toEqual({ kind: 'timeout' })
    const prisma = createPrismaClient({ databaseUrl: database.url, poolSize: 1 })
    const store = createTenantStore({ prisma })
    const gate = new EventEmitter()
    const opened = once(gate, 'open')
    const holder = store.unsafeTransact('test', () => opened)
    const waiter = store.unsafeTransact('test', async () => undefined, { maxWaitMs: 50 })
    expect(classifyDatabaseError(await errorOf(waiter))).toEqual({ kind: 'timeout' })
    gate.emit('open')
    await holder
    await prisma.$disconnect()
  })
})

describe('a database that is away', () => {
  it('is connection and told within 5 s: nobody listens, nobody answers, no such database, wrong password', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const silentPort = typeof address === 'object' && address !== null ? address.port : 0
    const urls = [
      changed((url) => {
        url.port = '1'
      }),
      changed((url) => {
        url.host = 'localhost:1'
      }),
      changed((url) => {
        url.host = 'no-such-host.invalid:1'
      }),
      'postgresql:///agendou?host=/no/such/folder',
      changed((url) => {
        url.port = String(silentPort)
      }),
      changed((url) => {
        url.pathname = '/no_such_database'
      }),
      changed((url) => {
        url.password = 'wrong'
      }),
    ]
    await Promise.all(
      urls.map(async (databaseUrl) => {
        const startedAt = performance.now()
        const prisma = createPrismaClient({ databaseUrl })
        const inTransaction = createTenantStore({ prisma }).unsafeRead('test', async () => undefined)
        expect(classifyDatabaseError(await errorOf(inTransaction)).kind, databaseUrl).toBe('connection')
        expect(performance.now() - startedAt).toBeLessThan(5_000)
        expect(classifyDatabaseError(await errorOf(prisma.$queryRaw`select 1`)).kind).toBe('connection')
        expect(await pingDatabase(prisma, 100)).toBe(false)
        const client = new Client(connectionSettings(databaseUrl))
        expect(classifyDatabaseError(await errorOf(client.connect())).kind).toBe('connection')
        await prisma.$disconnect()
      }),
    )
    silent.close()
  })

  it('is connection when the server ends it in mid-transaction, and the next transaction works', async () => {
    const failure = await failureOf(async (tx) => {
      const admin = new Client({ connectionString: database.superuserUrl })
      await admin.connect()
      const [row] = await tx.$queryRaw<{ pid: number }[]>`select pg_backend_pid() as pid`
      await admin.query('select pg_terminate_backend($1)', [row?.pid])
      await admin.end()
      await tx.loginFailure.count()
    })
    expect(failure.kind).toBe('connection')
    expect(await database.store.unsafeRead('test', (reader) => reader.loginFailure.count())).toBe(0)
    expect(await pingDatabase(database.prisma)).toBe(true)
  })
})

describe('anything else', () => {
  it('is other, and the values of rows are never told', async () => {
    expect(await failureOf((tx) => tx.$queryRaw`select 1 / 0`)).toEqual({ kind: 'other', sqlState: '22012' })
    for (const value of [new Error('timeout'), 'text', null, undefined, { code: 'P2025' }]) {
      expect(classifyDatabaseError(value)).toEqual({ kind: 'other' })
    }
    const told = await failureOf(async (tx) => {
      await tx.$executeRaw(insert('a', 'secret'))
      await tx.$executeRaw(insert('b', 'secret'))
    })
    expect(JSON.stringify(told)).not.toContain('secret')
  })
})

/** What `work` fails with, classified. Rejects when it does not fail. */
async function failureOf(
  work: (tx: SystemTx) => Promise<unknown>,
  options: TransactOptions = {},
): Promise<ReturnType<typeof classifyDatabaseError>> {
  const error = await errorOf(database.store.unsafeTransact('test', work, { attempts: 1, ...options }))
  return classifyDatabaseError(error)
}

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('did not fail')
    },
    (error: unknown) => error,
  )
}

function changed(change: (url: URL) => void): string {
  const url = new URL(database.url)
  change(url)
  return url.href
}

function failedLogin(account: string, address: string) {
  return { account: Buffer.from(account), address, failedAt: new Date('2026-12-01T00:00:00Z') }
}

function insert(account: string, address: string): Sql {
  return sql`insert into login_failures (account, address, failed_at)
    values (${Buffer.from(account)}, ${address}, now())`
}
