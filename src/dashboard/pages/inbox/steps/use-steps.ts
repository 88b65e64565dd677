import { useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { type ConversationDto, conversationDtoSchema, namedSchema } from '../../../../contracts/staff-api.ts'
import { ApiError, call } from '../../../api/client.ts'
import { keys } from '../../../api/keys.ts'
import { useMe } from '../../../auth/session.ts'
import { notifyFailure } from '../../../components/notify.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { putConversation } from '../../../live/apply-event.ts'
import { inboxTexts } from '../inbox-texts.ts'

/** A step that changes who owns a conversation; the last part of its address. */
export type Step = 'claim' | 'take-over' | 'release' | 'return-to-bot' | 'resolve'

interface StepInput {
  readonly id: string
  readonly step: Step
  /** For `resolve`: the conversation's `lastMessageAt` when it was decided. */
  readonly seenUntil?: string | null
}

const claimedBody = z.object({ assignee: namedSchema })

/** Takes a step, and puts the conversation where it belongs as soon as the server says so. */
export function useStep(onDone: (step: Step, conversation: ConversationDto) => void = () => {}) {
  const client = useQueryClient()
  const { staff } = useMe()
  const texts = useTexts(inboxTexts)
  return useMutation({
    mutationFn: ({ id, step, seenUntil }: StepInput) => takeStep(id, step, seenUntil),
    onSuccess: (conversation, { step }) => {
      putConversation(client, conversation, staff.id)
      onDone(step, conversation)
    },
    onError: (error, { id }) => {
      notifyFailure(texts.stepFailed, error, (code) => {
        if (code === 'wrong_state') return texts.wrongState
        if (code === 'new_message') return texts.resolveHalted
        const claimed = error instanceof ApiError ? claimedBody.safeParse(error.body) : null
        return claimed?.success ? texts.alreadyClaimed(claimed.data.assignee.name) : undefined
      })
      void client.invalidateQueries({ queryKey: keys.conversation(id) })
      void client.invalidateQueries({ queryKey: keys.conversations })
    },
  })
}

export function takeStep(id: string, step: Step, seenUntil?: string | null): Promise<ConversationDto> {
  return call(conversationDtoSchema, `/v1/conversations/${id}/${step}`, {
    method: 'POST',
    ...(seenUntil == null ? {} : { body: { seenUntil } }),
  })
}
