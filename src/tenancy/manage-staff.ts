/** The people of a tenant, as an owner manages them. */
import { classifyDatabaseError, type Reader, sql, type TenantStore } from '../db/index.ts'
import { AppError } from '../shared/app-error.ts'
import { isId, newId } from '../shared/ids.ts'
import { hashPassword } from './passwords.ts'
import { logoutEverywhere } from './staff-sessions.ts'

export type StaffRole = 'owner' | 'attendant'

export interface StaffMember {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly deactivatedAt: Date | null
  readonly createdAt: Date
  /** Sessions that are open. */
  readonly sessions: number
}

export interface StaffChange {
  readonly name?: string
  readonly role?: StaffRole
  readonly password?: string
  readonly active?: boolean
}

/** In the order in which they came. */
export async function listStaff(reader: Reader, now: number): Promise<StaffMember[]> {
  const rows = await reader.staff.findMany({
    where: { tenantId: reader.tenantId },
    orderBy: { id: 'asc' },
    include: { _count: { select: { sessions: { where: { expiresAt: { gt: new Date(now) } } } } } },
  })
  return rows.map(({ _count, ...row }) => ({ ...row, sessions: _count.sessions }))
}

/** @throws AppError `email_taken`. */
export async function createStaff(
  store: TenantStore,
  tenantId: string,
  person: {
    readonly email: string
    readonly name: string
    readonly role: StaffRole
    readonly password: string
  },
  now: number,
): Promise<StaffMember> {
  const { password, ...columns } = person
  const passwordHash = await hashPassword(password)
  const at = new Date(now)
  try {
    return await store.transact(tenantId, async (tx) => {
      const id = newId()
      await tx.staff.create({
        data: { tenantId, id, ...columns, passwordHash, createdAt: at, updatedAt: at },
      })
      return findMember(tx, id, now)
    })
  } catch (error) {
    if (classifyDatabaseError(error).kind !== 'unique') throw error
    throw new AppError('email_taken', 'somebody has this e-mail already', { cause: error })
  }
}

/**
 * Changes a person; what is left out stays. A new password and the end of their time here end their sessions.
 * @throws AppError `not_found`; `last_owner` when nobody would be left who may do this.
 */
export async function changeStaff(
  store: TenantStore,
  tenantId: string,
  staffId: string,
  { name, role, password, active }: StaffChange,
  now: number,
): Promise<StaffMember> {
  const passwordHash = password === undefined ? null : await hashPassword(password)
  return store.transact(tenantId, async (tx) => {
    // Two owners who dismiss each other at once pass one by one.
    await tx.$queryRaw(sql`select id from tenants where id = ${tenantId}::uuid for update`)
    const person = await findMember(tx, staffId, now)
    await tx.staff.update({
      where: { tenantId_id: { tenantId, id: person.id } },
      data: {
        ...(name === undefined ? {} : { name }),
        ...(role === undefined ? {} : { role }),
        ...(passwordHash === null ? {} : { passwordHash }),
        ...(active === undefined
          ? {}
          : { deactivatedAt: active ? null : (person.deactivatedAt ?? new Date(now)) }),
        updatedAt: new Date(now),
      },
    })
    const owners = await tx.staff.count({ where: { tenantId, role: 'owner', deactivatedAt: null } })
    if (owners === 0) throw new AppError('last_owner', 'somebody has to stay the owner')
    if (passwordHash !== null || active === false) {
      await tx.staffSession.deleteMany({ where: { tenantId, staffId: person.id } })
    }
    return findMember(tx, staffId, now)
  })
}

/** Ends every session of a person. @throws AppError `not_found`. */
export async function endSessions(store: TenantStore, tenantId: string, staffId: string): Promise<void> {
  const { id } = await store.read(tenantId, (reader) => findMember(reader, staffId, 0))
  await logoutEverywhere(store, tenantId, id)
}

async function findMember(reader: Reader, staffId: string, now: number): Promise<StaffMember> {
  const { tenantId } = reader
  const row = isId(staffId)
    ? await reader.staff.findUnique({
        where: { tenantId_id: { tenantId, id: staffId } },
        include: { _count: { select: { sessions: { where: { expiresAt: { gt: new Date(now) } } } } } },
      })
    : null
  if (row === null) throw new AppError('not_found', 'there is no such person')
  const { _count, ...columns } = row
  return { ...columns, sessions: _count.sessions }
}
