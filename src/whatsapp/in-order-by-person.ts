import type { WebhookUpdate } from './webhook-types.ts'

/** Transactions of one body at a time: a part of the process's connections, so that others have some too. */
const AT_ONCE = 6

/**
 * Runs `work` over the updates of a body: those of one person one after another in the order of the body,
 * several people side by side. The first failure ends it once what is under way has ended.
 * @throws what `work` threw first.
 */
export async function inOrderByPerson(
  updates: readonly WebhookUpdate[],
  work: (update: WebhookUpdate) => Promise<void>,
): Promise<void> {
  const people = [...groupByPerson(updates).values()]
  const failures: unknown[] = []
  const takeTurns = async () => {
    for (let own = people.shift(); own !== undefined; own = people.shift()) {
      for (const update of own) {
        if (failures.length > 0) return
        try {
          await work(update)
        } catch (error) {
          failures.push(error)
        }
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns))
  if (failures.length > 0) throw failures[0]
}

function groupByPerson(updates: readonly WebhookUpdate[]): Map<string, WebhookUpdate[]> {
  const groups = new Map<string, WebhookUpdate[]>()
  for (const update of updates) {
    const key = personOf(update)
    groups.set(key, [...(groups.get(key) ?? []), update])
  }
  return groups
}

/** Whoever the update is about, by the first name Meta gives; what is about nobody stands alone. */
function personOf(update: WebhookUpdate): string {
  if (!('contact' in update)) return update.path
  const { waId, bsuid } = update.contact
  const from =
    'message' in update ? (update.message.from ?? update.message.to ?? update.message.fromBsuid) : null
  return `${update.phoneNumberId} ${from ?? waId ?? bsuid ?? update.path}`
}
