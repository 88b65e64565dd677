import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useTexts } from '../../../i18n/texts.ts'
import { documentTexts } from '../document-texts.ts'
import { changeRow, liveRows, newRow, type TimeRangeRow } from '../draft/draft-document.ts'
import { useSettingsForm } from '../draft/settings-form.tsx'
import classes from '../settings.module.css'
import { RemovedRow } from './removed-row.tsx'
import { TimeRange } from './time-range.tsx'
import { RangeFault } from './weekly-hours.tsx'

/** The hours of single days, in place of those of the week. */
export function DayHours({
  path,
  rows,
  onChange,
}: {
  path: string
  rows: readonly TimeRangeRow[]
  onChange: (rows: readonly TimeRangeRow[]) => void
}) {
  const texts = useTexts(documentTexts)
  const { show } = useSettingsForm()
  const live = liveRows(rows)
  const add = () => {
    onChange([...rows, { ...newRow(), from: '', to: '' }])
    show(`${path}.${live.length}.from`)
  }
  return (
    <div className={classes.hours}>
      {rows.map((row) => {
        const name = texts.hours.range(row.from, row.to)
        const change = (part: Partial<TimeRangeRow>) => onChange(changeRow(rows, row.rowId, part))
        if (row.isRemoved) {
          return (
            <RemovedRow key={row.rowId} row={row} name={name} onUndo={() => change({ isRemoved: false })} />
          )
        }
        const at = `${path}.${live.indexOf(row)}`
        return (
          <div key={row.rowId} className={classes.range} data-path={at} tabIndex={-1}>
            <TimeRange path={at} value={row} onChange={change} />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={texts.removeOf(name)}
              // Without any, the days would be closed: that is chosen above.
              disabled={live.length === 1}
              onClick={() => change({ isRemoved: true })}
            >
              <IconX size={18} />
            </ActionIcon>
            <RangeFault path={at} />
          </div>
        )
      })}
      <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={16} />} onClick={add}>
        {texts.hours.add}
      </Button>
    </div>
  )
}
