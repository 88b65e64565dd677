import { Box, Button } from '@mantine/core'
import { IconArrowDown, IconMessage2 } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { MessageDto } from '../../../../contracts/staff-api.ts'
import { useMessages } from '../../../api/conversations.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { LoadingState } from '../../../components/loading-state.tsx'
import { type Format, useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { Bubble } from './bubble.tsx'
import classes from './message-list.module.css'
import { threadTexts } from './thread-texts.ts'

const DAY_MS = 86_400_000

/**
 * The thread, oldest on top. The scroller runs from its bottom (`column-reverse`), so that it opens at the
 * newest message, stays there when one comes in, and does not jump when older ones are read.
 */
export function MessageList({ conversationId }: { conversationId: string }) {
  const texts = useTexts(threadTexts)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useMessages(conversationId)
  const messages = data?.pages.flatMap(({ items }) => items).toReversed()
  const { scroller, hasNewBelow, goDown } = useBottom(messages?.at(-1))
  if (messages === undefined) {
    return (
      <div className={classes.scroller}>
        {error === null ? <LoadingState /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </div>
    )
  }
  if (messages.length === 0) {
    return (
      <div className={classes.scroller}>
        <EmptyState icon={IconMessage2} title={texts.empty} />
      </div>
    )
  }
  return (
    <div className={classes.frame}>
      <Box className={classes.scroller} ref={scroller} tabIndex={0} role="log" aria-label={texts.messages}>
        <div className={classes.inner}>
          {hasNextPage && (
            <Button
              variant="subtle"
              size="compact-sm"
              mx="auto"
              loading={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              {texts.older}
            </Button>
          )}
          <Days conversationId={conversationId} messages={messages} />
        </div>
      </Box>
      {hasNewBelow && (
        <Button
          className={classes.down}
          size="compact-md"
          radius="xl"
          leftSection={<IconArrowDown size={16} />}
          onClick={goDown}
        >
          {texts.newBelow}
        </Button>
      )}
    </div>
  )
}

function Days({ conversationId, messages }: { conversationId: string; messages: readonly MessageDto[] }) {
  const texts = useTexts(threadTexts)
  const format = useFormat()
  return byDay(messages, format).map(([date, items]) => (
    <section key={date} className={classes.day}>
      <h3 className={classes.date}>{dayName(date, items[0]?.createdAt ?? date, format, texts)}</h3>
      {items.map((message, index) => (
        <Bubble
          key={message.id}
          conversationId={conversationId}
          message={message}
          isFirstOfGroup={!isSameHand(items[index - 1], message)}
          isLastOfRun={message.runId !== null && items[index + 1]?.runId !== message.runId}
        />
      ))}
    </section>
  ))
}

function byDay(messages: readonly MessageDto[], format: Format): [string, MessageDto[]][] {
  const days: [string, MessageDto[]][] = []
  for (const message of messages) {
    const date = format.localDate(message.createdAt)
    const last = days.at(-1)
    if (last?.[0] === date) last[1].push(message)
    else days.push([date, [message]])
  }
  return days
}

function dayName(date: string, instant: string, format: Format, texts: (typeof threadTexts)['en']): string {
  if (date === format.localDate(Date.now())) return texts.today
  if (date === format.localDate(Date.now() - DAY_MS)) return texts.yesterday
  return format.longDay(instant)
}

function isSameHand(before: MessageDto | undefined, message: MessageDto): boolean {
  return (
    before !== undefined &&
    before.direction === message.direction &&
    before.author === message.author &&
    before.staff?.id === message.staff?.id
  )
}

const NEAR_PX = 120

/** Whether something new came in below what is being read. */
function useBottom(newest: MessageDto | undefined) {
  const scroller = useRef<HTMLDivElement>(null)
  const [hasNewBelow, setHasNewBelow] = useState(false)
  const newestId = newest?.id
  const isTheirs = newest?.direction === 'in'
  useEffect(() => {
    const box = scroller.current
    if (box === null || newestId === undefined) return
    // Counted from the bottom, so it is 0 there and negative above.
    const isAway = box.scrollTop < -NEAR_PX
    if (isAway && isTheirs) setHasNewBelow(true)
    else box.scrollTop = 0
    const onScroll = () => {
      if (box.scrollTop > -NEAR_PX) setHasNewBelow(false)
    }
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => box.removeEventListener('scroll', onScroll)
  }, [newestId, isTheirs])
  const goDown = () => {
    scroller.current?.scrollTo({ top: 0, behavior: 'smooth' })
    setHasNewBelow(false)
  }
  return { scroller, hasNewBelow, goDown }
}
