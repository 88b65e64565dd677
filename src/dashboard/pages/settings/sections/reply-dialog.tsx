import { Button, Group, Input, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { CANNED_PLACEHOLDERS, type CannedReplyDto } from '../../../../contracts/dashboard-api.ts'
import { ApiError } from '../../../api/client.ts'
import { useSaveReply } from '../../../api/edit-canned-replies.ts'
import { notifyDone, notifyFailure } from '../../../components/notify.ts'
import { commonTexts } from '../../../i18n/common-texts.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { peopleTexts } from '../people-texts.ts'

/** As the API bounds them. */
const SHORTCUT = /^[a-z0-9_-]{1,40}$/
const MOST_TEXT = 4_096

/** Which field a refusal is about. */
const FIELD_OF = { shortcut_taken: 'shortcut', unknown_placeholder: 'text' } as const

interface Faults {
  readonly shortcut?: string
  readonly text?: string
}

/** Writes a canned reply, with what can be filled in a click away. */
export function ReplyDialog({ reply, onClose }: { reply: CannedReplyDto | null; onClose: () => void }) {
  const { replies: texts } = useTexts(peopleTexts)
  const common = useTexts(commonTexts)
  const { shortcut, setShortcut, text, setText, faults, submit, isBusy } = useReplyForm(reply, onClose)
  const area = useRef<HTMLTextAreaElement>(null)
  const insert = (word: string) => {
    const { selectionStart: from = text.length, selectionEnd: to = text.length } = area.current ?? {}
    setText(`${text.slice(0, from)}{{${word}}}${text.slice(to)}`)
    area.current?.focus()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={reply === null ? texts.newTitle : texts.editTitle(reply.shortcut)}
      size="lg"
      centered
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={texts.shortcut}
            description={texts.shortcutHint}
            leftSection="/"
            autoCapitalize="none"
            autoComplete="off"
            data-autofocus
            value={shortcut}
            error={faults.shortcut}
            onChange={(event) => setShortcut(event.currentTarget.value.toLowerCase())}
          />
          <Textarea
            ref={area}
            label={texts.text}
            autosize
            minRows={4}
            maxRows={12}
            value={text}
            error={faults.text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Input.Wrapper label={texts.placeholders} labelElement="div">
            <Group gap={6} mt={4}>
              {CANNED_PLACEHOLDERS.map((word) => (
                <Button key={word} size="compact-xs" variant="default" onClick={() => insert(word)}>
                  {texts.placeholder[word]}
                </Button>
              ))}
            </Group>
          </Input.Wrapper>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={isBusy}>
              {common.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function useReplyForm(reply: CannedReplyDto | null, onClose: () => void) {
  const all = useTexts(peopleTexts)
  const texts = all.replies
  const save = useSaveReply()
  const [shortcut, setShortcut] = useState(reply?.shortcut ?? '')
  const [text, setText] = useState(reply?.text ?? '')
  const [faults, setFaults] = useState<Faults>({})
  const onError = (error: Error) => {
    const message = error instanceof ApiError ? all.problem(error.code) : undefined
    if (error instanceof ApiError && isFieldFault(error.code) && message !== undefined) {
      setFaults({ [FIELD_OF[error.code]]: message })
    } else {
      notifyFailure(texts.failed, error, all.problem)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = {
      ...(SHORTCUT.test(shortcut) ? {} : { shortcut: texts.shortcutInvalid }),
      ...(text.trim() !== '' && text.length <= MOST_TEXT ? {} : { text: texts.textInvalid }),
    }
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const onSuccess = () => {
      notifyDone(texts.saved(shortcut))
      onClose()
    }
    save.mutate({ id: reply?.id ?? null, reply: { shortcut, text } }, { onError, onSuccess })
  }
  return { shortcut, setShortcut, text, setText, faults, submit, isBusy: save.isPending }
}

function isFieldFault(code: string): code is keyof typeof FIELD_OF {
  return Object.hasOwn(FIELD_OF, code)
}
