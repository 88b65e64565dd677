import { ActionIcon, Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconSend2 } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useTexts } from '../../../i18n/texts.ts'
import { threadTexts } from '../thread/thread-texts.ts'
import { CannedMenu } from './canned-menu.tsx'
import classes from './composer.module.css'
import { useDraft } from './drafts.ts'
import { isSendKey } from './send-key.ts'
import { useCannedMenu } from './use-canned-menu.ts'
import { useSend } from './use-send.ts'

const MAX_TEXT = 4_096

/** Free text to the customer; `/` at the start opens the canned replies. */
export function ReplyBox({ conversationId, name }: { conversationId: string; name: string }) {
  const texts = useTexts(threadTexts)
  const { text, set: setText, giveBack } = useDraft(conversationId)
  const [warnedOf, setWarnedOf] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const send = useSend(conversationId, (refused) => {
    if (refused.kind === 'text') giveBack(refused.text)
  })
  const menu = useCannedMenu(conversationId, text, (filled) => {
    setText(filled)
    field.current?.focus()
  })
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (text.trim() === '') return
    // A placeholder that nobody filled in is hardly meant for the customer: the second try sends it.
    if (/\{\{[^{}]*\}\}/.test(text) && warnedOf !== text) {
      setWarnedOf(text)
      return
    }
    send.mutate({ outgoing: { kind: 'text', text: text.trim() }, key: crypto.randomUUID() })
    setText('')
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (menu.onKeyDown(event)) return
    if (event.key === 'Escape') event.currentTarget.blur()
    if (!isSendKey(event)) return
    event.preventDefault()
    submit()
  }
  return (
    <form className={classes.row} onSubmit={submit}>
      {menu.isOpen && <CannedMenu menu={menu} />}
      <Textarea
        ref={field}
        className={classes.field}
        aria-label={texts.replyTo(name)}
        placeholder={isNarrow ? texts.reply : texts.replyPlaceholder}
        autosize
        minRows={1}
        maxRows={8}
        size="md"
        maxLength={MAX_TEXT}
        value={text}
        error={warnedOf === text && text !== '' ? texts.canned.unfilled : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded={menu.isOpen}
        aria-controls={menu.listId}
        aria-autocomplete="list"
        aria-activedescendant={menu.activeId}
      />
      <ActionIcon
        type="submit"
        size={42}
        radius="xl"
        aria-label={texts.send}
        title={texts.send}
        disabled={text.trim() === ''}
      >
        <IconSend2 size={20} />
      </ActionIcon>
    </form>
  )
}
