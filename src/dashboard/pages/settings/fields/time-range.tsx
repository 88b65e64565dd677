import { TextInput } from '@mantine/core'
import { useTexts } from '../../../i18n/texts.ts'
import { documentTexts } from '../document-texts.ts'
import classes from '../settings.module.css'
import { asTime } from './as-time.ts'
import { useField } from './use-field.tsx'

export interface TimeRangeValue {
  readonly from: string
  readonly to: string
}

/** From and to on the clock, typed quickly: `9` is 09:00, `1330` is 13:30; 24:00 ends a day. */
export function TimeRange({
  path,
  value,
  onChange,
}: {
  path: string
  value: TimeRangeValue
  onChange: (change: Partial<TimeRangeValue>) => void
}) {
  const texts = useTexts(documentTexts)
  const field = useField()
  const endsNextDay = TIME.test(value.from) && TIME.test(value.to) && value.to <= value.from
  return (
    <div className={classes.times}>
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          {...field(`${path}.${end}`)}
          key={end}
          className={classes.time}
          label={texts.hours[end]}
          placeholder={end === 'from' ? '09:00' : '18:00'}
          autoComplete="off"
          maxLength={5}
          value={value[end]}
          onChange={(event) => onChange({ [end]: event.currentTarget.value })}
          onBlur={() => {
            const time = asTime(value[end])
            if (time !== value[end]) onChange({ [end]: time })
          }}
        />
      ))}
      {endsNextDay && <span className={classes.nextDay}>{texts.hours.nextDay}</span>}
    </div>
  )
}

const TIME = /^\d{2}:\d{2}$/
