import type { Pricing } from '../conversations/delivery-counts.ts'
import { applyRefusalEffects } from '../conversations/outcome-effects.ts'
import { receiveStatus } from '../conversations/parked-statuses.ts'
import { outcomeOfCode } from './error-table.ts'
import { channelOf, type Delivery, type IngestDeps, type IngestResult, sensibleTime } from './ingest-deps.ts'
import { looseText } from './loose.ts'
import type { RawObject, StatusUpdate } from './webhook-types.ts'

const KNOWN_STATUSES = ['sent', 'delivered', 'read', 'played', 'failed'] as const

/** What became of a message of the business; one whose message is not here yet waits for it. */
export async function ingestStatus(
  deps: IngestDeps,
  update: StatusUpdate,
  { arrivedAt }: Delivery,
): Promise<IngestResult> {
  const { status } = update
  const known = KNOWN_STATUSES.find((word) => word === status.status)
  if (known === undefined) return { kept: 'unknown_status' }
  if (status.groupId !== null) return { kept: 'group' }
  const channel = await channelOf(deps, update)
  if (channel === null) return { kept: 'unknown_number' }
  const at = sensibleTime(status.atMs) ?? arrivedAt
  const errors = status.errors.map(({ code, detail }) => ({ code, detail }))
  const refusal = known === 'failed' ? errors[0] : undefined
  return deps.store.transact(channel.tenantId, async (tx) => {
    const now = deps.clock.now()
    const received = await receiveStatus(
      tx,
      {
        channelId: channel.channelId,
        wamid: status.wamid,
        ourId: status.messageId,
        status: known,
        at,
        errors,
        pricing: pricingOf(status.pricing),
      },
      now,
    )
    if (received.kind === 'applied' && refusal !== undefined) {
      const { messageId } = received
      await applyRefusalEffects(tx, { messageId, outcome: outcomeOfCode(refusal), at, now })
    }
    return received.kind
  })
}

/**
 * `pricing` of a status. `billable` is on its way out of the payload; what is of type `regular` is billed.
 * https://developers.facebook.com/docs/whatsapp/pricing
 */
function pricingOf(raw: RawObject | null): Pricing | null {
  if (raw === null) return null
  const type = looseText.parse(raw['type']) ?? 'unknown'
  const billable = raw['billable']
  return {
    category: looseText.parse(raw['category']) ?? 'unknown',
    type,
    billable: typeof billable === 'boolean' ? billable : type === 'regular',
  }
}
