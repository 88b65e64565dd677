import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useRef } from 'react'
import { useTexts } from '../../../i18n/texts.ts'
import { threadTexts } from '../thread/thread-texts.ts'
import classes from './composer.module.css'
import { useDraft } from './drafts.ts'
import { isSendKey } from './send-key.ts'
import { useSend } from './use-send.ts'

/** A note for the colleagues; it looks like one, so that nobody takes it for a reply. */
export function NoteBox({ conversationId }: { conversationId: string }) {
  const texts = useTexts(threadTexts)
  const { text, set: setText, giveBack } = useDraft(`note:${conversationId}`)
  const field = useRef<HTMLTextAreaElement>(null)
  const send = useSend(conversationId, (refused) => {
    if (refused.kind === 'note') giveBack(refused.text)
  })
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (text.trim() === '') return
    send.mutate({ outgoing: { kind: 'note', text: text.trim() }, key: crypto.randomUUID() })
    setText('')
    field.current?.focus()
  }
  return (
    <form className={classes.row} onSubmit={submit}>
      <Textarea
        ref={field}
        className={`${classes.field} ${classes.note}`}
        aria-label={texts.note}
        placeholder={texts.notePlaceholder}
        autosize
        minRows={1}
        maxRows={7}
        size="md"
        maxLength={4_096}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
          if (!isSendKey(event)) return
          event.preventDefault()
          submit()
        }}
      />
      <Button type="submit" variant="light" size="md" disabled={text.trim() === ''}>
        {texts.saveNote}
      </Button>
    </form>
  )
}
