import { useDocumentVisibility } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { type ConversationDto, conversationDtoSchema } from '../../../../contracts/staff-api.ts'
import { call } from '../../../api/client.ts'
import { useConversation } from '../../../api/conversations.ts'
import { usePresence } from '../../../api/presence.ts'
import { useMe } from '../../../auth/session.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { LoadingState } from '../../../components/loading-state.tsx'
import { formatPhone } from '../../../components/phone-number.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { putConversation } from '../../../live/apply-event.ts'
import { Composer, type ComposerHandle, type ComposerMode } from '../composer/composer.tsx'
import { inboxTexts } from '../inbox-texts.ts'
import { allowedSteps } from '../steps/allowed-steps.ts'
import type { Step } from '../steps/use-steps.ts'
import { HandoffBanner } from './handoff-banner.tsx'
import { MessageList } from './message-list.tsx'
import classes from './thread.module.css'
import { ThreadHeader } from './thread-header.tsx'
import { threadTexts } from './thread-texts.ts'

/** What the inbox's keys reach into. */
export interface ThreadHandle {
  claim(): void
  resolve(): void
  focusComposer(mode: ComposerMode): void
}

export interface ThreadProps {
  readonly conversationId: string
  readonly ref: Ref<ThreadHandle>
  readonly onBack: () => void
  readonly onStep: (step: Step, conversation: ConversationDto) => void
  readonly isStepping: boolean
  /** Opens the customer's panel; undefined where it stands beside the thread. */
  readonly onPanel: (() => void) | undefined
}

export function Thread({ conversationId, ref, onBack, onStep, isStepping, onPanel }: ThreadProps) {
  const texts = useTexts(inboxTexts)
  const words = useTexts(threadTexts)
  const { staff } = useMe()
  const { data: conversation, error, refetch } = useConversation(conversationId)
  const composer = useRef<ComposerHandle>(null)
  usePresence(conversationId)
  useReadWhenSeen(conversation)
  const take = (wanted: readonly Step[]) => {
    if (conversation === undefined || isStepping) return
    const step = allowedSteps(conversation, staff).find((allowed) => wanted.includes(allowed))
    if (step !== undefined) onStep(step, conversation)
  }
  useImperativeHandle(ref, () => ({
    claim: () => {
      // A key that is pressed a moment too late takes nothing from a colleague: that is the button's to do.
      if (conversation?.status === 'assigned' && conversation.assignee !== null) return
      take(['claim', 'take-over'])
    },
    resolve: () => take(['resolve']),
    focusComposer: (mode) => composer.current?.focus(mode),
  }))
  if (conversation === undefined) {
    return error === null ? <LoadingState /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const name = conversation.customer.name ?? (formatPhone(conversation.customer.phone) || texts.unnamed)
  return (
    <section className={classes.thread} aria-label={words.thread(name)}>
      <ThreadHeader
        conversation={conversation}
        name={name}
        onBack={onBack}
        onStep={(step) => onStep(step, conversation)}
        isStepping={isStepping}
        onPanel={onPanel}
      />
      {conversation.handoff !== null && conversation.status !== 'closed' && (
        <HandoffBanner handoff={conversation.handoff} />
      )}
      <MessageList conversationId={conversationId} />
      <Composer
        ref={composer}
        conversation={conversation}
        name={name}
        onClaim={() => take(['claim', 'take-over'])}
        isClaiming={isStepping}
      />
    </section>
  )
}

/** What the one who has the conversation looks at is read; a glance of somebody else's is not. */
function useReadWhenSeen(conversation: ConversationDto | undefined): void {
  const client = useQueryClient()
  const { staff } = useMe()
  const isVisible = useDocumentVisibility() === 'visible'
  const id = conversation?.id
  const isMine = conversation?.assignee?.id === staff.id
  const unread = conversation?.unread ?? 0
  useEffect(() => {
    if (id === undefined || !isMine || !isVisible || unread === 0) return
    const markRead = async () => {
      const read = await call(conversationDtoSchema, `/v1/conversations/${id}/read`, { method: 'POST' })
      putConversation(client, read, staff.id)
    }
    // The counter stays as it is when this fails, and the next message tries again.
    markRead().catch(() => {})
  }, [client, id, isMine, isVisible, unread, staff.id])
}
