import { z } from 'zod'
import { asRecord, looseSeconds, looseText } from './loose.ts'
import { contactOf } from './webhook-contact.ts'
import type { IdentityUpdate, PreferenceUpdate, WebhookContact, WebhookRoute } from './webhook-types.ts'

const personSchema = z.object({
  wa_id: looseText,
  category: looseText,
  value: looseText,
  timestamp: looseSeconds,
})

const changeSchema = z
  .object({ previous: looseText, current: looseText })
  .catch({ previous: null, current: null })

/** One item of `value.user_preferences[]`: the customer stopped or resumed marketing messages. */
export function parsePreference(
  item: unknown,
  route: WebhookRoute,
  contacts: readonly WebhookContact[],
): PreferenceUpdate | null {
  const raw = asRecord(item)
  if (raw === null) return null
  const preference = personSchema.parse(raw)
  if (preference.value === null) return null
  const ids = {
    waId: preference.wa_id,
    bsuid: looseText.parse(raw['user_id']),
    parentBsuid: looseText.parse(raw['parent_user_id']),
  }
  return {
    ...route,
    kind: 'preference',
    contact: contactOf(ids, contacts),
    category: preference.category,
    value: preference.value,
    atMs: preference.timestamp,
    raw,
  }
}

/** One item of `value.user_id_update[]`: `user_id` and `parent_user_id` are `{ previous, current }`. */
export function parseIdentityChange(
  item: unknown,
  route: WebhookRoute,
  contacts: readonly WebhookContact[],
): IdentityUpdate | null {
  const raw = asRecord(item)
  if (raw === null) return null
  const person = personSchema.parse(raw)
  const own = changeSchema.parse(raw['user_id'])
  const parent = changeSchema.parse(raw['parent_user_id'])
  if (own.current === null && parent.current === null) return null
  return {
    ...route,
    kind: 'identity',
    contact: contactOf({ waId: person.wa_id, bsuid: own.current, parentBsuid: parent.current }, contacts),
    previousBsuid: own.previous,
    currentBsuid: own.current,
    previousParentBsuid: parent.previous,
    currentParentBsuid: parent.current,
    atMs: person.timestamp,
    raw,
  }
}
