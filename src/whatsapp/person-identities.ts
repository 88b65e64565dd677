import type { Identity } from '../conversations/identities.ts'
import { canonicalPhone } from './phone.ts'
import type { PersonIds } from './webhook-contact.ts'
import type { HistoryUpdate, InboundMessage, MessageUpdate } from './webhook-types.ts'

/** The identities behind the ids that Meta gave; phone digits in the form they came are where answers go. */
export function identitiesOf(person: PersonIds): Identity[] {
  const phone = person.waId?.replace(/\D/g, '') ?? ''
  return [
    ...(phone === '' ? [] : [{ kind: 'phone' as const, value: canonicalPhone(phone), address: phone }]),
    ...(person.bsuid === null
      ? []
      : [{ kind: 'bsuid' as const, value: person.bsuid, address: person.bsuid }]),
    ...(person.parentBsuid === null
      ? []
      : [{ kind: 'parent_bsuid' as const, value: person.parentBsuid, address: person.parentBsuid }]),
  ]
}

/** How the customer of a message is known: for what the business wrote, whom it went to. */
export function customerOf(update: MessageUpdate | HistoryUpdate): PersonIds {
  const { contact, message } = update
  const ids = isFromBusiness(update) ? recipient(message) : sender(message)
  return {
    waId: ids.waId ?? contact.waId,
    bsuid: ids.bsuid ?? contact.bsuid,
    parentBsuid: ids.parentBsuid ?? contact.parentBsuid,
  }
}

export function isFromBusiness(update: MessageUpdate | HistoryUpdate): boolean {
  return update.kind === 'echo' || (update.kind === 'history' && update.direction === 'out')
}

function sender({ from, fromBsuid, fromParentBsuid }: InboundMessage): PersonIds {
  return { waId: from, bsuid: fromBsuid, parentBsuid: fromParentBsuid }
}

function recipient({ to, toBsuid, toParentBsuid }: InboundMessage): PersonIds {
  return { waId: to, bsuid: toBsuid, parentBsuid: toParentBsuid }
}
