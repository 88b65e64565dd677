import { ActionIcon, Button, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useTexts } from '../../../i18n/texts.ts'
import { documentTexts } from '../document-texts.ts'
import { changeRow, liveRows, newRow, type WeeklyRangeRow } from '../draft/draft-document.ts'
import { useSettingsForm } from '../draft/settings-form.tsx'
import classes from '../settings.module.css'
import { RemovedRow } from './removed-row.tsx'
import { TimeRange } from './time-range.tsx'
import { useField } from './use-field.tsx'
import { Weekdays } from './weekdays.tsx'

export interface WeeklyHoursProps {
  readonly path: string
  readonly label: string
  /** What it means that there are none. */
  readonly none: string
  readonly rows: readonly WeeklyRangeRow[]
  readonly onChange: (rows: readonly WeeklyRangeRow[]) => void
}

/** The hours of a week: each entry some weekdays and a stretch of the clock. */
export function WeeklyHours({ path, label, none, rows, onChange }: WeeklyHoursProps) {
  const texts = useTexts(documentTexts)
  const { show } = useSettingsForm()
  const field = useField()
  const live = liveRows(rows)
  const own = field(path)
  const add = () => {
    const free = [1, 2, 3, 4, 5].filter((day) => !live.some(({ weekdays }) => weekdays.includes(day)))
    onChange([...rows, { ...newRow(), weekdays: free, from: '09:00', to: '18:00' }])
    show(`${path}.${live.length}.weekdays`)
  }
  return (
    <fieldset className={classes.hours} data-path={path} tabIndex={-1}>
      <legend>{label}</legend>
      {own.description}
      {rows.map((row) => {
        const name = texts.hours.range(row.from, row.to)
        const change = (part: Partial<WeeklyRangeRow>) => onChange(changeRow(rows, row.rowId, part))
        if (row.isRemoved) {
          return (
            <RemovedRow key={row.rowId} row={row} name={name} onUndo={() => change({ isRemoved: false })} />
          )
        }
        const at = `${path}.${live.indexOf(row)}`
        return (
          <div key={row.rowId} className={classes.range} data-path={at} tabIndex={-1}>
            <Weekdays
              path={`${at}.weekdays`}
              value={row.weekdays}
              onChange={(weekdays) => change({ weekdays })}
            />
            <TimeRange path={at} value={row} onChange={change} />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={texts.removeOf(name)}
              onClick={() => change({ isRemoved: true })}
            >
              <IconX size={18} />
            </ActionIcon>
            <RangeFault path={at} />
          </div>
        )
      })}
      {live.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={16} />}
        onClick={add}
        className={classes.add}
      >
        {texts.hours.add}
      </Button>
    </fieldset>
  )
}

/** What is wrong with an entry as a whole. */
export function RangeFault({ path }: { path: string }) {
  const { error } = useField()(path)
  if (error === undefined) return null
  return (
    <Text size="xs" c="var(--app-danger)" w="100%" role="alert">
      {error}
    </Text>
  )
}
