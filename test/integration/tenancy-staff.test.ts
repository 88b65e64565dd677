import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyTenantDocument } from '../../src/tenancy/apply-tenant-document.ts'
import { parseTenantDocument } from '../../src/tenancy/parse-tenant-document.ts'
import {
  authenticate,
  login,
  logout,
  logoutEverywhere,
  SESSION_TTL_MS,
} from '../../src/tenancy/staff-sessions.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import {
  createTestClock,
  createTwoTenants,
  type DocumentInput,
  staffEntry,
  TEST_ENCRYPTION_KEY,
  TEST_PASSWORD,
  type TestTenant,
} from '../support/factories.ts'

let database: TestDatabase
const sessionSecret = 'a session secret of more than 32 characters'
const EMAIL = 'paula@example.com'

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

async function setUp() {
  const tenants = await createTwoTenants(database.store, { staff: [staffEntry(EMAIL)] })
  const clock = createTestClock()
  const dependencies = { clock, sessionSecret }
  const enter = (tenant: string, password = TEST_PASSWORD, email = EMAIL, address = '192.0.2.1') =>
    login(database.store, { tenant, email, password, address }, dependencies)
  const open = (token: string) => authenticate(database.store, token, dependencies)
  return { tenants, clock, enter, open }
}

function apply(tenant: TestTenant, change: DocumentInput) {
  const document = parseTenantDocument({ ...tenant.document, staff: [], ...change })
  return applyTenantDocument(database.store, document, {
    encryptionKey: TEST_ENCRYPTION_KEY,
    clock: createTestClock(),
  })
}

describe('a staff session', () => {
  it('opens for the right password and knows its own tenant', async () => {
    const { tenants, enter, open } = await setUp()
    for (const tenant of tenants) {
      const { token, staff } = await enter(tenant.slug, TEST_PASSWORD, ' Paula@Example.com')
      expect(staff).toMatchObject({ email: EMAIL, name: 'paula', role: 'owner' })
      expect(await open(token)).toEqual({ tenantId: tenant.id, staff })
    }
  })

  it('keeps neither token nor password in the database', async () => {
    const { tenants, enter } = await setUp()
    const { token } = await enter(tenants[0].slug)
    const rows = await database.store.read(tenants[0].id, async (reader) => [
      await reader.staffSession.findMany(),
      await reader.staff.findMany(),
    ])
    const text = JSON.stringify(rows, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    )
    expect(text).not.toContain(token)
    expect(text).not.toContain(TEST_PASSWORD)
    expect(text).toContain('$argon2id$')
  })

  it('ends with its time, by logout, and everywhere at once', async () => {
    const { tenants, clock, enter, open } = await setUp()
    const [first, second, third] = [
      await enter(tenants[0].slug),
      await enter(tenants[0].slug),
      await enter(tenants[1].slug),
    ]
    await logout(database.store, first.token, { sessionSecret })
    expect(await open(first.token)).toBeNull()
    expect(await open(second.token)).not.toBeNull()
    await logoutEverywhere(database.store, tenants[0].id, second.staff.id)
    expect(await open(second.token)).toBeNull()
    expect(await open(third.token)).not.toBeNull()
    clock.advance(SESSION_TTL_MS)
    expect(await open(third.token)).toBeNull()
    expect(await open('no token')).toBeNull()
  })

  it('does not open under another session secret', async () => {
    const { tenants, clock, enter } = await setUp()
    const { token } = await enter(tenants[0].slug)
    const other = { clock, sessionSecret: `${sessionSecret}!` }
    expect(await authenticate(database.store, token, other)).toBeNull()
  })
})

describe('a failed login', () => {
  it('reads the same whatever was wrong', async () => {
    const { tenants, enter } = await setUp()
    const failures = await Promise.allSettled([
      enter('no-such-tenant'),
      enter(tenants[0].slug, TEST_PASSWORD, 'nobody@example.com'),
      enter(tenants[0].slug, 'wrong password'),
    ])
    const told = failures.map((failure) => (failure.status === 'rejected' ? String(failure.reason) : 'open'))
    expect(new Set(told).size).toBe(1)
    expect(failures[0]).toMatchObject({ reason: { code: 'invalid_credentials' } })
  })

  it('closes its account after ten in 15 minutes, from wherever they came, and no other account', async () => {
    const { tenants, clock, enter } = await setUp()
    for (let index = 0; index < 10; index += 1) {
      await expect(enter(tenants[0].slug, 'wrong', EMAIL, `192.0.2.${index}`)).rejects.toMatchObject({
        code: 'invalid_credentials',
      })
      clock.advance(1_000)
    }
    await expect(enter(tenants[0].slug)).rejects.toMatchObject({
      code: 'too_many_attempts',
      retryAfterSeconds: 890,
    })
    await enter(tenants[1].slug)
    clock.advance(890_000)
    await enter(tenants[0].slug)
  })

  it('closes an account that does not exist just the same', async () => {
    const { enter } = await setUp()
    for (let index = 0; index < 10; index += 1) {
      await expect(enter('nowhere')).rejects.toMatchObject({ code: 'invalid_credentials' })
    }
    await expect(enter('nowhere')).rejects.toMatchObject({ code: 'too_many_attempts' })
  })

  it('cannot be outrun by guesses at once, and right passwords at once all open', async () => {
    const { tenants, enter } = await setUp()
    const guesses = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => enter(tenants[0].slug, `guess ${index}`)),
    )
    const refused = guesses.filter(
      (guess) => guess.status === 'rejected' && String(guess.reason).includes('too many'),
    )
    expect(refused).toHaveLength(10)
    const logins = await Promise.all(Array.from({ length: 20 }, () => enter(tenants[1].slug)))
    expect(new Set(logins.map(({ token }) => token)).size).toBe(20)
  })
})

describe('the staff of a document', () => {
  it('stay when they are left out, and are changed when they are listed', async () => {
    const { tenants, enter } = await setUp()
    const stored = await apply(tenants[0], {
      staff: [staffEntry('rui@example.com', 'attendant')],
    })
    expect(stored.staff.map(({ email }) => email)).toEqual([EMAIL, 'rui@example.com'])
    const changed = await apply(tenants[0], { staff: [{ email: EMAIL, name: 'Paula', role: 'attendant' }] })
    expect(changed.staff[0]).toEqual({ email: EMAIL, name: 'Paula', role: 'attendant' })
    expect((await enter(tenants[0].slug)).staff).toMatchObject({ name: 'Paula', role: 'attendant' })
  })

  it('get a password that differs, which ends their sessions; the same one ends nothing', async () => {
    const { tenants, enter, open } = await setUp()
    const { token } = await enter(tenants[0].slug)
    await apply(tenants[0], { staff: [staffEntry(EMAIL)] })
    expect(await open(token)).not.toBeNull()
    await apply(tenants[0], { staff: [{ ...staffEntry(EMAIL), password: 'another password' }] })
    expect(await open(token)).toBeNull()
    await expect(enter(tenants[0].slug)).rejects.toMatchObject({ code: 'invalid_credentials' })
    await enter(tenants[0].slug, 'another password')
    await enter(tenants[1].slug)
  })
})
