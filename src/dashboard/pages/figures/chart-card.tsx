import { ActionIcon, Box, Table, Text } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import classes from './chart-card.module.css'
import { figuresTexts } from './figures-texts.ts'

export interface ChartCardProps {
  readonly title: string
  readonly hint?: string
  /** The figures of the whole period in words: what the picture shows, for who cannot see it. */
  readonly summary: string
  /** Said in place of the chart when there is nothing to draw. */
  readonly empty: string | null
  readonly table: {
    readonly head: readonly string[]
    /** The first cell names the row. */
    readonly rows: readonly (readonly string[])[]
  }
  readonly children: ReactNode
}

/** A chart, and at one click the same as a table. */
export function ChartCard({ title, hint, summary, empty, table, children }: ChartCardProps) {
  const texts = useTexts(figuresTexts)
  const [isTable, setIsTable] = useState(false)
  const titleId = useId()
  return (
    <section className={classes.card} aria-labelledby={titleId}>
      <header className={classes.head}>
        <div>
          <h2 id={titleId} className={classes.title}>
            {title}
          </h2>
          <Text size="sm" c="dimmed">
            {summary}
          </Text>
        </div>
        {empty === null && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={isTable ? texts.showChart(title) : texts.showTable(title)}
            onClick={() => setIsTable(!isTable)}
          >
            {isTable ? <IconChartBar size={19} /> : <IconTable size={19} />}
          </ActionIcon>
        )}
      </header>
      {empty !== null ? (
        <p className={classes.empty}>{empty}</p>
      ) : isTable ? (
        <Figures title={title} table={table} />
      ) : (
        <div role="img" aria-label={`${title}: ${summary}`}>
          {children}
        </div>
      )}
      {hint !== undefined && (
        <Text size="xs" c="dimmed" mt={8}>
          {hint}
        </Text>
      )}
    </section>
  )
}

/** It scrolls, so the keyboard can come to it. */
function Figures({ title, table: { head, rows } }: Pick<ChartCardProps, 'title' | 'table'>) {
  return (
    <Box component="section" className={classes.scroll} tabIndex={0} aria-label={title}>
      <Table stickyHeader verticalSpacing={6} fz="sm" className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {head.map((name) => (
              <Table.Th key={name} scope="col">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([name, ...cells]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              {cells.map((cell, index) => (
                <Table.Td key={head[index + 1]}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
