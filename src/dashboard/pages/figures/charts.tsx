import { BarChart, LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { MetricsOverview } from '../../../contracts/dashboard-api.ts'
import { useTexts } from '../../i18n/texts.ts'
import { reasonTexts } from '../inbox/reason-texts.ts'
import { ChartCard } from './chart-card.tsx'
import { figuresTexts } from './figures-texts.ts'
import { REASON_COLORS, type ReasonCount, reasonDays, reasonsOf } from './series.ts'
import { useFigureFormat } from './use-figure-format.ts'

type Overview = Pick<MetricsOverview, 'days' | 'totals'>

const HEIGHT = 230

/** What holds for every chart. A picture takes no focus: its table says the same to the keyboard. */
function useChartLook() {
  const { day } = useFigureFormat()
  return {
    h: HEIGHT,
    dataKey: 'date',
    xAxisProps: { tickFormatter: day, minTickGap: 24 },
    yAxisProps: { width: 56, allowDecimals: false },
    tooltipProps: { labelFormatter: (label: unknown) => (typeof label === 'string' ? day(label) : '') },
    tooltipAnimationDuration: 0,
    gridAxis: 'x',
    tickLine: 'none',
  } as const
}

/** Below the chart, in the order of the series. */
const LEGEND = { verticalAlign: 'bottom', height: 'auto', itemSorter: null } as const
const STILL = { isAnimationActive: false } as const
const NO_FOCUS = { accessibilityLayer: false } as const

/** Handoffs by reason, stacked over the days. */
export function ReasonsChart({ overview, counts }: { overview: Overview; counts: readonly ReasonCount[] }) {
  const texts = useTexts(figuresTexts)
  const names = useTexts(reasonTexts)
  const { count, day } = useFigureFormat()
  const look = useChartLook()
  const reasons = reasonsOf(counts)
  const dates = overview.days.map(({ date }) => date)
  const data = reasonDays(dates, counts)
  const totalOf = (reason: string) =>
    counts.filter((item) => item.reason === reason).reduce((total, item) => total + item.count, 0)
  return (
    <ChartCard
      title={texts.byReason}
      summary={reasons
        .slice(0, 3)
        .map((reason) => `${names[reason]}: ${count(totalOf(reason))}`)
        .join(' · ')}
      empty={reasons.length === 0 ? texts.noHandoffs : null}
      table={{
        head: [texts.day, ...reasons.map((reason) => names[reason]), texts.total],
        rows: [
          ...data.map((row) => {
            const cells = reasons.map((reason) => row[reason] ?? 0)
            const total = cells.reduce((sum, cell) => sum + cell, 0)
            return [day(row.date), ...cells.map(count), count(total)]
          }),
          [texts.total, ...reasons.map((reason) => count(totalOf(reason))), count(overview.totals.handoffs)],
        ],
      }}
    >
      <BarChart
        {...look}
        data={data}
        type="stacked"
        series={reasons.map((reason) => ({
          name: reason,
          label: names[reason],
          color: REASON_COLORS[reason],
        }))}
        withLegend
        legendProps={LEGEND}
        h={HEIGHT + 40}
        valueFormatter={count}
        barProps={STILL}
        barChartProps={NO_FOCUS}
      />
    </ChartCard>
  )
}

/** Conversations a day: what the bot solved alone, and what needed people. */
export function ShareChart({ overview: { days, totals } }: { overview: Overview }) {
  const texts = useTexts(figuresTexts)
  const { count, day, share } = useFigureFormat()
  const look = useChartLook()
  const rowOf = ({ conversations, solvedByBot, botOnlyShare }: Overview['totals']) => [
    count(solvedByBot),
    count(conversations - solvedByBot),
    share(botOnlyShare),
  ]
  return (
    <ChartCard
      title={texts.share}
      summary={`${texts.solvedByBot}: ${share(totals.botOnlyShare)} · ${texts.solvedOf(
        count(totals.solvedByBot),
        count(totals.conversations),
      )}`}
      empty={totals.conversations === 0 ? texts.noConversations : null}
      table={{
        head: [texts.day, texts.solvedByBot, texts.byTeam, texts.shareOfDay],
        rows: [...days.map((row) => [day(row.date), ...rowOf(row)]), [texts.total, ...rowOf(totals)]],
      }}
    >
      <BarChart
        {...look}
        data={days.map(({ date, conversations, solvedByBot }) => ({
          date,
          solvedByBot,
          byTeam: conversations - solvedByBot,
        }))}
        type="stacked"
        series={[
          { name: 'solvedByBot', label: texts.solvedByBot, color: 'brand.6' },
          { name: 'byTeam', label: texts.byTeam, color: 'blue.4' },
        ]}
        withLegend
        legendProps={LEGEND}
        h={HEIGHT + 40}
        valueFormatter={count}
        barProps={STILL}
        barChartProps={NO_FOCUS}
      />
    </ChartCard>
  )
}

/** How long it took, half of the times and nine in ten; days without any are passed over. */
export function TimesChart({
  overview: { days, totals },
  figure,
}: {
  overview: Overview
  figure: 'firstReplySeconds' | 'resolutionSeconds'
}) {
  const texts = useTexts(figuresTexts)
  const { day, duration } = useFigureFormat()
  const look = useChartLook()
  const isReply = figure === 'firstReplySeconds'
  const { p50, p90 } = totals[figure]
  const isEmpty = p50 === null
  return (
    <ChartCard
      title={isReply ? texts.firstReply : texts.resolution}
      hint={isReply ? texts.firstReplyHint : texts.resolutionHint}
      summary={isEmpty ? texts.none : `${texts.median(duration(p50))} · ${texts.tail(duration(p90))}`}
      empty={isEmpty ? texts.noTimes : null}
      table={{
        head: [texts.day, texts.p50, texts.p90],
        rows: [
          ...days.map((row) => [day(row.date), duration(row[figure].p50), duration(row[figure].p90)]),
          [texts.total, duration(p50), duration(p90)],
        ],
      }}
    >
      <LineChart
        {...look}
        data={days.map((row) => ({ date: row.date, p50: row[figure].p50, p90: row[figure].p90 }))}
        series={[
          { name: 'p50', label: texts.p50, color: 'brand.6' },
          { name: 'p90', label: texts.p90, color: 'orange.6' },
        ]}
        curveType="linear"
        connectNulls
        withLegend
        legendProps={LEGEND}
        valueFormatter={(seconds) => duration(seconds)}
        lineProps={STILL}
        lineChartProps={NO_FOCUS}
      />
    </ChartCard>
  )
}

/** What the model cost, in dollars. */
export function CostChart({ overview: { days, totals } }: { overview: Overview }) {
  const texts = useTexts(figuresTexts)
  const { count, day, dollars } = useFigureFormat()
  const look = useChartLook()
  return (
    <ChartCard
      title={texts.costByDay}
      summary={`${dollars(totals.costUsd)} ${texts.costHint(count(totals.runs))}`}
      empty={totals.costUsd === 0 ? texts.noCost : null}
      table={{
        head: [texts.day, texts.costByDay],
        rows: [
          ...days.map(({ date, costUsd }) => [day(date), dollars(costUsd)]),
          [texts.total, dollars(totals.costUsd)],
        ],
      }}
    >
      <BarChart
        {...look}
        data={days.map(({ date, costUsd }) => ({ date, costUsd }))}
        series={[{ name: 'costUsd', label: texts.cost, color: 'brand.6' }]}
        yAxisProps={{ width: 64 }}
        valueFormatter={dollars}
        barProps={STILL}
        barChartProps={NO_FOCUS}
      />
    </ChartCard>
  )
}
