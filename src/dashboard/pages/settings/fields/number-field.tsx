import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTenant } from '../../../auth/session.ts'
import { useLocale } from '../../../i18n/texts.ts'
import { useField } from './use-field.tsx'

export interface NumberFieldProps {
  readonly path: string
  readonly label: string
  readonly hint?: string
  readonly value: number | null
  readonly step?: number
  readonly onChange: (value: number | null) => void
}

/** A whole number that may be empty while somebody types. What is too much is said, never changed in silence. */
export function WholeField({ path, label, hint, value, step = 5, onChange }: NumberFieldProps) {
  const field = useField()
  return (
    <NumberInput
      {...field(path, hint)}
      label={label}
      value={value ?? ''}
      step={step}
      min={0}
      clampBehavior="none"
      allowDecimal={false}
      allowNegative={false}
      onChange={(next) => onChange(typeof next === 'number' ? next : null)}
    />
  )
}

/** Money in cents, written in the currency's units. */
export function MoneyField({ path, label, hint, value, onChange }: NumberFieldProps) {
  const field = useField()
  const { currency } = useTenant()
  const { locale } = useLocale()
  const [typed, setTyped] = useState<string | number>(unitsOf(value))
  // A comma that is just typed is no number yet: what stands there stays until the value is another one.
  const shown = centsOf(typed) === value ? typed : unitsOf(value)
  return (
    <NumberInput
      {...field(path, hint)}
      label={`${label} (${currency})`}
      value={shown}
      min={0}
      step={5}
      clampBehavior="none"
      decimalScale={2}
      onBlur={() => setTyped(unitsOf(value))}
      decimalSeparator={locale === 'en' ? '.' : ','}
      allowedDecimalSeparators={[',', '.']}
      allowNegative={false}
      onChange={(next) => {
        setTyped(next)
        onChange(centsOf(next))
      }}
    />
  )
}

function unitsOf(cents: number | null): string {
  return cents === null ? '' : (cents / 100).toFixed(2)
}

function centsOf(units: string | number): number | null {
  if (units === '') return null
  const cents = Math.round(Number(units) * 100)
  return Number.isFinite(cents) ? cents : null
}
