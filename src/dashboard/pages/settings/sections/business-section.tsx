import { Autocomplete, Select, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { isUiLocale, useTexts } from '../../../i18n/texts.ts'
import { documentTexts } from '../document-texts.ts'
import { useSettingsForm } from '../draft/settings-form.tsx'
import { useField } from '../fields/use-field.tsx'
import classes from '../settings.module.css'

const LOCALES = [
  { value: 'pt-BR', label: 'Português (Brasil)' },
  { value: 'es', label: 'Español' },
  { value: 'en', label: 'English' },
]
const CURRENCIES = ['BRL', 'ARS', 'CLP', 'COP', 'MXN', 'PEN', 'PYG', 'UYU', 'EUR', 'USD']

/** Name, clock, language and money of the business. */
export function BusinessSection() {
  const { business: texts, name } = useTexts(documentTexts)
  const { draft, change } = useSettingsForm()
  const field = useField()
  const zones = useMemo(
    () => [...new Set([draft.timeZone, ...Intl.supportedValuesOf('timeZone')])],
    [draft.timeZone],
  )
  return (
    <>
      <p className={classes.lead}>{texts.lead}</p>
      <div className={classes.panel}>
        <div className={`${classes.grid} ${classes.wideGrid}`}>
          <TextInput
            {...field('name')}
            label={name}
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            {...field('slug', texts.slugHint)}
            label={texts.slug}
            value={draft.slug}
            readOnly
            variant="filled"
          />
          <Select
            {...field('timeZone', texts.timeZoneHint)}
            label={texts.timeZone}
            data={zones}
            value={draft.timeZone}
            searchable
            limit={100}
            allowDeselect={false}
            onChange={(timeZone) => timeZone !== null && change({ timeZone })}
          />
          <Select
            {...field('locale')}
            label={texts.locale}
            data={LOCALES}
            value={draft.locale}
            allowDeselect={false}
            onChange={(locale) => isUiLocale(locale) && change({ locale })}
          />
          <Autocomplete
            {...field('currency')}
            label={texts.currency}
            data={CURRENCIES}
            value={draft.currency}
            maxLength={3}
            onChange={(currency) => change({ currency: currency.toUpperCase() })}
          />
        </div>
      </div>
    </>
  )
}
