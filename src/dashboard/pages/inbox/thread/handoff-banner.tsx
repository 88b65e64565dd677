import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconHeadset } from '@tabler/icons-react'
import { useState } from 'react'
import type { ConversationDto } from '../../../../contracts/staff-api.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { reasonTexts } from '../reason-texts.ts'
import classes from './handoff-banner.module.css'
import { threadTexts } from './thread-texts.ts'

/** Why a person is asked for, and what has happened so far. */
export function HandoffBanner({ handoff }: { handoff: NonNullable<ConversationDto['handoff']> }) {
  const reasons = useTexts(reasonTexts)
  const texts = useTexts(threadTexts)
  const format = useFormat()
  const [isOpen, setIsOpen] = useState(true)
  const summary = handoff.summary.trim()
  return (
    <section className={classes.banner}>
      <UnstyledButton
        className={classes.head}
        aria-expanded={summary === '' ? undefined : isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconHeadset size={17} aria-hidden />
        <strong>{reasons[handoff.reason]}</strong>
        <span className={classes.time}>{texts.handoffAsked(format.time(handoff.requestedAt))}</span>
        {summary !== '' && (
          <IconChevronDown
            size={16}
            aria-hidden
            className={classes.chevron}
            data-open={isOpen || undefined}
          />
        )}
      </UnstyledButton>
      {summary !== '' && isOpen && <p className={classes.summary}>{summary}</p>}
    </section>
  )
}
