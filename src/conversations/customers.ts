import type { CustomerModel, Tx } from '../db/index.ts'
import { newId } from '../shared/ids.ts'
import { identityMissing } from './errors.ts'
import { byStrength, findIdentities, type Identity, lockIdentities, moveIdentities } from './identities.ts'

/**
 * Finds the customer by any of their identities, or makes one, and remembers the identities that are new and
 * the form each was given in last. Safe to call at once for the same person.
 *
 * When the identities lead to two customers, the strongest wins (BSUID, parent BSUID, phone): a number can
 * pass to somebody else, a BSUID cannot. Both customers stay; the weaker identities move to the winner, so
 * that the same person does not land in two conversations by turns. A number that comes with a BSUID nobody has,
 * while the one who had it goes by another, has passed to a stranger: they get nothing of that customer's.
 * @param name the profile's name, taken only while none is known.
 * @throws AppError `identity_missing` without identities.
 */
export async function resolveCustomer(
  tx: Tx,
  identities: readonly Identity[],
  name?: string | null,
): Promise<CustomerModel> {
  if (identities.length === 0) throw identityMissing()
  await lockIdentities(tx, identities)
  const found = await findIdentities(tx, identities)
  const known = strongest(identities, found)
  const isStranger = known !== null && (await hasPassedOn(tx, known, identities, found))
  const customerId = known === null || isStranger ? await createCustomer(tx, name ?? null) : known
  await moveIdentities(
    tx,
    customerId,
    found.filter((row) => row.customerId !== customerId),
  )
  await rememberIdentities(tx, customerId, identities, found)
  return describeCustomer(tx, customerId, identities, name ?? null)
}

/**
 * A channel said that somebody goes by other names now (`user_changed_number`, `user_changed_user_id`): the
 * customer stays, `from` is given up (a number may soon be a stranger's) and `to` is theirs, whoever had it.
 * Their conversations answer to the new address.
 * @returns the customer's id, or null when nobody goes by `from`.
 */
export async function rekeyCustomer(
  tx: Tx,
  change: { readonly from: readonly Identity[]; readonly to: readonly Identity[] },
): Promise<string | null> {
  const { tenantId } = tx
  await lockIdentities(tx, [...change.from, ...change.to])
  const old = change.from.length === 0 ? [] : await findIdentities(tx, change.from)
  const customerId = strongest(change.from, old)
  if (customerId === null) return null
  const kept = new Set(change.to.map(({ kind, value }) => `${kind}:${value}`))
  const given = old.filter((row) => row.customerId === customerId && !kept.has(`${row.kind}:${row.value}`))
  const found = change.to.length === 0 ? [] : await findIdentities(tx, change.to)
  await moveIdentities(
    tx,
    customerId,
    found.filter((row) => row.customerId !== customerId),
  )
  await rememberIdentities(tx, customerId, change.to, found)
  await tx.customerIdentity.deleteMany({ where: { tenantId, id: { in: given.map(({ id }) => id) } } })
  await describeCustomer(tx, customerId, change.to, null)
  for (const row of given) {
    const next = change.to.find(({ kind }) => kind === row.kind)
    if (next === undefined || row.kind === 'parent_bsuid') continue
    await tx.conversation.updateMany({
      where: { tenantId, customerId, addressKind: row.kind },
      data: { address: next.address },
    })
  }
  return customerId
}

/** The customer was found by the number alone, and is known by another BSUID than the one that came with it. */
async function hasPassedOn(
  tx: Tx,
  customerId: string,
  identities: readonly Identity[],
  found: Found,
): Promise<boolean> {
  const bsuid = identities.find(({ kind }) => kind === 'bsuid')
  if (bsuid === undefined || found.some(({ kind }) => kind !== 'phone')) return false
  const others = await tx.customerIdentity.count({
    where: { tenantId: tx.tenantId, customerId, kind: 'bsuid', value: { not: bsuid.value } },
  })
  return others > 0
}

type Found = Awaited<ReturnType<typeof findIdentities>>

function strongest(identities: readonly Identity[], found: Found): string | null {
  for (const { kind, value } of byStrength(identities)) {
    const row = found.find((candidate) => candidate.kind === kind && candidate.value === value)
    if (row !== undefined) return row.customerId
  }
  return null
}

async function createCustomer(tx: Tx, name: string | null): Promise<string> {
  const id = newId()
  await tx.customer.create({ data: { tenantId: tx.tenantId, id, name } })
  return id
}

async function rememberIdentities(
  tx: Tx,
  customerId: string,
  identities: readonly Identity[],
  found: Found,
): Promise<void> {
  const { tenantId } = tx
  for (const { kind, value, address } of identities) {
    const row = found.find((candidate) => candidate.kind === kind && candidate.value === value)
    if (row !== undefined && row.address === address) continue
    await tx.customerIdentity.upsert({
      where: { tenantId_kind_value: { tenantId, kind, value } },
      create: { tenantId, id: newId(), customerId, kind, value, address },
      update: { address },
    })
  }
}

async function describeCustomer(
  tx: Tx,
  customerId: string,
  identities: readonly Identity[],
  name: string | null,
): Promise<CustomerModel> {
  const where = { tenantId_id: { tenantId: tx.tenantId, id: customerId } }
  const customer = await tx.customer.findUniqueOrThrow({ where })
  const phone = identities.find(({ kind }) => kind === 'phone')?.address ?? customer.phone
  const known = customer.name ?? (name?.trim() || null)
  if (phone === customer.phone && known === customer.name) return customer
  return tx.customer.update({ where, data: { phone, name: known } })
}
