import { Drawer } from '@mantine/core'
import { useDebouncedValue, useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconMessageCircle } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { ConversationDto } from '../../../contracts/staff-api.ts'
import { useConversationCounts, useConversations } from '../../api/conversations.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { notifyDone } from '../../components/notify.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/texts.ts'
import classes from './inbox-page.module.css'
import { inboxTexts } from './inbox-texts.ts'
import { HelpDialog } from './keyboard/help-dialog.tsx'
import { useInboxKeys } from './keyboard/use-inbox-keys.ts'
import { ConversationList } from './list/conversation-list.tsx'
import { CustomerPanel } from './panel/customer-panel.tsx'
import { useResolve } from './steps/use-resolve.tsx'
import { type Step, useStep } from './steps/use-steps.ts'
import { Thread, type ThreadHandle } from './thread/thread.tsx'
import { filterOf, readView, type View } from './views.ts'

export interface InboxPageProps {
  readonly view: string | undefined
  readonly conversationId: string | undefined
}

/** List, thread and customer side by side; on smaller screens one leads to the next. */
export function InboxPage(props: InboxPageProps) {
  const texts = useTexts(inboxTexts)
  const common = useTexts(commonTexts)
  const view = readView(props.view)
  const id = props.conversationId
  const [, navigate] = useLocation()
  const { pendingIds, resolve } = useResolve()
  const list = useInboxList(view, pendingIds)
  const [isHelpOpen, help] = useDisclosure(false)
  const [isPanelOpen, panel] = useDisclosure(false)
  const hasRoomForPanel = useMediaQuery('(min-width: 1240px)', true, { getInitialValueInEffect: false })
  const thread = useRef<ThreadHandle>(null)

  const open = (next: string | undefined) =>
    navigate(next === undefined ? `/inbox/${view}` : `/inbox/${view}/${next}`)
  const step = useStep((taken, conversation) => {
    if (taken === 'claim' || taken === 'take-over') navigate(`/inbox/mine/${conversation.id}`)
    if (taken === 'return-to-bot') notifyDone(texts.returned)
    if (taken === 'release') notifyDone(texts.released)
  })
  const takeStep = (taken: Step, conversation: ConversationDto) => {
    if (taken !== 'resolve') return step.mutate({ id: conversation.id, step: taken })
    open(neighbour(list.items, conversation.id, 1) ?? neighbour(list.items, conversation.id, -1))
    resolve(conversation)
  }
  useInboxKeys({
    j: () => open(neighbour(list.items, id, 1) ?? id),
    k: () => open(neighbour(list.items, id, -1) ?? id),
    c: () => thread.current?.claim(),
    r: () => thread.current?.focusComposer('reply'),
    n: () => thread.current?.focusComposer('note'),
    e: () => thread.current?.resolve(),
    '/': () => list.searchBox.current?.focus(),
    '?': help.open,
  })
  return (
    <div className={classes.inbox} data-open={id !== undefined || undefined}>
      <div className={classes.list}>
        <ConversationList view={view} selectedId={id} onHelp={help.open} {...list} />
      </div>
      <div className={classes.thread}>
        {id === undefined ? (
          <EmptyState icon={IconMessageCircle} title={texts.noThread} hint={texts.noThreadHint} />
        ) : (
          <Thread
            key={id}
            ref={thread}
            conversationId={id}
            onBack={() => open(undefined)}
            onStep={takeStep}
            isStepping={step.isPending}
            onPanel={hasRoomForPanel ? undefined : panel.open}
          />
        )}
      </div>
      {id !== undefined && hasRoomForPanel && (
        <aside className={classes.panel} aria-label={texts.customerPanel}>
          <CustomerPanel key={id} conversationId={id} />
        </aside>
      )}
      {id !== undefined && !hasRoomForPanel && (
        <Drawer
          opened={isPanelOpen}
          onClose={panel.close}
          position="right"
          title={texts.customerPanel}
          closeButtonProps={{ 'aria-label': common.close }}
          padding={0}
          styles={{ header: { padding: '8px 16px' } }}
        >
          <CustomerPanel key={id} conversationId={id} />
        </Drawer>
      )}
      <HelpDialog isOpen={isHelpOpen} onClose={help.close} />
    </div>
  )
}

const SEARCH_PAUSE_MS = 250

function useInboxList(view: View, pendingIds: ReadonlySet<string>) {
  const [search, setSearch] = useState('')
  const searchBox = useRef<HTMLInputElement>(null)
  const [settled] = useDebouncedValue(search.trim(), SEARCH_PAUSE_MS)
  const list = useConversations(filterOf(view, search.trim() === '' ? '' : settled))
  const { data: counts } = useConversationCounts()
  const shown = (pages: typeof list.data) =>
    pages?.pages.flatMap(({ items }) => items).filter((item) => !pendingIds.has(item.id))
  return {
    search,
    onSearch: setSearch,
    searchBox,
    items: shown(list.data),
    error: list.error,
    onRetry: () => void list.refetch(),
    hasMore: list.hasNextPage,
    onMore: () => void list.fetchNextPage(),
    isLoadingMore: list.isFetchingNextPage,
    counts: {
      queue: counts?.queued.conversations ?? 0,
      // What is being resolved is gone from the list, and still with the server for as long as it can be undone.
      mine: Math.max(0, (counts?.mine.conversations ?? 0) - pendingIds.size),
    },
  }
}

function neighbour(
  items: readonly ConversationDto[] | undefined,
  id: string | undefined,
  step: 1 | -1,
): string | undefined {
  if (items === undefined) return undefined
  const at = items.findIndex((item) => item.id === id)
  if (at < 0) return items[step === 1 ? 0 : items.length - 1]?.id
  return items[at + step]?.id
}
