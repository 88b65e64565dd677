import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ConversationDto } from '../../../../contracts/staff-api.ts'
import { keys } from '../../../api/keys.ts'
import { notifyDone } from '../../../components/notify.ts'
import { commonTexts } from '../../../i18n/common-texts.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { inboxTexts } from '../inbox-texts.ts'
import { useStep } from './use-steps.ts'

const UNDO_MS = 5_000

interface Pending {
  readonly timer: ReturnType<typeof setTimeout>
  readonly lastMessageAt: string | null
}

/**
 * Resolves with time to think again: the row goes at once, the call leaves after a few seconds, or when the
 * page is left. A message that comes in between keeps the conversation open: resolved, it would be answered
 * by nobody.
 */
export function useResolve(): {
  readonly pendingIds: ReadonlySet<string>
  readonly resolve: (conversation: ConversationDto) => void
} {
  const texts = useTexts(inboxTexts)
  const common = useTexts(commonTexts)
  const client = useQueryClient()
  const step = useStep()
  const pending = useRef(new Map<string, Pending>())
  const [pendingIds, setPendingIds] = useState<ReadonlySet<string>>(new Set())

  const forget = (id: string) => {
    clearTimeout(pending.current.get(id)?.timer)
    pending.current.delete(id)
    setPendingIds(new Set(pending.current.keys()))
    notifications.hide(noticeOf(id))
  }

  const finish = (id: string) => {
    const before = pending.current.get(id)
    if (before === undefined) return
    forget(id)
    const now = client.getQueryData<ConversationDto>(keys.conversation(id))
    if (now !== undefined && now.unread > 0 && now.lastMessageAt !== before.lastMessageAt) {
      notifyDone(texts.resolveHalted)
      return
    }
    step.mutate({ id, step: 'resolve', seenUntil: before.lastMessageAt })
  }

  // Whoever walks on to another page has not taken it back.
  const finishAll = useEffectEvent(() => {
    for (const id of [...pending.current.keys()]) finish(id)
  })
  useEffect(() => {
    const onLeave = () => finishAll()
    window.addEventListener('pagehide', onLeave)
    return () => {
      window.removeEventListener('pagehide', onLeave)
      onLeave()
    }
  }, [])

  const resolve = (conversation: ConversationDto) => {
    const { id, customer, lastMessageAt } = conversation
    if (pending.current.has(id)) return
    const timer = setTimeout(() => finish(id), UNDO_MS)
    pending.current.set(id, { timer, lastMessageAt })
    setPendingIds(new Set(pending.current.keys()))
    notifications.show({
      id: noticeOf(id),
      autoClose: false,
      withBorder: true,
      color: 'brand',
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{texts.resolved(customer.name ?? texts.unnamed)}</Text>
          <Button size="compact-sm" variant="light" onClick={() => forget(id)}>
            {common.undo}
          </Button>
        </Group>
      ),
      onClose: () => finish(id),
    })
  }
  return { pendingIds, resolve }
}

function noticeOf(id: string): string {
  return `resolve-${id}`
}
