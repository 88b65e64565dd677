import { type Reader, sql, type Tx } from '../db/index.ts'
import { enqueueForRows } from '../queue/enqueue-for-rows.ts'
import { drainJobName, drainOutboxJob } from '../queue/job-definition.ts'

/** Whether a number's messages leave, as its owner sees it. */
export interface SendState {
  /** Since when nothing leaves, and why in the channel's words; the queue is kept. */
  readonly paused: { readonly since: Date; readonly code: number; readonly detail: string } | null
  readonly proactiveStoppedSince: Date | null
  readonly disabledTemplates: readonly {
    readonly name: string
    readonly language: string
    readonly code: number
  }[]
  /** Messages in the queue. */
  readonly waiting: number
}

export async function loadSendState(reader: Reader): Promise<SendState | null> {
  const { tenantId } = reader
  const channel = await reader.channel.findUnique({ where: { tenantId } })
  if (channel === null) return null
  const { pausedAt, pausedCode, pausedDetail } = channel
  const disabled = await reader.disabledTemplate.findMany({
    where: { tenantId },
    orderBy: [{ name: 'asc' }, { language: 'asc' }],
  })
  return {
    paused: pausedAt === null ? null : { since: pausedAt, code: pausedCode ?? 0, detail: pausedDetail ?? '' },
    proactiveStoppedSince: channel.proactiveStoppedAt,
    disabledTemplates: disabled.map(({ name, language, code }) => ({ name, language, code })),
    waiting: await reader.outbox.count({ where: { tenantId, state: 'pending' } }),
  }
}

/**
 * Nothing leaves the channel any more, the queue stays. A send that began before the last
 * {@link resumeSends} says nothing about what was mended since.
 * @returns whether this paused it.
 */
export async function pauseSends(
  tx: Tx,
  input: {
    readonly channelId: string
    readonly error: { readonly code: number; readonly detail: string }
    readonly startedAt: number
    readonly now: number
  },
): Promise<boolean> {
  const { code, detail } = input.error
  const { count } = await tx.channel.updateMany({
    where: { ...sinceResumed(tx, input), pausedAt: null },
    data: { pausedAt: new Date(input.now), pausedCode: code, pausedDetail: detail },
  })
  return count > 0
}

/** No template leaves for a closed window any more. @returns whether this stopped them. */
export async function stopProactiveSends(
  tx: Tx,
  input: { readonly channelId: string; readonly startedAt: number; readonly now: number },
): Promise<boolean> {
  const { count } = await tx.channel.updateMany({
    where: { ...sinceResumed(tx, input), proactiveStoppedAt: null },
    data: { proactiveStoppedAt: new Date(input.now) },
  })
  return count > 0
}

function sinceResumed(tx: Tx, { channelId, startedAt }: { channelId: string; startedAt: number }) {
  return {
    tenantId: tx.tenantId,
    id: channelId,
    OR: [{ resumedAt: null }, { resumedAt: { lte: new Date(startedAt) } }],
  }
}

/**
 * The owner, or a new token, says that all is mended: lifts the pause and the stop, takes the templates into
 * use again, and wakes every conversation that has something to send.
 */
export async function resumeSends(tx: Tx, now: number): Promise<void> {
  const { tenantId } = tx
  await tx.channel.updateMany({
    where: { tenantId },
    data: {
      pausedAt: null,
      pausedCode: null,
      pausedDetail: null,
      proactiveStoppedAt: null,
      resumedAt: new Date(now),
    },
  })
  await tx.disabledTemplate.deleteMany({ where: { tenantId } })
  await tx.outbox.updateMany({
    where: { tenantId, state: 'pending', reservedAt: null },
    data: { nextAttemptAt: null },
  })
  const waiting = await tx.$queryRaw<{ id: string }[]>(sql`
    select distinct conversation_id as id from outbox where tenant_id = ${tenantId}::uuid and state = 'pending'`)
  await enqueueForRows(
    tx,
    drainOutboxJob,
    waiting.map(({ id }) => ({ payload: { tenantId, conversationId: id }, name: drainJobName(id) })),
  )
}
