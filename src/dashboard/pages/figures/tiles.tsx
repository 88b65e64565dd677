import type { MetricsOverview } from '../../../contracts/dashboard-api.ts'
import { useTexts } from '../../i18n/texts.ts'
import { figuresTexts } from './figures-texts.ts'
import classes from './tiles.module.css'
import { useFigureFormat } from './use-figure-format.ts'

interface Tile {
  readonly name: string
  readonly value: string
  readonly hint?: string
  readonly isBad?: boolean
}

/** How things stand at this moment, whatever period is chosen. */
export function QueueTiles({ queue }: { queue: MetricsOverview['queue'] }) {
  const texts = useTexts(figuresTexts)
  const { count, duration } = useFigureFormat()
  return (
    <Tiles
      title={texts.now}
      tiles={[
        { name: texts.queueDepth, value: count(queue.depth) },
        { name: texts.oldestWait, value: duration(queue.oldestWaitSeconds) },
        { name: texts.overdue, value: count(queue.overdue), isBad: queue.overdue > 0 },
        { name: texts.withTeam, value: count(queue.assigned) },
      ]}
    />
  )
}

export function PeriodTiles({ totals }: { totals: MetricsOverview['totals'] }) {
  const texts = useTexts(figuresTexts)
  const { count, share, dollars } = useFigureFormat()
  return (
    <Tiles
      title={texts.inPeriod}
      tiles={[
        {
          name: texts.solvedByBot,
          value: share(totals.botOnlyShare),
          hint: texts.solvedOf(count(totals.solvedByBot), count(totals.conversations)),
        },
        { name: texts.handoffs, value: count(totals.handoffs) },
        { name: texts.rehandoffs, value: count(totals.rehandoffs), hint: texts.rehandoffsHint },
        { name: texts.booked, value: count(totals.appointmentsBooked) },
        { name: texts.cost, value: dollars(totals.costUsd), hint: texts.costHint(count(totals.runs)) },
      ]}
    />
  )
}

function Tiles({ title, tiles }: { title: string; tiles: readonly Tile[] }) {
  return (
    <section aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      <dl className={classes.tiles}>
        {tiles.map(({ name, value, hint, isBad }) => (
          <div key={name} className={classes.tile}>
            <dt>{name}</dt>
            <dd className={classes.value} data-bad={isBad || undefined}>
              {value}
            </dd>
            {hint !== undefined && <dd className={classes.hint}>{hint}</dd>}
          </div>
        ))}
      </dl>
    </section>
  )
}
