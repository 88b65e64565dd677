import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type MessageDto, messageDtoSchema } from '../../../../contracts/staff-api.ts'
import { ApiError, call } from '../../../api/client.ts'
import { keys } from '../../../api/keys.ts'
import { useMe } from '../../../auth/session.ts'
import { notifyFailure } from '../../../components/notify.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { mapItems, type Pages, putMessage } from '../../../live/apply-event.ts'
import { threadTexts } from '../thread/thread-texts.ts'

export interface Template {
  readonly name: string
  readonly language: string
  readonly components?: readonly Readonly<Record<string, unknown>>[]
}

export type Outgoing =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'template'; readonly template: Template }

/**
 * Sends, and shows the message before the server has it. What the server answers, or an event that comes
 * first, takes the place of the stand-in; when it refuses, the stand-in goes and `onRefused` gets the text
 * back. One key for each message, so that a second try never sends twice.
 */
export function useSend(conversationId: string, onRefused: (outgoing: Outgoing) => void) {
  const client = useQueryClient()
  const { staff } = useMe()
  const texts = useTexts(threadTexts)
  const key = keys.messages(conversationId)
  const drop = (id: string) =>
    client.setQueryData<Pages<MessageDto>>(key, (pages) =>
      pages === undefined ? pages : mapItems(pages, (items) => items.filter((item) => item.id !== id)),
    )
  return useMutation({
    // One after another: what was written first arrives first, also when its first try was lost.
    scope: { id: `write:${conversationId}` },
    mutationFn: ({ outgoing, key: idempotencyKey }: { outgoing: Outgoing; key: string }) =>
      post(conversationId, outgoing, idempotencyKey),
    retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status === 0,
    onMutate: async ({ outgoing, key: localId }) => {
      await client.cancelQueries({ queryKey: key })
      putMessage(client, conversationId, standIn(localId, outgoing, staff))
    },
    onSuccess: (message, { key: localId }) => {
      drop(localId)
      putMessage(client, conversationId, message)
    },
    onError: (error, { outgoing, key: localId }) => {
      drop(localId)
      onRefused(outgoing)
      void client.invalidateQueries({ queryKey: keys.conversation(conversationId) })
      notifyFailure(texts.sendFailed, error, (code) => {
        if (code === 'window_closed') return texts.windowClosedNow
        return code === 'not_assigned' ? texts.notAssigned : undefined
      })
    },
  })
}

function post(conversationId: string, outgoing: Outgoing, idempotencyKey: string): Promise<MessageDto> {
  const path = `/v1/conversations/${conversationId}`
  const headers = { 'idempotency-key': idempotencyKey }
  if (outgoing.kind === 'note') {
    return call(messageDtoSchema, `${path}/notes`, { method: 'POST', headers, body: { text: outgoing.text } })
  }
  return call(messageDtoSchema, `${path}/messages`, {
    method: 'POST',
    headers,
    body: outgoing.kind === 'text' ? { text: outgoing.text } : { template: outgoing.template },
  })
}

function standIn(id: string, outgoing: Outgoing, staff: { id: string; name: string }): MessageDto {
  return {
    id,
    direction: outgoing.kind === 'note' ? 'note' : 'out',
    author: 'staff',
    type: outgoing.kind === 'template' ? 'template' : 'text',
    text: outgoing.kind === 'template' ? outgoing.template.name : outgoing.text,
    status: 'pending',
    error: null,
    sentAt: null,
    createdAt: new Date().toISOString(),
    deliveredAt: null,
    readAt: null,
    editedAt: null,
    revokedAt: null,
    staff: { id: staff.id, name: staff.name },
    runId: null,
    media: null,
    choices: [],
    quoted: null,
    forwarded: false,
    referral: null,
    reactions: [],
    location: null,
    contacts: [],
    order: null,
  }
}
