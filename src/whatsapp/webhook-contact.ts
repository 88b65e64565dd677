import { z } from 'zod'
import { asRecord, looseText } from './loose.ts'
import { canonicalPhone } from './phone.ts'
import type { WebhookContact } from './webhook-types.ts'

/** The ids by which an item names a person; any of them may be missing. */
export interface PersonIds {
  readonly waId: string | null
  readonly bsuid: string | null
  readonly parentBsuid: string | null
}

const contactSchema = z.object({
  profile: z.object({ name: looseText, username: looseText }).catch({ name: null, username: null }),
  wa_id: looseText,
  user_id: looseText,
  parent_user_id: looseText,
})

/** Reads `value.contacts[]`; entries that are not objects are passed over, they can name nobody. */
export function parseContacts(items: readonly unknown[]): WebhookContact[] {
  return items.flatMap((item) => {
    const record = asRecord(item)
    if (record === null) return []
    const contact = contactSchema.parse(record)
    return [
      {
        name: contact.profile.name,
        username: contact.profile.username,
        waId: contact.wa_id,
        bsuid: contact.user_id,
        parentBsuid: contact.parent_user_id,
      },
    ]
  })
}

/**
 * The contact of a person, found by id and never by position: Meta batches messages of several people into one
 * value and orders the two lists independently. BSUID first, then phone in any of its national forms; a contact
 * whose other ids contradict the item's is somebody else. Without a match the item's own ids are all there is.
 */
export function contactOf(ids: PersonIds, contacts: readonly WebhookContact[]): WebhookContact {
  const candidates = contacts.filter((contact) => !contradicts(contact, ids))
  const match =
    candidates.find((contact) => ids.bsuid !== null && contact.bsuid === ids.bsuid) ??
    candidates.find((contact) => ids.parentBsuid !== null && contact.parentBsuid === ids.parentBsuid) ??
    candidates.find((contact) => samePhone(contact.waId, ids.waId))
  return {
    name: match?.name ?? null,
    username: match?.username ?? null,
    waId: ids.waId ?? match?.waId ?? null,
    bsuid: ids.bsuid ?? match?.bsuid ?? null,
    parentBsuid: ids.parentBsuid ?? match?.parentBsuid ?? null,
  }
}

function contradicts(contact: WebhookContact, ids: PersonIds): boolean {
  return contact.bsuid !== null && ids.bsuid !== null && contact.bsuid !== ids.bsuid
}

function samePhone(left: string | null, right: string | null): boolean {
  return left !== null && right !== null && canonicalPhone(left) === canonicalPhone(right)
}
