import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/db/index.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createCustomer, createTwoTenants } from '../support/factories.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

describe('a transaction of SQL alone', () => {
  it('sees and writes the rows of its tenant only, and leaves the setting to nobody', async () => {
    const { store } = database
    const [one, two] = await createTwoTenants(store)
    const customerId = await createCustomer(store, one.id)
    const rename = (tenantId: string) =>
      store.transactSql(tenantId, (tx) =>
        tx.$executeRaw(sql`update customers set name = 'X' where id = ${customerId}::uuid`),
      )
    expect(await rename(two.id)).toBe(0)
    expect(await rename(one.id)).toBe(1)
    const tenants = await store.transactSql(two.id, (tx) => tx.$queryRaw(sql`select id from tenants`))
    expect(tenants).toEqual([{ id: two.id }])
    expect(await database.prisma.$queryRawUnsafe('select id from tenants')).toEqual([])
    await expect(
      store.transactSql(`${one.id}'; --`, (tx) => tx.$queryRaw(sql`select 1`)),
    ).rejects.toMatchObject({
      code: 'invalid_tenant_id',
    })
  })

  it('does all or nothing, also when an error inside was caught, and gives its connection back', async () => {
    const { store } = database
    const [one] = await createTwoTenants(store)
    const customerId = await createCustomer(store, one.id, { name: 'Carla' })
    const rename = sql`update customers set name = 'X' where id = ${customerId}::uuid`
    for (let round = 0; round < 20; round += 1) {
      const thrown = store.transactSql(one.id, async (tx) => {
        await tx.$executeRaw(rename)
        throw new RangeError('refused by the test')
      })
      await expect(thrown).rejects.toThrow(RangeError)
      const caught = store.transactSql(one.id, async (tx) => {
        await tx.$executeRaw(rename)
        await tx.$queryRaw(sql`select 1 / 0`).catch(() => undefined)
      })
      await expect(caught).rejects.toThrow('it did nothing')
    }
    const names = await store.transactSql(one.id, (tx) => tx.$queryRaw(sql`select name from customers`))
    expect(names).toEqual([{ name: 'Carla' }])
  })

  it('starts again after a deadlock, and after nothing else', async () => {
    const { store } = database
    const [one] = await createTwoTenants(store)
    let runs = 0
    const deadlockOnce = () =>
      store.transactSql(one.id, async (tx) => {
        runs += 1
        if (runs > 1) return runs
        await tx.$queryRaw(sql`do $$ begin raise exception 'x' using errcode = '40P01'; end $$`)
        return runs
      })
    expect(await deadlockOnce()).toBe(2)
    const lost = store.transactSql(one.id, (tx) =>
      tx.$queryRaw(sql`select pg_terminate_backend(pg_backend_pid())`),
    )
    await expect(lost).rejects.toThrow()
    expect(await store.transactSql(one.id, (tx) => tx.$queryRaw(sql`select 1 as one`))).toEqual([{ one: 1 }])
  })
})
