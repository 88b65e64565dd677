import { Button, Text } from '@mantine/core'
import { IconHandStop, IconLock, IconMessage } from '@tabler/icons-react'
import { type Ref, useImperativeHandle, useRef, useState } from 'react'
import type { ConversationDto } from '../../../../contracts/staff-api.ts'
import { useMe } from '../../../auth/session.ts'
import { shortDuration } from '../../../i18n/duration.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { useNow } from '../../../i18n/use-now.ts'
import { inboxTexts } from '../inbox-texts.ts'
import { threadTexts } from '../thread/thread-texts.ts'
import classes from './composer.module.css'
import { NoteBox } from './note-box.tsx'
import { ReplyBox } from './reply-box.tsx'
import { TemplateForm } from './template-form.tsx'

export type ComposerMode = 'reply' | 'note'

export interface ComposerHandle {
  focus(mode: ComposerMode): void
}

export interface ComposerProps {
  readonly ref: Ref<ComposerHandle>
  readonly conversation: ConversationDto
  readonly name: string
  readonly onClaim: () => void
  readonly isClaiming: boolean
}

/** Less than this is worth a warning. */
const SHORT_WINDOW_MS = 3 * 3_600_000

/**
 * Where one writes: to the customer when the conversation is one's own and the window is open, by template
 * when it is closed, and to the colleagues at any time.
 */
export function Composer({ ref, conversation, name, onClaim, isClaiming }: ComposerProps) {
  const texts = useTexts(threadTexts)
  const [mode, setMode] = useState<ComposerMode>('reply')
  const box = useRef<HTMLDivElement>(null)
  useImperativeHandle(ref, () => ({
    focus: (wanted) => {
      setMode(wanted)
      // The box of the other mode is there only after this state has been drawn.
      requestAnimationFrame(() =>
        box.current?.querySelector<HTMLElement>('textarea, input, button.claim')?.focus(),
      )
    },
  }))
  return (
    <div className={classes.composer} data-mode={mode} ref={box}>
      <div className={classes.modes} role="tablist" aria-label={texts.reply}>
        <ModeTab mode="reply" current={mode} onChoose={setMode} />
        <ModeTab mode="note" current={mode} onChoose={setMode} />
        <WindowLeft conversation={conversation} />
      </div>
      <div role="tabpanel" id="composer-panel" aria-labelledby={`composer-${mode}`}>
        {mode === 'note' ? (
          <NoteBox conversationId={conversation.id} />
        ) : (
          <ReplyMode conversation={conversation} name={name} onClaim={onClaim} isClaiming={isClaiming} />
        )}
      </div>
    </div>
  )
}

function ModeTab({
  mode,
  current,
  onChoose,
}: {
  mode: ComposerMode
  current: ComposerMode
  onChoose: (mode: ComposerMode) => void
}) {
  const texts = useTexts(threadTexts)
  const isCurrent = mode === current
  const Icon = mode === 'reply' ? IconMessage : IconLock
  return (
    <button
      type="button"
      role="tab"
      id={`composer-${mode}`}
      aria-selected={isCurrent}
      aria-controls="composer-panel"
      className={classes.mode}
      onClick={() => onChoose(mode)}
    >
      <Icon size={15} aria-hidden />
      {mode === 'reply' ? texts.reply : texts.note}
    </button>
  )
}

function WindowLeft({ conversation }: { conversation: ConversationDto }) {
  const texts = useTexts(threadTexts)
  const left = useWindowLeft(conversation)
  if (left <= 0 || conversation.status !== 'assigned') return null
  return (
    <span className={classes.window} data-short={left <= SHORT_WINDOW_MS}>
      {texts.window.left(shortDuration(left))}
    </span>
  )
}

function ReplyMode({
  conversation,
  name,
  onClaim,
  isClaiming,
}: Pick<ComposerProps, 'conversation' | 'name' | 'onClaim' | 'isClaiming'>) {
  const { staff } = useMe()
  const left = useWindowLeft(conversation)
  if (conversation.assignee?.id !== staff.id) {
    return <ClaimFirst conversation={conversation} onClaim={onClaim} isClaiming={isClaiming} />
  }
  if (left <= 0) return <TemplateForm conversationId={conversation.id} />
  return <ReplyBox conversationId={conversation.id} name={name} />
}

function ClaimFirst({
  conversation,
  onClaim,
  isClaiming,
}: Pick<ComposerProps, 'conversation' | 'onClaim' | 'isClaiming'>) {
  const texts = useTexts(threadTexts)
  const inbox = useTexts(inboxTexts)
  const { status, assignee } = conversation
  const why =
    status === 'assigned'
      ? assignee === null
        ? texts.claimToReply.phone
        : texts.claimToReply.assigned(assignee.name)
      : texts.claimToReply[status]
  return (
    <div className={classes.claim}>
      <Text size="sm" c="dimmed">
        {why}
      </Text>
      <Button
        className="claim"
        variant={status === 'queued' ? 'filled' : 'light'}
        leftSection={<IconHandStop size={17} aria-hidden />}
        loading={isClaiming}
        onClick={onClaim}
      >
        {status === 'closed' ? inbox.reopen : inbox.claim}
      </Button>
    </div>
  )
}

/** Milliseconds for which free text is still allowed; 0 or less when it is not. */
function useWindowLeft({ windowClosesAt }: ConversationDto): number {
  const now = useNow(15_000)
  return windowClosesAt === null ? 0 : Date.parse(windowClosesAt) - now
}
