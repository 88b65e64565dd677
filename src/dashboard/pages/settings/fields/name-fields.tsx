import { TextInput } from '@mantine/core'
import { useTexts } from '../../../i18n/texts.ts'
import { documentTexts } from '../document-texts.ts'
import { keyFor, type Row } from '../draft/draft-document.ts'
import { useField } from './use-field.tsx'

export interface NameFieldsProps {
  readonly path: string
  readonly row: Row & { readonly key: string; readonly name: string }
  /** Keys that are in use, this row's own among them. */
  readonly taken: readonly string[]
  readonly onChange: (part: { name?: string; key?: string }) => void
}

/** Name and key. The key follows the name until it is stored, or written by hand; then it never changes. */
export function NameFields({ path, row, taken, onChange }: NameFieldsProps) {
  const texts = useTexts(documentTexts)
  const field = useField()
  const rename = (name: string) => {
    const others = taken.filter((key) => key !== row.key)
    const follows = row.isNew && row.key === keyFor(row.name, others)
    onChange(follows ? { name, key: keyFor(name, others) } : { name })
  }
  return (
    <>
      <TextInput
        {...field(`${path}.name`)}
        label={texts.name}
        value={row.name}
        autoComplete="off"
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <TextInput
        {...field(`${path}.key`)}
        label={texts.code}
        value={row.key}
        autoComplete="off"
        readOnly={!row.isNew}
        variant={row.isNew ? 'default' : 'filled'}
        onChange={(event) => onChange({ key: event.currentTarget.value })}
      />
    </>
  )
}
