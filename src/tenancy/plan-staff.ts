import type { TenantDocument } from '../contracts/tenant-document.ts'
import type { Reader, Tx } from '../db/index.ts'
import { newId } from '../shared/ids.ts'
import type { DocumentIssue } from './errors.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

type DocumentStaff = TenantDocument['staff'][number]

/**
 * What has to happen to the people of a document. It is made before the transaction, because hashing is
 * slow on purpose and nobody should wait for it under a lock; the transaction checks that the rows it was
 * made from are still the same (`planFits`).
 */
export interface StaffPlan {
  /** The hashes that the plan was made from, by e-mail. */
  readonly basis: ReadonlyMap<string, string>
  readonly changes: readonly StaffChange[]
  readonly issues: readonly DocumentIssue[]
}

type StaffChange = Omit<DocumentStaff, 'password'> & {
  /** null: the password stays. */
  readonly passwordHash: string | null
}

export async function readStaff(reader: Reader) {
  return reader.staff.findMany({
    select: { id: true, email: true, name: true, role: true, passwordHash: true },
    orderBy: { id: 'asc' },
  })
}

type StaffRows = Awaited<ReturnType<typeof readStaff>>

export async function planStaff(stored: StaffRows, listed: readonly DocumentStaff[]): Promise<StaffPlan> {
  const byEmail = new Map(stored.map((row) => [row.email, row]))
  const changes: StaffChange[] = []
  const issues: DocumentIssue[] = []
  for (const [index, { password, ...person }] of listed.entries()) {
    const row = byEmail.get(person.email)
    if (row === undefined && password === undefined) {
      issues.push({ path: `staff.${index}.password`, message: 'is required for a new person' })
      continue
    }
    const isNewPassword =
      password !== undefined && (row === undefined || !(await verifyPassword(row.passwordHash, password)))
    if (row !== undefined && !isNewPassword && row.name === person.name && row.role === person.role) continue
    changes.push({ ...person, passwordHash: isNewPassword ? await hashPassword(password) : null })
  }
  return { basis: new Map(stored.map((row) => [row.email, row.passwordHash])), changes, issues }
}

/** False when somebody changed the people since the plan was made. */
export function planFits(plan: StaffPlan, stored: StaffRows): boolean {
  return (
    stored.length === plan.basis.size && stored.every((row) => plan.basis.get(row.email) === row.passwordHash)
  )
}

/** A new password ends the person's sessions. */
export async function writeStaff(tx: Tx, plan: StaffPlan): Promise<void> {
  const { tenantId } = tx
  for (const { email, name, role, passwordHash } of plan.changes) {
    if (!plan.basis.has(email) && passwordHash !== null) {
      await tx.staff.create({ data: { tenantId, id: newId(), email, name, role, passwordHash } })
      continue
    }
    const { id } = await tx.staff.update({
      where: { tenantId_email: { tenantId, email } },
      data: { name, role, ...(passwordHash === null ? {} : { passwordHash }) },
      select: { id: true },
    })
    if (passwordHash !== null) await tx.staffSession.deleteMany({ where: { staffId: id } })
  }
}
