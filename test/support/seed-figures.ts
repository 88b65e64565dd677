import type { TenantStore } from '../../src/db/index.ts'
import { newId } from '../../src/shared/ids.ts'

export interface SeededRun {
  readonly at: Date
  readonly costMicroUsd: bigint
}

export interface SeededHandoff {
  readonly at: Date
  readonly reason: string
  /** Seconds after `at`; left out, it has not happened. */
  readonly firstReplyAfter?: number
  readonly endedAfter?: number
}

/** A closed conversation of its own customer, with what happened in it written as the past would have left it. */
export async function seedConversation(
  store: TenantStore,
  tenantId: string,
  history: {
    readonly name: string
    readonly runs?: readonly SeededRun[]
    readonly handoffs?: readonly SeededHandoff[]
  },
): Promise<string> {
  const id = newId()
  await store.transact(tenantId, async (tx) => {
    const channel = await tx.channel.findFirstOrThrow({ where: { tenantId } })
    const customer = await tx.customer.create({ data: { tenantId, id: newId(), name: history.name } })
    await tx.conversation.create({
      data: {
        tenantId,
        id,
        channelId: channel.id,
        customerId: customer.id,
        status: 'closed',
        addressKind: 'phone',
        address: '5511900000000',
      },
    })
    for (const { at, costMicroUsd } of history.runs ?? []) {
      await tx.run.create({
        data: {
          tenantId,
          id: newId(),
          conversationId: id,
          ownerEpoch: 1,
          status: 'completed',
          stopReason: 'end_turn',
          model: 'seeded',
          uptoSeq: 1n,
          opening: [],
          costMicroUsd,
          startedAt: at,
          finishedAt: at,
        },
      })
    }
    for (const { at, reason, firstReplyAfter, endedAfter } of history.handoffs ?? []) {
      const after = (seconds: number | undefined) =>
        seconds === undefined ? null : new Date(at.getTime() + seconds * 1_000)
      await tx.handoff.create({
        data: {
          tenantId,
          id: newId(),
          conversationId: id,
          reason,
          summary: 'seeded',
          requestedAt: at,
          firstReplyAt: after(firstReplyAfter),
          endedAt: after(endedAfter),
          outcome: endedAfter === undefined ? null : 'resolved',
        },
      })
    }
  })
  return id
}
