import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ApplyDependencies,
  applyTenantDocument,
  getTenantDocument,
} from '../../src/tenancy/apply-tenant-document.ts'
import { loadCatalog } from '../../src/tenancy/catalog.ts'
import { InvalidDocumentError } from '../../src/tenancy/errors.ts'
import { parseTenantDocument } from '../../src/tenancy/parse-tenant-document.ts'
import { loadTenantProfile } from '../../src/tenancy/tenant-profile.ts'
import { findTenantBySlug } from '../../src/tenancy/tenants.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import {
  createTestClock,
  createTwoTenants,
  type DocumentInput,
  staffEntry,
  studioDocument,
  TEST_ENCRYPTION_KEY,
} from '../support/factories.ts'

let database: TestDatabase
const dependencies: ApplyDependencies = { encryptionKey: TEST_ENCRYPTION_KEY, clock: createTestClock() }

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

function apply(input: DocumentInput, changed: Partial<ApplyDependencies> = {}) {
  return applyTenantDocument(database.store, parseTenantDocument(input), { ...dependencies, ...changed })
}

async function idOf(input: DocumentInput): Promise<string> {
  const id = await findTenantBySlug(database.store, String(input['slug']))
  if (id === null) throw new Error('no such tenant')
  return id
}

async function versionOf(tenantId: string): Promise<number> {
  return (await database.store.read(tenantId, loadTenantProfile)).version
}

async function rowsOf(tenantId: string) {
  return database.store.read(tenantId, async (reader) => ({
    tenant: await reader.tenant.findMany(),
    channels: await reader.channel.findMany(),
    services: await reader.service.findMany({ orderBy: { id: 'asc' } }),
    professionals: await reader.professional.findMany({ orderBy: { id: 'asc' } }),
    shifts: await reader.shift.findMany({ orderBy: { id: 'asc' } }),
    exceptions: await reader.scheduleException.findMany({ orderBy: { id: 'asc' } }),
    staff: await reader.staff.findMany({ orderBy: { id: 'asc' } }),
  }))
}

const FULL = {
  policy: { slotStepMinutes: 15, slotAlignment: 'gap', minNoticeMinutes: 0, maxAdvanceDays: 365 },
  exceptions: [
    { professional: 'ana', from: '2026-12-24', to: '2026-12-26', hours: [] },
    { professional: null, from: '2026-12-31', to: '2026-12-31', hours: [{ from: '20:00', to: '24:00' }] },
  ],
  handoff: { hours: [{ weekdays: [1], from: '08:00', to: '07:00' }], firstReplyMinutes: 5 },
  instructions: 'Fale de forma calorosa e breve.',
  staff: [staffEntry('Paula@Example.com'), staffEntry('rui@example.com', 'attendant')],
}

describe('the tenant document', () => {
  it('comes back as it was given, with its defaults and without its secrets', async () => {
    const input = studioDocument(FULL)
    const stored = await apply(input)
    const { channel, staff, ...rest } = parseTenantDocument(input)
    const { accessToken, ...publicChannel } = channel
    expect(stored).toEqual({
      ...rest,
      channel: publicChannel,
      staff: staff.map(({ password, ...person }) => person),
    })
    expect(stored.staff.map(({ email }) => email)).toEqual(['paula@example.com', 'rui@example.com'])
    expect(await getTenantDocument(database.store, stored.slug)).toEqual(stored)
    expect(JSON.stringify(stored)).not.toContain(accessToken)
  })

  it('applied again changes no row and no version', async () => {
    const input = studioDocument(FULL)
    await apply(input)
    const id = await idOf(input)
    const before = await rowsOf(id)
    await apply(input)
    expect(await rowsOf(id)).toEqual(before)
    expect(await versionOf(id)).toBe(1)
  })

  it.each([
    ['a name', { name: 'Another name' }],
    ['an hour', { handoff: { hours: [] } }],
    [
      'an exception',
      { exceptions: [{ professional: null, from: '2026-12-31', to: '2027-01-01', hours: [] }] },
    ],
    ['a new person of the staff', { staff: [staffEntry('new@example.com')] }],
  ])('raises its version by one when %s changes', async (_what, change) => {
    const input = studioDocument()
    await apply(input)
    const id = await idOf(input)
    await apply({ ...input, ...change })
    expect(await versionOf(id)).toBe(2)
  })

  it('puts a section that is left out back to its default', async () => {
    const input = studioDocument(FULL)
    await apply(input)
    const bare = studioDocument({ slug: input['slug'], channel: input['channel'] })
    const stored = await apply(bare)
    expect(stored.policy.slotAlignment).toBe('shift')
    expect(stored.policy.changeNoticeMinutes).toBe(120)
    expect(stored.exceptions).toEqual([])
    expect(stored.instructions).toBe('')
    expect(stored.handoff.firstReplyMinutes).toBe(10)
  })

  it('deactivates what is left out, keeps its id, and takes it back when it comes again', async () => {
    const input = studioDocument()
    await apply(input)
    const id = await idOf(input)
    const before = await database.store.read(id, loadCatalog)
    const stored = await apply({
      ...input,
      services: [{ key: 'corte', name: 'Corte', durationMinutes: 30 }],
      professionals: [{ key: 'bia', name: 'Bia', services: ['corte'], hours: [] }],
    })
    expect(stored.services.map(({ key }) => key)).toEqual(['corte'])
    const between = await database.store.read(id, loadCatalog)
    expect(between.services.find(({ key }) => key === 'barba')?.active).toBe(false)
    expect(between.professionals.find(({ key }) => key === 'ana')?.active).toBe(false)
    await apply(input)
    expect(await database.store.read(id, loadCatalog)).toEqual(before)
  })

  it('gives a catalog whose exceptions are everyone’s and the person’s own, in document order', async () => {
    const input = studioDocument(FULL)
    await apply(input)
    const catalog = await database.store.read(await idOf(input), loadCatalog)
    const [ana, bia] = catalog.professionals
    expect(ana?.exceptions.map(({ own, fromDate }) => [own, fromDate])).toEqual([
      [true, '2026-12-24'],
      [false, '2026-12-31'],
    ])
    expect(bia?.exceptions).toEqual([
      { own: false, fromDate: '2026-12-31', toDate: '2026-12-31', hours: [{ from: 1200, to: 1440 }] },
    ])
    expect(ana?.serviceIds).toEqual(new Set(catalog.services.map(({ id }) => id)))
    expect(bia?.serviceIds.size).toBe(1)
  })

  it('refuses hours that overlap on a weekday, and names the entry; past midnight into the next day is fine', async () => {
    const hours = [
      { weekdays: [1, 2], from: '09:00', to: '12:00' },
      { weekdays: [2], from: '11:00', to: '14:00' },
    ]
    const professionals = [{ key: 'ana', name: 'Ana', services: ['corte'], hours }]
    await expect(async () => apply(studioDocument({ professionals }))).rejects.toMatchObject({
      issues: [{ path: 'professionals.0.hours.1', message: 'overlaps entry 0 on weekday 2' }],
    })
    const overnight = [
      { weekdays: [1], from: '22:00', to: '02:00' },
      { weekdays: [2], from: '01:00', to: '03:00' },
    ]
    const night = [{ key: 'ana', name: 'Ana', services: ['corte'], hours: overnight }]
    const stored = await apply(studioDocument({ professionals: night }))
    expect(stored.professionals[0]?.hours).toEqual(overnight)
  })

  it('leaves the other tenant alone', async () => {
    const [one, other] = await createTwoTenants(database.store)
    const before = await rowsOf(other.id)
    await apply(studioDocument({ slug: one.slug, services: [], professionals: [] }))
    expect(await rowsOf(other.id)).toEqual(before)
    expect((await database.store.read(one.id, loadCatalog)).services.every(({ active }) => !active)).toBe(
      true,
    )
  })

  it('keeps one whole document when two are put at once, also when the tenant is new', async () => {
    const input = studioDocument()
    const variants = Array.from({ length: 8 }, (_, index) => ({
      ...input,
      name: `Name ${index}`,
      instructions: `Text ${index}`,
      staff: [staffEntry('owner@example.com')],
    }))
    await Promise.all(variants.map((variant) => apply(variant)))
    const stored = await getTenantDocument(database.store, String(input['slug']))
    expect(stored?.instructions).toBe(stored?.name.replace('Name', 'Text'))
    expect(stored?.professionals.map(({ key }) => key)).toEqual(['ana', 'bia'])
    expect(stored?.staff).toHaveLength(1)
  })
})

describe('an invalid document', () => {
  const service = { key: 'corte', name: 'Corte', durationMinutes: 45 }
  const ana = { key: 'ana', name: 'Ana', services: ['corte'], hours: [] }
  const shift = { weekdays: [1], from: '09:00', to: '12:00' }
  it.each<[string, DocumentInput]>([
    ['slug', { slug: 'No Slug' }],
    ['name', { name: ' ' }],
    ['name', { name: 'a\0b' }],
    ['timeZone', { timeZone: 'America/Nowhere' }],
    ['timeZone', { timeZone: '-03:00' }],
    ['locale', { locale: 'fr' }],
    ['currency', { currency: 'real' }],
    ['channel', { channel: undefined }],
    [
      'channel.phoneNumberId',
      { channel: { phoneNumberId: 'x', wabaId: '1', displayPhoneNumber: '+551130000000' } },
    ],
    ['policy.slotStepMinutes', { policy: { slotStepMinutes: 4 } }],
    ['policy.slotAlignment', { policy: { slotAlignment: 'hour' } }],
    ['policy.minNoticeMinutes', { policy: { minNoticeMinutes: 43_201 } }],
    ['policy.changeNoticeMinutes', { policy: { changeNoticeMinutes: -1 } }],
    ['policy.maxAdvanceDays', { policy: { maxAdvanceDays: 366 } }],
    ['policy.maxActivePerCustomer', { policy: { maxActivePerCustomer: 0 } }],
    ['services', { services: undefined }],
    ['services.0.key', { services: [{ ...service, key: 'Corte' }] }],
    ['services.0.durationMinutes', { services: [{ ...service, durationMinutes: 721 }] }],
    ['services.0.bufferBeforeMinutes', { services: [{ ...service, bufferBeforeMinutes: 241 }] }],
    ['services.0.priceCents', { services: [{ ...service, priceCents: 0.5 }] }],
    ['services.1.key', { services: [service, service] }],
    ['professionals.0.services.0', { professionals: [{ ...ana, services: ['massagem'] }] }],
    ['professionals.1.key', { professionals: [ana, ana] }],
    [
      'professionals.0.hours.0.weekdays.0',
      { professionals: [{ ...ana, hours: [{ ...shift, weekdays: [0] }] }] },
    ],
    ['professionals.0.hours.0.from', { professionals: [{ ...ana, hours: [{ ...shift, from: '24:00' }] }] }],
    ['professionals.0.hours.0.to', { professionals: [{ ...ana, hours: [{ ...shift, to: '25:00' }] }] }],
    [
      'exceptions.0.from',
      { exceptions: [{ professional: null, from: '2026-02-30', to: '2026-03-01', hours: [] }] },
    ],
    [
      'exceptions.0.to',
      { exceptions: [{ professional: null, from: '2026-03-02', to: '2026-03-01', hours: [] }] },
    ],
    [
      'exceptions.0.professional',
      { exceptions: [{ professional: 'zoe', from: '2026-03-02', to: '2026-03-02', hours: [] }] },
    ],
    ['handoff.firstReplyMinutes', { handoff: { firstReplyMinutes: 0 } }],
    ['instructions', { instructions: 'x'.repeat(4_001) }],
    ['staff.0.email', { staff: [{ ...staffEntry('a@example.com'), email: 'nobody' }] }],
    ['staff.0.role', { staff: [{ ...staffEntry('a@example.com'), role: 'admin' }] }],
    ['staff.0.password', { staff: [{ ...staffEntry('a@example.com'), password: 'short' }] }],
    ['staff.1.email', { staff: [staffEntry('a@example.com'), staffEntry('A@example.com')] }],
    ['remindders', { remindders: {} }],
  ])('is refused by its path: %s', (path, change) => {
    const refused = refusalOf(() => parseTenantDocument(studioDocument(change)))
    expect(refused.issues.map((issue) => issue.path)).toContain(path)
  })

  it('is refused when it is meant for another slug', () => {
    const refused = refusalOf(() => parseTenantDocument(studioDocument(), 'other'))
    expect(refused.issues.map((issue) => issue.path)).toEqual(['slug'])
  })

  it('names every missing secret and changes nothing', async () => {
    const input = studioDocument()
    await apply(input)
    const id = await idOf(input)
    const before = await rowsOf(id)
    const broken = {
      ...input,
      name: 'Changed',
      staff: [{ email: 'x@example.com', name: 'X', role: 'owner' }],
    }
    await expect(apply(broken)).rejects.toMatchObject({
      code: 'invalid_document',
      issues: [{ path: 'staff.0.password' }],
    })
    expect(await rowsOf(id)).toEqual(before)

    const fresh = studioDocument({ staff: broken.staff })
    const channel = parseTenantDocument(fresh).channel
    const { accessToken: _token, ...withoutToken } = channel
    await expect(apply({ ...fresh, channel: withoutToken })).rejects.toMatchObject({
      issues: [{ path: 'channel.accessToken' }, { path: 'staff.0.password' }],
    })
    expect(await getTenantDocument(database.store, String(fresh['slug']))).toBeNull()
  })
})

function refusalOf(work: () => unknown): InvalidDocumentError {
  try {
    work()
  } catch (error) {
    if (error instanceof InvalidDocumentError) return error
    throw error
  }
  throw new Error('it was not refused')
}
