import { z } from 'zod'
import { getAppointments } from '../booking/list-appointments.ts'
import type { LiveEventData, LiveEventName } from '../contracts/dashboard-api.ts'
import type { AppointmentDto } from '../contracts/staff-api.ts'
import {
  type ConversationView,
  getConversations,
  toConversationDto,
} from '../conversations/conversation-view.ts'
import { getMessages, type MessageView, toMessageDto } from '../conversations/message-view.ts'
import { type LiveEventModel, type Reader, sql, type TenantStore } from '../db/index.ts'
import { loadTenantProfile } from '../tenancy/tenant-profile.ts'

/** One event, ready to be told. */
export type LiveEvent = {
  [Name in LiveEventName]: { readonly id: bigint; readonly name: Name; readonly data: LiveEventData<Name> }
}[LiveEventName]

/** Where a stream begins. */
export interface LivePosition {
  /** Everything up to this id is known to the client. */
  readonly after: bigint
  /** The client missed what is not kept any more. */
  readonly mustReload: boolean
}

const kindSchema = z.enum([
  'conversation.updated',
  'message.created',
  'message.updated',
  'appointment.updated',
])

/**
 * Where the stream of a client begins that knows everything up to `lastEventId`; with null, the newest event.
 */
export async function findPosition(reader: Reader, lastEventId: string | null): Promise<LivePosition> {
  const { tenantId } = reader
  const counter = await reader.liveCounter.findUnique({ where: { tenantId } })
  const newest = counter?.lastId ?? 0n
  if (lastEventId === null) return { after: newest, mustReload: false }
  const known = /^\d{1,18}$/.test(lastEventId) ? BigInt(lastEventId) : null
  if (known === newest) return { after: newest, mustReload: false }
  const oldest = await reader.liveEvent.findFirst({
    where: { tenantId },
    orderBy: { id: 'asc' },
    select: { id: true },
  })
  const isKept = known !== null && known < newest && oldest !== null && known >= oldest.id - 1n
  return isKept ? { after: known, mustReload: false } : { after: newest, mustReload: true }
}

/**
 * The next events after `after`, in their order, each with its row as it is now.
 * @returns `last` is the id up to which the events were read, also where a row is gone and nothing is told.
 */
export async function readLiveEvents(
  reader: Reader,
  { after, limit, now }: { readonly after: bigint; readonly limit: number; readonly now: number },
): Promise<{ readonly events: readonly LiveEvent[]; readonly last: bigint }> {
  const rows = await reader.liveEvent.findMany({
    where: { tenantId: reader.tenantId, id: { gt: after } },
    orderBy: { id: 'asc' },
    take: limit,
  })
  const last = rows.at(-1)?.id
  if (last === undefined) return { events: [], last: after }
  const { timeZone } = await loadTenantProfile(reader)
  const subjects = await readSubjects(reader, rows)
  return { events: rows.flatMap((row) => describe(row, subjects, timeZone, now) ?? []), last }
}

/** Events are kept for an hour by the clock of the database, which gave them their time. */
export async function forgetOldEvents(store: TenantStore): Promise<void> {
  await store.unsafeTransact('old events of every tenant are forgotten', (tx) =>
    tx.$executeRaw(sql`delete from live_events where created_at < now() - interval '1 hour'`),
  )
}

interface Subjects {
  readonly conversations: ReadonlyMap<string, ConversationView>
  readonly messages: ReadonlyMap<string, MessageView>
  readonly appointments: ReadonlyMap<string, AppointmentDto>
}

async function readSubjects(reader: Reader, rows: readonly LiveEventModel[]): Promise<Subjects> {
  const ids = (...kinds: readonly string[]) => [
    ...new Set(rows.filter(({ kind }) => kinds.includes(kind)).map(({ subjectId }) => subjectId)),
  ]
  const conversations = await getConversations(reader, ids('conversation.updated'))
  const messages = await getMessages(reader, ids('message.created', 'message.updated'))
  return {
    conversations: new Map(conversations.map((conversation) => [conversation.id, conversation])),
    messages: new Map(messages.map((message) => [message.id, message])),
    appointments: await getAppointments(reader, ids('appointment.updated')),
  }
}

function describe(
  { id, kind, subjectId }: LiveEventModel,
  { conversations, messages, appointments }: Subjects,
  timeZone: string,
  now: number,
): LiveEvent | null {
  const name = kindSchema.parse(kind)
  if (name === 'conversation.updated') {
    const view = conversations.get(subjectId)
    if (view === undefined) return null
    const conversation = toConversationDto(view, timeZone, now)
    return { id, name, data: { conversationId: subjectId, conversation } }
  }
  if (name === 'appointment.updated') {
    const appointment = appointments.get(subjectId)
    return appointment === undefined ? null : { id, name, data: { appointment } }
  }
  const message = messages.get(subjectId)
  if (message === undefined) return null
  return {
    id,
    name,
    data: { conversationId: message.conversationId, message: toMessageDto(message, timeZone) },
  }
}
