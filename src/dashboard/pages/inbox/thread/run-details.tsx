import { Code, Loader, UnstyledButton } from '@mantine/core'
import { IconChevronRight, IconTool, IconUserUp } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { RunDetailDto } from '../../../../contracts/dashboard-api.ts'
import { useRun } from '../../../api/runs.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { shortDuration } from '../../../i18n/duration.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { reasonTexts } from '../reason-texts.ts'
import classes from './run-details.module.css'
import { threadTexts } from './thread-texts.ts'

/** What the assistant did before it wrote this: folded away until somebody wants to know. */
export function RunDetails({ conversationId, runId }: { conversationId: string; runId: string }) {
  const texts = useTexts(threadTexts)
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const { data: run, error, refetch } = useRun(conversationId, runId, { enabled: isOpen })
  return (
    <div className={classes.details}>
      <UnstyledButton
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconChevronRight size={14} aria-hidden data-open={isOpen || undefined} />
        {texts.run.show}
      </UnstyledButton>
      <div id={id} hidden={!isOpen}>
        {isOpen && error !== null && run === undefined && (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
        {isOpen && error === null && run === undefined && <Loader size="xs" type="dots" m="xs" />}
        {run !== undefined && <Run run={run} />}
      </div>
    </div>
  )
}

function Run({ run }: { run: RunDetailDto }) {
  const texts = useTexts(threadTexts)
  const reasons = useTexts(reasonTexts)
  const format = useFormat()
  const { usage } = run
  const tokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens
  const facts = [
    run.model,
    texts.run.steps(run.steps),
    texts.run.tokens(format.number(tokens)),
    `US$ ${format.number(run.costUsd, { minimumFractionDigits: 4, maximumFractionDigits: 4 })}`,
    run.finishedAt === null ? null : shortDuration(Date.parse(run.finishedAt) - Date.parse(run.startedAt)),
    run.stopReason,
  ].filter((fact) => fact !== null)
  return (
    <div className={classes.run}>
      <p className={classes.facts}>{facts.join(' · ')}</p>
      {run.toolCalls.length === 0 && <p className={classes.facts}>{texts.run.noTools}</p>}
      <ol className={classes.tools}>
        {run.toolCalls.map((tool) => (
          <li key={tool.id}>
            <details>
              <summary>
                <IconTool size={14} aria-hidden />
                <strong>{tool.name}</strong>
                <span className={classes.input}>{inline(tool.input)}</span>
                {tool.outcome !== null && tool.outcome !== 'ok' && (
                  <span className={classes.failed}>{tool.outcome}</span>
                )}
              </summary>
              <p>{texts.run.input}</p>
              <Code block>{JSON.stringify(tool.input, null, 2)}</Code>
              <p>{texts.run.result}</p>
              <Code block>{JSON.stringify(tool.result, null, 2)}</Code>
            </details>
          </li>
        ))}
      </ol>
      {run.handoff !== null && (
        <p className={classes.handoff}>
          <IconUserUp size={14} aria-hidden /> {texts.run.handoff}: {reasons[run.handoff.reason]}
        </p>
      )}
    </div>
  )
}

/** `service: corte, date: 2026-12-07`; what is nested is seen when it is unfolded. */
function inline(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  return Object.entries(input)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
}
