import { classifyDatabaseError, jsonInput } from '../db/index.ts'
import { AppError } from '../shared/app-error.ts'
import { inOrderByPerson } from './in-order-by-person.ts'
import { ingestAccount, ingestError } from './ingest-account.ts'
import { type Delivery, type IngestDeps, type IngestResult, sensibleTime } from './ingest-deps.ts'
import { ingestMessage } from './ingest-message.ts'
import { ingestIdentityUpdate, ingestPreference } from './ingest-people.ts'
import { ingestStatus } from './ingest-status.ts'
import { entryTime, readBody } from './read-body.ts'
import { parseWebhook } from './webhook-schema.ts'
import type { WebhookUpdate } from './webhook-types.ts'

export type { IngestDeps } from './ingest-deps.ts'

/**
 * Takes one stored webhook body apart. Each update has transactions of its own, so one that fails takes no
 * other with it; what was stored before a failure is found again by its id when the job comes back.
 * @param input.isLastAttempt updates that still fail are then kept aside with the body, and the job ends.
 * @throws AppError `updates_failed` when some failed and the job may come again; whatever the database throws
 *   when it is away.
 */
export async function ingestWebhook(
  deps: IngestDeps,
  input: { readonly eventId: bigint; readonly isLastAttempt: boolean },
): Promise<void> {
  const { store } = deps
  const event = await store.unsafeRead('a webhook body belongs to no tenant until it is read', (reader) =>
    reader.webhookEvent.findUnique({ where: { id: input.eventId } }),
  )
  if (event === null || event.processedAt !== null) return
  const body = readBody(event.body)
  const arrivedAt = event.receivedAt.getTime()
  const leftovers: { path: string; reason: string }[] = []
  let failed = 0
  await inOrderByPerson(parseWebhook(body), async (update) => {
    const { path } = update
    try {
      const entryAt = sensibleTime(entryTime(body, path)) ?? arrivedAt
      const result = await ingestUpdate(deps, update, { arrivedAt, entryAt })
      deps.onUpdate(update.kind, typeof result === 'string' ? result : result.kept)
      if (typeof result !== 'string') leftovers.push({ path, reason: result.kept })
    } catch (error) {
      if (classifyDatabaseError(error).kind === 'connection') throw error
      failed += 1
      deps.onUpdate(update.kind, 'failed')
      deps.onFailure(error, path)
      leftovers.push({ path, reason: 'failed' })
    }
  })
  if (failed > 0 && !input.isLastAttempt)
    throw new AppError('updates_failed', `${failed} updates of a webhook failed`)
  await store.unsafeTransact('a webhook body belongs to no tenant', (tx) =>
    tx.webhookEvent.update({
      where: { id: input.eventId },
      data: {
        processedAt: new Date(deps.clock.now()),
        ...(leftovers.length === 0 ? {} : { leftovers: jsonInput(leftovers) }),
      },
    }),
  )
  for (const { path, reason } of leftovers) deps.onKept({ eventId: input.eventId.toString(), path, reason })
}

async function ingestUpdate(
  deps: IngestDeps,
  update: WebhookUpdate,
  delivery: Delivery,
): Promise<IngestResult> {
  switch (update.kind) {
    case 'message':
    case 'echo':
    case 'standby':
    case 'history':
      return ingestMessage(deps, update, delivery)
    case 'status':
      return ingestStatus(deps, update, delivery)
    case 'preference':
      return ingestPreference(deps, update, delivery)
    case 'identity':
      return ingestIdentityUpdate(deps, update)
    case 'account':
      return ingestAccount(deps, update, delivery)
    case 'error':
      return ingestError(deps, update, delivery)
    case 'unknown':
    case 'malformed':
      return { kept: update.kind }
  }
}
