import { createHmac, randomBytes } from 'node:crypto'
import type { StaffDto } from '../contracts/staff-api.ts'
import { sql, type TenantStore } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import { newId } from '../shared/ids.ts'
import { staffRoleColumn } from './columns.ts'
import { invalidCredentials } from './errors.ts'
import { guardLogin } from './login-throttle.ts'
import { verifyPassword } from './passwords.ts'

export interface SessionDependencies {
  readonly clock: Clock
  readonly sessionSecret: string
}

export interface Credentials {
  /** The tenant's slug. */
  readonly tenant: string
  readonly email: string
  readonly password: string
  /** Where the request came from. */
  readonly address: string
}

export interface Login {
  /** Opens the session; kept nowhere. */
  readonly token: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  readonly staff: StaffDto
}

export interface StaffSession {
  readonly tenantId: string
  readonly staff: StaffDto
}

export const SESSION_TTL_MS = 7 * 24 * 60 * 60_000

const TOKEN_BYTES = 32
const TOKEN = /^[\w-]{43}$/
const SESSION_SCOPE = 'a session token names its tenant'

/**
 * Opens a session. Only an HMAC of the token under `sessionSecret` is stored. An unknown tenant, an
 * unknown e-mail and a wrong password cost the same work and read the same.
 * One whose password was changed, or who was deactivated, while the old one was being looked at gets none.
 * @throws AppError `invalid_credentials`; TooManyAttemptsError after ten failures in 15 minutes;
 * RetryLaterError `busy` when more passwords are being checked than the process bears.
 */
export async function login(
  store: TenantStore,
  credentials: Credentials,
  { clock, sessionSecret }: SessionDependencies,
): Promise<Login> {
  const email = credentials.email.trim().toLowerCase()
  const account = { tenant: credentials.tenant, email, address: credentials.address }
  const person = await guardLogin(store, account, clock, async () => {
    const found = await findStaff(store, credentials.tenant, email)
    const matches = await verifyPassword(found?.passwordHash ?? null, credentials.password)
    return matches ? found : null
  })
  if (person === null) throw invalidCredentials()
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const now = clock.now()
  const expiresAt = now + SESSION_TTL_MS
  const { tenantId } = person
  await store.transact(tenantId, async (tx) => {
    // Locked, so that a change either is seen here or finds the session and ends it.
    const unchanged = await tx.$queryRaw(sql`select id from staff
      where tenant_id = ${tenantId}::uuid and id = ${person.id}::uuid
        and password_hash = ${person.passwordHash} and deactivated_at is null for share`)
    if (!Array.isArray(unchanged) || unchanged.length === 0) throw invalidCredentials()
    await tx.staffSession.deleteMany({ where: { expiresAt: { lte: new Date(now) } } })
    await tx.staffSession.create({
      data: {
        tenantId,
        id: newId(),
        staffId: person.id,
        tokenHash: hashToken(token, sessionSecret),
        createdAt: new Date(now),
        expiresAt: new Date(expiresAt),
      },
    })
  })
  return { token, expiresAt, staff: toStaffDto(person) }
}

/** Whose session a token opens; null when it is unknown, ended or too old. */
export async function authenticate(
  store: TenantStore,
  token: string,
  { clock, sessionSecret }: SessionDependencies,
): Promise<StaffSession | null> {
  if (!TOKEN.test(token)) return null
  const tokenHash = hashToken(token, sessionSecret)
  const session = await store.unsafeRead(SESSION_SCOPE, (reader) =>
    reader.staffSession.findUnique({ where: { tokenHash }, include: { staff: true } }),
  )
  if (session === null || session.expiresAt.getTime() <= clock.now()) return null
  if (session.staff.deactivatedAt !== null) return null
  return { tenantId: session.tenantId, staff: toStaffDto(session.staff) }
}

/** Ends the session of a token; nothing happens when there is none. */
export async function logout(
  store: TenantStore,
  token: string,
  { sessionSecret }: Pick<SessionDependencies, 'sessionSecret'>,
): Promise<void> {
  const tokenHash = hashToken(token, sessionSecret)
  await store.unsafeTransact(SESSION_SCOPE, (tx) => tx.staffSession.deleteMany({ where: { tokenHash } }))
}

/** Ends every session of one person. */
export async function logoutEverywhere(store: TenantStore, tenantId: string, staffId: string): Promise<void> {
  await store.transact(tenantId, (tx) => tx.staffSession.deleteMany({ where: { staffId } }))
}

async function findStaff(store: TenantStore, slug: string, email: string) {
  return store.unsafeRead('a login names its tenant by slug', (reader) =>
    reader.staff.findFirst({ where: { email, deactivatedAt: null, tenant: { slug } } }),
  )
}

function toStaffDto(row: { id: string; email: string; name: string; role: string }): StaffDto {
  return { id: row.id, email: row.email, name: row.name, role: staffRoleColumn.parse(row.role) }
}

function hashToken(token: string, sessionSecret: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHmac('sha256', sessionSecret).update(token).digest())
}
