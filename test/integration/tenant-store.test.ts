import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createPrismaClient,
  createTenantStore,
  type JsonInput,
  type Reader,
  sql,
} from '../../src/db/index.ts'
import { newId } from '../../src/shared/ids.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const NO_HOURS: JsonInput = []
const one = newId()
const two = newId()
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  for (const id of [one, two]) {
    await database.store.transact(id, async (tx) => {
      await tx.tenant.create({ data: tenantRow(id) })
      await tx.customer.create({ data: { tenantId: id, id: newId(), name: `customer of ${id}` } })
    })
  }
})
afterAll(() => database.close())

describe('a tenant handle', () => {
  it('sees the rows of its tenant alone, by model and by raw SQL', async () => {
    await database.store.read(one, async (reader) => {
      expect(reader.tenantId).toBe(one)
      expect(await reader.customer.findMany()).toMatchObject([{ tenantId: one }])
      expect(await reader.tenant.findMany({ select: { id: true } })).toEqual([{ id: one }])
      const rows = await reader.$queryRaw<{ n: bigint }[]>(sql`select count(*) as n from customers`)
      expect(rows).toEqual([{ n: 1n }])
    })
  })

  it('cannot write into another tenant', async () => {
    const attempt = database.store.transact(one, (tx) =>
      tx.customer.create({ data: { tenantId: two, id: newId(), name: 'intruder' } }),
    )
    await expect(attempt).rejects.toThrow(/row-level security/)
    const changed = await database.store.transact(one, (tx) =>
      tx.customer.updateMany({ where: { tenantId: two }, data: { name: 'changed' } }),
    )
    expect(changed.count).toBe(0)
  })

  it('keeps its own tenant while handles of others are open, read and write', async () => {
    const owner = async (handle: Reader) => {
      await handle.$queryRaw(sql`select pg_sleep(0.05)::text`)
      return [handle.tenantId, (await handle.customer.findMany()).map(({ tenantId }) => tenantId)]
    }
    const tenants = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? one : two))
    const seen = await Promise.all(
      tenants.map((id, index) =>
        index % 3 === 0 ? database.store.read(id, owner) : database.store.transact(id, owner),
      ),
    )
    expect(seen).toEqual(tenants.map((id) => [id, [id]]))
  })

  it('is refused for what is not the id of a tenant', async () => {
    await expect(database.store.read('', async () => undefined)).rejects.toThrow(/id of a tenant/)
    await expect(database.store.transact('one', async () => undefined)).rejects.toThrow(/id of a tenant/)
  })

  it('takes a Tx where a Reader is asked for', async () => {
    const count = (reader: Reader) => reader.customer.count()
    expect(await database.store.transact(one, (tx) => count(tx))).toBe(1)
    expect(await database.store.read(one, (reader) => count(reader))).toBe(1)
  })
})

describe('a reader', () => {
  it('has no method that writes, nor a way to the client underneath', async () => {
    await database.store.read(one, async (reader) => {
      for (const name of ['$executeRaw', '$executeRawUnsafe', '$queryRawUnsafe', '$transaction', '$parent']) {
        expect(Reflect.get(reader, name), name).toBeUndefined()
      }
      for (const name of ['create', 'createMany', 'update', 'updateMany', 'upsert', 'delete', 'deleteMany']) {
        expect(Reflect.get(reader.customer, name), name).toBeUndefined()
      }
    })
  })

  it('cannot write by raw SQL, and cannot make its transaction writable', async () => {
    const write = database.store.read(one, (reader) => reader.$queryRaw`delete from customers returning id`)
    await expect(write).rejects.toThrow(/read-only transaction/)
    const reopen = database.store.read(one, (reader) => reader.$queryRaw`set transaction read write`)
    await expect(reopen).rejects.toThrow(/read-write mode/)
  })
})

describe('the setting of the tenant', () => {
  it('ends with the transaction, committed or rolled back, on the same connection', async () => {
    const prisma = createPrismaClient({ databaseUrl: database.url, poolSize: 1 })
    const store = createTenantStore({ prisma })
    const settings = async () => {
      const rows: unknown = await prisma.$queryRaw`select current_setting('app.tenant_id', true) as tenant,
        current_setting('app.scope', true) as scope, (select count(*)::int from customers) as customers`
      return rows
    }
    const nothing = [{ tenant: '', scope: '', customers: 0 }]
    await store.unsafeRead('test of the scope', async () => undefined)
    await store.transact(one, async () => undefined)
    expect(await settings()).toEqual(nothing)
    const rolledBack = store.unsafeTransact('test of the scope', () => Promise.reject(new Error('no')))
    await expect(rolledBack).rejects.toThrow('no')
    expect(await settings()).toEqual(nothing)
    await prisma.$disconnect()
  })
})

describe('the system scope', () => {
  it('sees every tenant, is read-only in unsafeRead, and wants a reason', async () => {
    const count = await database.store.unsafeRead('test of the scope', (reader) => reader.customer.count())
    expect(count).toBe(2)
    const write = database.store.unsafeRead(
      'test of the scope',
      (reader) => reader.$queryRaw`delete from tenants`,
    )
    await expect(write).rejects.toThrow(/read-only transaction/)
    await expect(database.store.unsafeTransact(' ', async () => undefined)).rejects.toThrow(/reason/)
  })
})

describe('a transaction', () => {
  it('starts again after a deadlock and after a serialization failure, and both changes are there', async () => {
    for (const isolationLevel of ['ReadCommitted', 'Serializable'] as const) {
      const ids = [newId(), newId()]
      await database.store.transact(one, (tx) =>
        tx.customer.createMany({ data: ids.map((id) => ({ tenantId: one, id, name: '' })) }),
      )
      let runs = 0
      const meet = barrier(1)
      const swap = (order: readonly string[], letter: string) =>
        database.store.transact(
          one,
          async (tx) => {
            runs += 1
            for (const [index, id] of order.entries()) {
              await tx.$executeRaw`update customers set name = name || ${letter} where id = ${id}::uuid`
              if (index === 0) await meet()
            }
          },
          { isolationLevel },
        )
      await Promise.all([swap(ids, 'a'), swap([...ids].reverse(), 'b')])
      expect(runs).toBeGreaterThan(2)
      const rows = await database.store.read(one, (reader) =>
        reader.customer.findMany({ where: { id: { in: ids } } }),
      )
      expect(rows.map((row) => [...(row.name ?? '')].sort().join(''))).toEqual(['ab', 'ab'])
    }
  })

  it('starts again when the failure comes at COMMIT', async () => {
    let runs = 0
    const meet = barrier(2)
    const note = (name: string) =>
      database.store.transact(
        two,
        async (tx) => {
          runs += 1
          await tx.customer.count()
          await meet()
          await tx.customer.create({ data: { tenantId: two, id: newId(), name } })
          await meet()
        },
        { isolationLevel: 'Serializable' },
      )
    await Promise.all([note('first'), note('second')])
    expect(runs).toBeGreaterThan(2)
  })

  it('does not start again after any other failure', async () => {
    let runs = 0
    const attempt = database.store.transact(one, async (tx) => {
      runs += 1
      await tx.tenant.create({ data: tenantRow(one) })
    })
    await expect(attempt).rejects.toThrow(/Unique constraint/)
    expect(runs).toBe(1)
  })
})

describe('an instant', () => {
  it('is stored as the instant it is, whatever the zone of role and database', async () => {
    const noon = new Date('2026-12-01T15:00:00.000Z')
    await database.prisma.$executeRawUnsafe(`alter role current_user set timezone to 'America/Sao_Paulo'`)
    const prisma = createPrismaClient({ databaseUrl: database.url, poolSize: 1 })
    const id = newId()
    const rows = await createTenantStore({ prisma }).transact(one, async (tx) => {
      await tx.customer.create({ data: { tenantId: one, id, name: 'zone', createdAt: noon } })
      return tx.$queryRaw`select created_at::text as text from customers where id = ${id}::uuid`
    })
    expect(rows).toEqual([{ text: '2026-12-01 15:00:00+00' }])
    await prisma.$disconnect()
    await database.prisma.$executeRawUnsafe('alter role current_user reset timezone')
  })
})

/** A meeting point for two callers that lets everybody through after `passes` meetings, as retries come alone. */
function barrier(passes: number): () => Promise<void> {
  let arrived = 0
  const waiting: (() => void)[] = []
  return () =>
    new Promise((resolve) => {
      arrived += 1
      waiting.push(resolve)
      if (arrived % 2 === 0 || arrived > 2 * passes) for (const go of waiting.splice(0)) go()
    })
}

function tenantRow(id: string) {
  return {
    id,
    slug: `tenant-${id.slice(-12)}`,
    name: 'Tenant',
    timeZone: 'America/Sao_Paulo',
    locale: 'pt-BR',
    currency: 'BRL',
    slotStepMinutes: 30,
    slotAlignment: 'shift',
    minNoticeMinutes: 60,
    maxAdvanceDays: 60,
    changeNoticeMinutes: 120,
    maxActivePerCustomer: 3,
    handoffHours: NO_HOURS,
    firstReplyMinutes: 10,
    returnToQueueMinutes: 15,
    instructions: '',
  }
}
