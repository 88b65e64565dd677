import { createContext, use } from 'react'
import type { SettingsDraft } from './draft-document.ts'
import type { Conflict } from './merge-settings.ts'
import type { Fault } from './settings-issues.ts'

/** What the sections see of the form that they are all part of. */
export interface SettingsForm {
  readonly draft: SettingsDraft
  readonly change: (part: Partial<SettingsDraft>) => void
  /** What is wrong at exactly this path. */
  readonly faultAt: (path: string) => Fault | undefined
  /** How much is wrong at this path and inside it. */
  readonly faultsIn: (path: string) => number
  /** What somebody else saved at this path while it was changed here too. */
  readonly conflictAt: (path: string) => Conflict | undefined
  /** Asks for the cursor at a path. */
  readonly show: (path: string) => void
  /** The path that wants the cursor; each request is an object of its own. */
  readonly focus: { readonly path: string } | null
}

export const SettingsFormContext = createContext<SettingsForm | null>(null)

export function useSettingsForm(): SettingsForm {
  const form = use(SettingsFormContext)
  if (form === null) throw new Error('a section needs the settings form around it')
  return form
}
