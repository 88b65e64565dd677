import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { parseWebhook } from '../../src/whatsapp/webhook-schema.ts'
import type { WebhookUpdate } from '../../src/whatsapp/webhook-types.ts'

export const WEBHOOK_FIXTURES = new URL('../fixtures/whatsapp/', import.meta.url)
/** The customer of most fixtures. */
export const ANA = { waId: '5511987654321', bsuid: 'BR.81523470916342758019' }

export function webhookFixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`${name}.json`, WEBHOOK_FIXTURES), 'utf8'))
}

/** The member of the union that may have this kind (`Extract` wants the kind to be the only one). */
type OfKind<U, K> = U extends { kind: infer T } ? (K extends T ? U : never) : never

/** The only update of a fixture, which is of this kind. */
export function onlyUpdate<K extends WebhookUpdate['kind']>(name: string, kind: K): OfKind<WebhookUpdate, K> {
  const updates = parseWebhook(webhookFixture(name))
  expect(updates).toHaveLength(1)
  const isKind = (update: WebhookUpdate): update is OfKind<WebhookUpdate, K> => update.kind === kind
  const first = updates.find(isKind)
  if (first === undefined) throw new Error(`${name} holds a ${updates[0]?.kind}, not a ${kind}`)
  return first
}
