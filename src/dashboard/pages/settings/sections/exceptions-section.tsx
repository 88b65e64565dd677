import { Badge, Button, SegmentedControl, Select } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { IconCalendarOff, IconPlus, IconTrash } from '@tabler/icons-react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { useDateInputFormat } from '../../../i18n/date-input-format.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { useNow } from '../../../i18n/use-now.ts'
import { documentTexts } from '../document-texts.ts'
import { changeRow, type ExceptionRow, liveExceptions, liveRows, newRow } from '../draft/draft-document.ts'
import { useSettingsForm } from '../draft/settings-form.tsx'
import { DayHours } from '../fields/day-hours.tsx'
import { RemovedRow } from '../fields/removed-row.tsx'
import { useField } from '../fields/use-field.tsx'
import classes from '../settings.module.css'

const EVERYONE = ''
const MINUTE_MS = 60_000

/** Days unlike the others: closed, or with hours of their own. */
export function ExceptionsSection() {
  const texts = useTexts(documentTexts)
  const format = useFormat()
  const { draft, change, show } = useSettingsForm()
  const today = format.localDate(useNow(MINUTE_MS))
  const live = liveExceptions(draft)
  const add = () => {
    const exception = { ...newRow(), professional: null, from: today, to: today, hours: [] }
    change({ exceptions: [...draft.exceptions, exception] })
    show(`exceptions.${live.length}.professional`)
  }
  return (
    <>
      <p className={classes.lead}>{texts.exceptions.lead}</p>
      {draft.exceptions.length === 0 && (
        <EmptyState icon={IconCalendarOff} title={texts.exceptions.none} hint={texts.exceptions.noneHint} />
      )}
      <ul className={classes.cards}>
        {draft.exceptions.map((exception) => {
          const set = (part: Partial<ExceptionRow>) =>
            change({ exceptions: changeRow(draft.exceptions, exception.rowId, part) })
          const who = draft.professionals.find(({ key }) => key === exception.professional)?.name
          const name = `${who ?? texts.exceptions.everyone}, ${exception.from}`
          if (exception.isRemoved) {
            return (
              <li key={exception.rowId}>
                <RemovedRow row={exception} name={name} onUndo={() => set({ isRemoved: false })} />
              </li>
            )
          }
          const at = live.indexOf(exception)
          // Its professional was removed just now, and says so in its own place.
          if (at < 0) return null
          return (
            <ExceptionCard
              key={exception.rowId}
              exception={exception}
              name={name}
              path={`exceptions.${at}`}
              isPast={exception.to < today}
              onChange={set}
            />
          )
        })}
      </ul>
      <Button variant="light" leftSection={<IconPlus size={18} />} onClick={add}>
        {texts.exceptions.add}
      </Button>
    </>
  )
}

interface ExceptionCardProps {
  readonly exception: ExceptionRow
  readonly name: string
  readonly path: string
  readonly isPast: boolean
  readonly onChange: (part: Partial<ExceptionRow>) => void
}

function ExceptionCard({ exception, name, path, isPast, onChange }: ExceptionCardProps) {
  const all = useTexts(documentTexts)
  const dateFormat = useDateInputFormat()
  const texts = all.exceptions
  const { draft } = useSettingsForm()
  const field = useField()
  const isClosed = liveRows(exception.hours).length === 0
  const people = [
    { value: EVERYONE, label: texts.everyone },
    ...liveRows(draft.professionals).map(({ key, name: label }) => ({ value: key, label: label || key })),
  ]
  const setKind = (kind: string) =>
    onChange({
      hours: kind === 'closed' ? [] : [{ ...newRow(), from: '09:00', to: '12:00' }],
    })
  return (
    <li className={classes.card} aria-label={name}>
      <div className={classes.cardBody} style={{ paddingTop: 14 }}>
        <div className={classes.grid}>
          <Select
            {...field(`${path}.professional`)}
            label={texts.who}
            data={people}
            value={exception.professional ?? EVERYONE}
            allowDeselect={false}
            onChange={(key) => onChange({ professional: key === null || key === EVERYONE ? null : key })}
          />
          {(['from', 'to'] as const).map((end) => (
            <DatePickerInput
              {...field(`${path}.${end}`)}
              key={end}
              label={texts[end]}
              value={exception[end]}
              valueFormat={dateFormat}
              onChange={(date) => {
                if (date === null) return
                const movesEnd = end === 'from' && exception.to < date
                onChange(movesEnd ? { from: date, to: date } : { [end]: date })
              }}
            />
          ))}
        </div>
        <div className={classes.range}>
          <SegmentedControl
            aria-label={texts.kind}
            value={isClosed ? 'closed' : 'special'}
            data={[
              { value: 'closed', label: texts.closed },
              { value: 'special', label: texts.special },
            ]}
            onChange={setKind}
          />
          {isPast && (
            <Badge variant="default" tt="none" style={{ alignSelf: 'center' }}>
              {texts.past}
            </Badge>
          )}
          <Button
            variant="subtle"
            color="red"
            c="var(--app-danger)"
            size="compact-sm"
            ml="auto"
            leftSection={<IconTrash size={16} />}
            aria-label={all.removeOf(name)}
            onClick={() => onChange({ isRemoved: true })}
          >
            {all.remove}
          </Button>
        </div>
        {!isClosed && (
          <DayHours path={`${path}.hours`} rows={exception.hours} onChange={(hours) => onChange({ hours })} />
        )}
      </div>
    </li>
  )
}
