import type { CustomerModel, Tx } from '../db/index.ts'

/** What a customer writes to get no reminders any more, in any language of ours and in Meta's own examples. */
const STOP_WORDS: ReadonlySet<string> = new Set(['parar', 'sair', 'stop'])

/** True when a message is one of the words and nothing else but case, marks and punctuation. */
export function asksToStop(text: string | null): boolean {
  const word = (text ?? '').normalize('NFD').replace(/[^\p{L}\s]/gu, '')
  return STOP_WORDS.has(word.trim().toLowerCase())
}

/**
 * The customer wants no messages that they did not ask for (reminders, campaigns), or wants them again. An
 * older word that comes late changes nothing. What they write themselves is answered all the same.
 * @param change.at the channel's time of it, epoch ms.
 */
export async function changeProactive(
  tx: Tx,
  customer: Pick<CustomerModel, 'id' | 'proactiveChangedAt'>,
  change: { readonly stop: boolean; readonly at: number },
): Promise<boolean> {
  const at = new Date(change.at)
  if (customer.proactiveChangedAt !== null && customer.proactiveChangedAt > at) return false
  await tx.customer.update({
    where: { tenantId_id: { tenantId: tx.tenantId, id: customer.id } },
    data: { proactiveStoppedAt: change.stop ? at : null, proactiveChangedAt: at },
  })
  return true
}
