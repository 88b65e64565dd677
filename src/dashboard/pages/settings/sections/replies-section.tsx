import { ActionIcon, Button, Code, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconMessage2, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { CannedReplyDto } from '../../../../contracts/dashboard-api.ts'
import { useCannedReplies, useDeleteReply, useSaveReply } from '../../../api/edit-canned-replies.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { LoadingState } from '../../../components/loading-state.tsx'
import { notifyFailure } from '../../../components/notify.ts'
import { commonTexts } from '../../../i18n/common-texts.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { peopleTexts } from '../people-texts.ts'
import classes from '../settings.module.css'
import { ReplyDialog } from './reply-dialog.tsx'

const UNDO_MS = 8_000

/** Texts that the staff write often. */
export function RepliesSection() {
  const { replies: texts } = useTexts(peopleTexts)
  const { data: replies, error, refetch } = useCannedReplies()
  const [edited, setEdited] = useState<CannedReplyDto | 'new' | null>(null)
  const remove = useRemoveReply()
  if (replies === undefined) {
    return error === null ? <LoadingState /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return (
    <>
      <p className={classes.lead}>{texts.lead}</p>
      {replies.length === 0 && <EmptyState icon={IconMessage2} title={texts.none} hint={texts.noneHint} />}
      <ul className={classes.cards}>
        {replies.map((reply) => (
          <li key={reply.id} className={`${classes.card} ${classes.reply}`} data-reply={reply.shortcut}>
            <Code fz="sm">/{reply.shortcut}</Code>
            <span className={classes.replyText}>{reply.text}</span>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={texts.edit(reply.shortcut)}
              onClick={() => setEdited(reply)}
            >
              <IconPencil size={18} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="red.8"
              size="lg"
              aria-label={texts.remove(reply.shortcut)}
              onClick={() => remove(reply)}
            >
              <IconTrash size={18} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <Button variant="light" leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
        {texts.add}
      </Button>
      {edited !== null && (
        <ReplyDialog reply={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  )
}

/** Deletes at once; to undo is to write it anew, for nothing refers to a canned reply. */
function useRemoveReply(): (reply: CannedReplyDto) => void {
  const all = useTexts(peopleTexts)
  const texts = all.replies
  const common = useTexts(commonTexts)
  const remove = useDeleteReply()
  const restore = useSaveReply()
  const onError = (error: Error) => notifyFailure(texts.failed, error, all.problem)
  return ({ id, shortcut, text }) => {
    const noticeId = `reply-${id}`
    const undo = () => {
      notifications.hide(noticeId)
      restore.mutate({ id: null, reply: { shortcut, text } }, { onError })
    }
    const onSuccess = () =>
      notifications.show({
        id: noticeId,
        autoClose: UNDO_MS,
        withBorder: true,
        color: 'brand',
        message: (
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm">{texts.removed(shortcut)}</Text>
            <Button size="compact-sm" variant="light" onClick={undo}>
              {common.undo}
            </Button>
          </Group>
        ),
      })
    remove.mutate(id, { onError, onSuccess })
  }
}
