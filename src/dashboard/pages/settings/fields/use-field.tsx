import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../../i18n/texts.ts'
import { useSettingsForm } from '../draft/settings-form.tsx'
import { settingsTexts } from '../settings-texts.ts'

export interface FieldProps {
  readonly 'data-path': string
  readonly error: string | undefined
  readonly description: ReactNode
}

/** What ties an input to its place in the document: where it is, what is wrong, what another one saved there. */
export function useField(): (path: string, hint?: string) => FieldProps {
  const texts = useTexts(settingsTexts)
  const { faultAt, conflictAt } = useSettingsForm()
  return (path, hint) => {
    const fault = faultAt(path)
    const conflict = conflictAt(path)
    return {
      'data-path': path,
      error: fault && texts.fault(fault),
      description: conflict ? (
        <Text component="span" size="xs" fw={600} c="var(--app-warn)">
          {texts.theirs(asText(conflict.theirs) || texts.empty)}
        </Text>
      ) : (
        hint
      ),
    }
  }
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
