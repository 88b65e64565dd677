import { ActionIcon, Button, Skeleton, TextInput } from '@mantine/core'
import { IconKeyboard, IconMoodSearch, IconSearch, IconX } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { Link } from 'wouter'
import type { ConversationDto } from '../../../../contracts/staff-api.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { commonTexts } from '../../../i18n/common-texts.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { inboxTexts } from '../inbox-texts.ts'
import { VIEWS, type View } from '../views.ts'
import classes from './conversation-list.module.css'
import { ConversationRow } from './conversation-row.tsx'
import { VIEW_ICONS } from './view-icons.ts'

export interface ConversationListProps {
  readonly view: View
  readonly selectedId: string | undefined
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly searchBox: RefObject<HTMLInputElement | null>
  readonly items: readonly ConversationDto[] | undefined
  readonly error: Error | null
  readonly onRetry: () => void
  readonly hasMore: boolean
  readonly onMore: () => void
  readonly isLoadingMore: boolean
  readonly counts: Partial<Record<View, number>>
  readonly onHelp: () => void
}

/** The tabs, the search, and the rows. */
export function ConversationList(props: ConversationListProps) {
  const texts = useTexts(inboxTexts)
  const common = useTexts(commonTexts)
  const { view, search, onSearch, counts } = props
  return (
    <section className={classes.list} aria-label={texts.listLabel}>
      <header className={classes.head}>
        <div className={classes.title}>
          <h1>{common.inbox}</h1>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={texts.help}
            title={`${texts.help} (?)`}
            onClick={props.onHelp}
            visibleFrom="md"
          >
            <IconKeyboard size={20} stroke={1.6} />
          </ActionIcon>
        </div>
        <TextInput
          ref={props.searchBox}
          type="search"
          radius="xl"
          aria-label={texts.search}
          placeholder={texts.search}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={
            search !== '' && (
              <ActionIcon
                variant="subtle"
                color="gray"
                radius="xl"
                aria-label={texts.clearSearch}
                onClick={() => onSearch('')}
              >
                <IconX size={15} />
              </ActionIcon>
            )
          }
        />
        <nav className={classes.tabs} aria-label={texts.viewsLabel}>
          {VIEWS.map((name) => {
            const isCurrent = name === view && search.trim() === ''
            const count = counts[name] ?? 0
            return (
              <Link
                key={name}
                href={`/inbox/${name}`}
                onClick={() => onSearch('')}
                className={classes.tab}
                aria-current={isCurrent ? 'page' : undefined}
                data-current={isCurrent || undefined}
              >
                {texts.views[name]}
                {count > 0 && <span className={classes.count}>{count}</span>}
              </Link>
            )
          })}
        </nav>
      </header>
      <div className={classes.rows}>
        <Rows {...props} />
      </div>
    </section>
  )
}

function Rows(props: ConversationListProps) {
  const common = useTexts(commonTexts)
  const { items, error, view, selectedId } = props
  const isSearch = props.search.trim() !== ''
  if (items === undefined) {
    return error === null ? <RowSkeletons /> : <ErrorState error={error} onRetry={props.onRetry} />
  }
  if (items.length === 0) return <NoRows view={isSearch ? 'search' : view} />
  return (
    <>
      <ul>
        {items.map((conversation) => (
          <li key={conversation.id}>
            <ConversationRow
              conversation={conversation}
              href={`/inbox/${view}/${conversation.id}`}
              isSelected={conversation.id === selectedId}
              showsStatus={isSearch}
            />
          </li>
        ))}
      </ul>
      {props.hasMore && (
        <Button variant="subtle" fullWidth loading={props.isLoadingMore} onClick={props.onMore}>
          {common.loadMore}
        </Button>
      )}
    </>
  )
}

function NoRows({ view }: { view: View | 'search' }) {
  const texts = useTexts(inboxTexts)
  const [title, hint] = texts.empty[view]
  return (
    <EmptyState
      icon={view === 'search' ? IconMoodSearch : VIEW_ICONS[view]}
      title={title ?? ''}
      hint={hint}
    />
  )
}

function RowSkeletons() {
  const common = useTexts(commonTexts)
  return (
    <div role="status" aria-label={common.loading}>
      {[0, 1, 2, 3, 4].map((index) => (
        <div key={index} className={classes.skeleton}>
          <Skeleton circle height={42} />
          <div>
            <Skeleton height={12} width="60%" radius="xl" />
            <Skeleton height={10} width="85%" radius="xl" mt={10} />
          </div>
        </div>
      ))}
    </div>
  )
}
