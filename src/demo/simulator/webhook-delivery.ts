import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../shared/app-error.ts'
import { postWebhook, type WebhookChange, webhookBody } from '../signed-webhook.ts'

/** Meta's side of the webhook: posts at once, or in order for one customer and again until it is taken. */
export interface WebhookDelivery {
  /** One attempt; whether the product answered 2xx. */
  post(change: WebhookChange): Promise<boolean>
  /** After everything queued for this phone before: waits, then posts in one body, six attempts at most. */
  queue(phone: string, changes: () => readonly WebhookChange[], waitMs?: number): Promise<void>
  close(): Promise<void>
}

export interface WebhookDeliveryOptions {
  readonly webhookUrl: () => string
  readonly appSecret: string
  readonly onError?: (error: unknown) => void
}

const ATTEMPTS = 6
const FIRST_RETRY_MS = 250

export function createWebhookDelivery(options: WebhookDeliveryOptions): WebhookDelivery {
  const stopping = new AbortController()
  const queues = new Map<string, Promise<void>>()

  async function post(...changes: readonly WebhookChange[]): Promise<boolean> {
    try {
      return (await postWebhook(options.webhookUrl(), options.appSecret, webhookBody(...changes))).ok
    } catch {
      return false
    }
  }

  async function postUntilTaken(changes: readonly WebhookChange[]): Promise<void> {
    for (let attempt = 1; !(await post(...changes)); attempt += 1) {
      if (attempt >= ATTEMPTS) {
        throw new AppError('webhook_unreachable', `the webhook took nothing in ${ATTEMPTS} attempts`)
      }
      await delay(FIRST_RETRY_MS * 2 ** (attempt - 1), undefined, { signal: stopping.signal })
    }
  }

  return {
    post: (change) => post(change),
    queue(phone, changes, waitMs = 0) {
      const done = (queues.get(phone) ?? Promise.resolve())
        .then(() => delay(waitMs, undefined, { signal: stopping.signal }))
        .then(() => postUntilTaken(changes()))
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) options.onError?.(error)
        })
      queues.set(phone, done)
      return done
    },
    async close() {
      stopping.abort()
      await Promise.all(queues.values())
    },
  }
}
