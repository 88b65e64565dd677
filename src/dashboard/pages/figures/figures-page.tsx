import { Loader } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useLocation, useSearch } from 'wouter'
import type { MetricsOverview } from '../../../contracts/dashboard-api.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { LoadingState } from '../../components/loading-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/texts.ts'
import { useNow } from '../../i18n/use-now.ts'
import { CostChart, ReasonsChart, ShareChart, TimesChart } from './charts.tsx'
import { useHandoffCounts, useOverview } from './figures-api.ts'
import classes from './figures-page.module.css'
import { figuresTexts } from './figures-texts.ts'
import { type Period, periodOf, searchOf } from './period.ts'
import { PeriodPicker } from './period-picker.tsx'
import type { ReasonCount } from './series.ts'
import { PeriodTiles, QueueTiles } from './tiles.tsx'

/** How the handoffs of a period went, what the bot did alone, and what it cost. */
export function FiguresPage() {
  const common = useTexts(commonTexts)
  const [, navigate] = useLocation()
  const search = useSearch()
  const today = useFormat().localDate(useNow(60_000))
  const period = periodOf(search, today)
  const overview = useOverview(period)
  const handoffs = useHandoffCounts(period)
  const failed = overview.data === undefined ? overview.error : handoffs.data === undefined && handoffs.error
  const isOld = overview.isPlaceholderData || handoffs.isPlaceholderData
  const retry = () => void Promise.all([overview.refetch(), handoffs.refetch()])
  const show = (next: Period) => navigate(`/figures?${searchOf(next)}`, { replace: true })
  return (
    <div className={classes.page}>
      <PageHeader title={common.figures}>
        {isOld && <Loader size="xs" type="dots" aria-label={common.loading} />}
        <PeriodPicker period={period} today={today} onPeriod={show} />
      </PageHeader>
      {failed ? (
        <ErrorState error={failed} onRetry={retry} />
      ) : overview.data === undefined || handoffs.data === undefined ? (
        <LoadingState />
      ) : (
        <div className={classes.body} aria-busy={isOld}>
          <Figures overview={overview.data} counts={handoffs.data.items} />
        </div>
      )}
    </div>
  )
}

function Figures({ overview, counts }: { overview: MetricsOverview; counts: readonly ReasonCount[] }) {
  const texts = useTexts(figuresTexts)
  const { totals, queue } = overview
  const isEmpty = totals.conversations === 0 && totals.appointmentsBooked === 0
  return (
    <>
      <QueueTiles queue={queue} />
      {isEmpty ? (
        <EmptyState icon={IconChartBar} title={texts.nothing} hint={texts.nothingHint} />
      ) : (
        <>
          <PeriodTiles totals={totals} />
          <div className={classes.charts}>
            <ReasonsChart overview={overview} counts={counts} />
            <ShareChart overview={overview} />
            <TimesChart overview={overview} figure="firstReplySeconds" />
            <TimesChart overview={overview} figure="resolutionSeconds" />
            <CostChart overview={overview} />
          </div>
        </>
      )}
    </>
  )
}
