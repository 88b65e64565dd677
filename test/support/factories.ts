import { randomInt } from 'node:crypto'
import type { TenantDocument } from '../../src/contracts/tenant-document.ts'
import type { TenantStore } from '../../src/db/index.ts'
import type { Clock } from '../../src/shared/clock.ts'
import { newId } from '../../src/shared/ids.ts'
import { applyTenantDocument } from '../../src/tenancy/apply-tenant-document.ts'
import { loadCatalog } from '../../src/tenancy/catalog.ts'
import { parseTenantDocument } from '../../src/tenancy/parse-tenant-document.ts'
import { findTenantBySlug } from '../../src/tenancy/tenants.ts'

/** 32 bytes that every test stores channel tokens with. */
export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 7)

/** Monday 2026-11-30, 12:00 in São Paulo. */
export const TEST_NOW = Date.parse('2026-11-30T15:00:00Z')

export interface TestClock extends Clock {
  set(now: number): void
  advance(milliseconds: number): void
}

export function createTestClock(start = TEST_NOW): TestClock {
  let now = start
  return {
    now: () => now,
    set: (instant) => {
      now = instant
    },
    advance: (milliseconds) => {
      now += milliseconds
    },
  }
}

/** A document as an operator writes it: what is left out of an override is as in `studioDocument`. */
export type DocumentInput = Readonly<Record<string, unknown>>

/**
 * A small studio in São Paulo: `corte` (45 minutes, 15 after, R$ 80), `barba` (30 minutes, R$ 40); Ana does
 * both, Bia cuts only; Monday to Friday 09:00–12:00 and 13:00–18:00. Slug and phone number are unique.
 */
export function studioDocument(overrides: DocumentInput = {}): DocumentInput {
  const number = String(randomInt(10 ** 11, 10 ** 12))
  const hours = [
    { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '12:00' },
    { weekdays: [1, 2, 3, 4, 5], from: '13:00', to: '18:00' },
  ]
  return {
    slug: `studio-${number}`,
    name: 'Studio Aurora',
    timeZone: 'America/Sao_Paulo',
    locale: 'pt-BR',
    currency: 'BRL',
    channel: {
      phoneNumberId: number,
      wabaId: `9${number}`,
      displayPhoneNumber: '+551130000000',
      accessToken: `token-${number}`,
    },
    services: [
      {
        key: 'corte',
        name: 'Corte de cabelo',
        durationMinutes: 45,
        bufferAfterMinutes: 15,
        priceCents: 8_000,
      },
      { key: 'barba', name: 'Barba', durationMinutes: 30, priceCents: 4_000 },
    ],
    professionals: [
      { key: 'ana', name: 'Ana', services: ['corte', 'barba'], hours },
      { key: 'bia', name: 'Bia', services: ['corte'], hours },
    ],
    ...overrides,
  }
}

export interface TestTenant {
  readonly id: string
  readonly slug: string
  readonly document: TenantDocument
  readonly channelId: string
  /** Database ids by key. */
  readonly serviceIds: ReadonlyMap<string, string>
  readonly professionalIds: ReadonlyMap<string, string>
}

/** Applies `studioDocument(overrides)`. */
export async function createTenant(
  store: TenantStore,
  overrides: DocumentInput = {},
  clock: Clock = createTestClock(),
): Promise<TestTenant> {
  const document = parseTenantDocument(studioDocument(overrides))
  await applyTenantDocument(store, document, { encryptionKey: TEST_ENCRYPTION_KEY, clock })
  const id = await findTenantBySlug(store, document.slug)
  if (id === null) throw new Error('the tenant was not stored')
  const { catalog, channel } = await store.read(id, async (reader) => ({
    catalog: await loadCatalog(reader),
    channel: await reader.channel.findUniqueOrThrow({ where: { tenantId: id }, select: { id: true } }),
  }))
  return {
    id,
    slug: document.slug,
    document,
    channelId: channel.id,
    serviceIds: new Map(catalog.services.map((service) => [service.key, service.id])),
    professionalIds: new Map(
      catalog.professionals.map((professional) => [professional.key, professional.id]),
    ),
  }
}

/** Two tenants of the same shape: what one does, the other must not see. */
export async function createTwoTenants(
  store: TenantStore,
  overrides: DocumentInput = {},
): Promise<[TestTenant, TestTenant]> {
  return [await createTenant(store, overrides), await createTenant(store, overrides)]
}

/** A customer known by phone; gives the id. */
export async function createCustomer(
  store: TenantStore,
  tenantId: string,
  {
    name = 'Carla',
    phone = `55119${randomInt(10_000_000, 99_999_999)}`,
  }: { name?: string; phone?: string } = {},
): Promise<string> {
  return store.transact(tenantId, async (tx) => {
    const customerId = newId()
    await tx.customer.create({ data: { tenantId, id: customerId, name, phone } })
    await tx.customerIdentity.create({
      data: { tenantId, id: newId(), customerId, kind: 'phone', value: phone, address: phone },
    })
    return customerId
  })
}

/** A person of the staff as the tenant document lists them; the password of each is {@link TEST_PASSWORD}. */
export const TEST_PASSWORD = 'a-long-password'

export function staffEntry(email: string, role: 'owner' | 'attendant' = 'owner'): DocumentInput {
  return { email, name: email.split('@')[0] ?? email, role, password: TEST_PASSWORD }
}
