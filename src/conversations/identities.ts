import { type CustomerIdentityModel, joinSql, type Reader, sql, type Tx } from '../db/index.ts'
import type { ReplyAddress } from './conversation-row.ts'
import { identityMissing } from './errors.ts'

export type IdentityKind = 'phone' | 'bsuid' | 'parent_bsuid'

/** One of the names a channel knows a person by. */
export interface Identity {
  readonly kind: IdentityKind
  /** Normalised: one value for all written forms of one number. */
  readonly value: string
  /** The form the channel gave; answers go to it. Phone digits without a plus. */
  readonly address: string
}

/** Which of several identities says best who somebody is: numbers are handed on, a BSUID never is. */
const STRENGTH: Readonly<Record<IdentityKind, number>> = { bsuid: 0, parent_bsuid: 1, phone: 2 }

/** Strongest first. */
export function byStrength(identities: readonly Identity[]): Identity[] {
  return identities.toSorted((one, other) => STRENGTH[one.kind] - STRENGTH[other.kind])
}

/**
 * Keeps everybody else from finding or adding these identities until the transaction ends. The order is the
 * same for all, so two that want the same ones do not deadlock. Take these before a conversation's lock.
 */
export async function lockIdentities(tx: Tx, identities: readonly Identity[]): Promise<void> {
  const keys = identities.map(({ kind, value }) => `${tx.tenantId}:${kind}:${value}`).toSorted()
  for (const key of new Set(keys)) {
    await tx.$queryRaw(
      sql`select 1 from (select pg_advisory_xact_lock(hashtextextended(${key}, 0))) as locked`,
    )
  }
}

/** The stored rows of these identities, whoever they belong to. */
export async function findIdentities(
  reader: Reader,
  identities: readonly Identity[],
): Promise<CustomerIdentityModel[]> {
  return reader.customerIdentity.findMany({
    where: {
      tenantId: reader.tenantId,
      OR: identities.map(({ kind, value }) => ({ kind, value })),
    },
  })
}

/**
 * How to answer somebody known by these identities: by number where there is one.
 * @throws AppError `identity_missing` without identities.
 */
export function replyAddress(identities: readonly Identity[]): ReplyAddress {
  const phone = identities.find(({ kind }) => kind === 'phone')
  if (phone !== undefined) return { kind: 'phone', address: phone.address }
  const other = byStrength(identities)[0]
  if (other === undefined) throw identityMissing()
  return { kind: 'bsuid', address: other.address }
}

/**
 * Gives a customer the identities of others that were found to be theirs. One who is left with none was the
 * same person under an old name: their appointments follow, so that "my appointments" stays whole, and so does
 * their word on what they want to be sent, where it is the newer one. The customer row and its conversation stay
 * where they are, as history.
 */
export async function moveIdentities(
  tx: Tx,
  customerId: string,
  moved: readonly CustomerIdentityModel[],
): Promise<void> {
  const { tenantId } = tx
  const others = new Set(moved.map((row) => row.customerId).filter((id) => id !== customerId))
  if (others.size === 0) return
  const ids = moved.map(({ id }) => id)
  await tx.$executeRaw(sql`update customer_identities set customer_id = ${customerId}::uuid
    where tenant_id = ${tenantId}::uuid and id::text in (${joinSql(ids)})`)
  for (const other of others) {
    const left = await tx.customerIdentity.count({ where: { tenantId, customerId: other } })
    if (left > 0) continue
    await tx.appointment.updateMany({ where: { tenantId, customerId: other }, data: { customerId } })
    await tx.$executeRaw(sql`update customers c
      set proactive_stopped_at = o.proactive_stopped_at, proactive_changed_at = o.proactive_changed_at
      from customers o
      where o.tenant_id = ${tenantId}::uuid and o.id = ${other}::uuid
        and c.tenant_id = o.tenant_id and c.id = ${customerId}::uuid
        and o.proactive_changed_at > coalesce(c.proactive_changed_at, '-infinity')`)
  }
}
