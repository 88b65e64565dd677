import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ApiError } from '../../../api/client.ts'
import { keys } from '../../../api/keys.ts'
import { ME_KEY } from '../../../api/query-client.ts'
import { readSettings, type VersionedSettings, writeSettings } from '../../../api/settings.ts'
import { type SettingsDraft, toDraft, toPlain } from './draft-document.ts'
import { type Conflict, isSame, mergeSettings } from './merge-settings.ts'
import type { SettingsForm } from './settings-form.tsx'
import { issuesOfProblem, judgeSettings, type SettingsIssue, valueAt } from './settings-issues.ts'

/** How a save ended: with what stands in the way, and where. */
export type SaveResult =
  | { readonly kind: 'saved' | 'conflict' }
  | { readonly kind: 'invalid'; readonly first: string }
  | { readonly kind: 'failed'; readonly error: Error }

/** An issue holds for as long as what it is about stays what it was. */
interface ServerIssue {
  readonly issue: SettingsIssue
  readonly about: unknown
}

export interface SettingsDraftState extends SettingsForm {
  readonly isDirty: boolean
  readonly isSaving: boolean
  readonly issues: readonly SettingsIssue[]
  /** What somebody else stored meanwhile, once a save was refused for it. */
  readonly newer: VersionedSettings | null
  readonly save: () => Promise<SaveResult>
  readonly discard: () => void
  /** Goes on from what the other one stored, with the edits of the one who looks on top. */
  readonly rebase: () => void
}

/** The document while it is edited: from the stored version over the edits to the next. */
export function useSettingsDraft(loaded: VersionedSettings): SettingsDraftState {
  const client = useQueryClient()
  const [base, setBase] = useState(loaded)
  const [draft, setDraft] = useState(() => toDraft(loaded.document))
  const [isStrict, setIsStrict] = useState(false)
  const [serverIssues, setServerIssues] = useState<readonly ServerIssue[]>([])
  const [newer, setNewer] = useState<VersionedSettings | null>(null)
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([])
  const [isSaving, setIsSaving] = useState(false)
  const [focus, setFocus] = useState<{ readonly path: string } | null>(null)
  const plain = useMemo(() => toPlain(draft), [draft])
  const issues = useMemo(() => {
    const said = serverIssues.filter(({ issue, about }) => isSame(valueAt(plain, issue.path), about))
    return [...(isStrict ? judgeSettings(plain) : []), ...said.map(({ issue }) => issue)]
  }, [plain, isStrict, serverIssues])

  const startFrom = (settings: VersionedSettings, next: SettingsDraft, open: readonly Conflict[] = []) => {
    setBase(settings)
    setDraft(next)
    setIsStrict(false)
    setServerIssues([])
    setNewer(null)
    setConflicts(open)
    client.setQueryData(keys.settings, settings)
  }
  const invalid = (found: readonly SettingsIssue[]): SaveResult => {
    const first = found[0]?.path ?? ''
    setFocus({ path: first })
    return { kind: 'invalid', first }
  }
  const failed = async (error: unknown): Promise<SaveResult> => {
    if (!(error instanceof Error)) throw error
    if (!(error instanceof ApiError)) return { kind: 'failed', error }
    const named = error.status === 422 ? issuesOfProblem(error.body) : null
    if (named !== null) {
      setServerIssues(named.map((issue) => ({ issue, about: valueAt(plain, issue.path) })))
      return invalid(named)
    }
    if (error.code !== 'precondition_failed') return { kind: 'failed', error }
    setNewer(await readSettings())
    return { kind: 'conflict' }
  }
  const store = async (): Promise<SaveResult> => {
    const found = judgeSettings(plain)
    if (found.length > 0) return invalid(found)
    const stored = await writeSettings(plain, base.etag)
    startFrom(stored, toDraft(stored.document, draft))
    void client.invalidateQueries({ queryKey: keys.catalog })
    void client.invalidateQueries({ queryKey: keys.availability })
    void client.invalidateQueries({ queryKey: ME_KEY })
    return { kind: 'saved' }
  }
  const save = async (): Promise<SaveResult> => {
    setIsStrict(true)
    setIsSaving(true)
    try {
      return await store().catch(failed)
    } catch (error) {
      return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
    } finally {
      setIsSaving(false)
    }
  }
  const rebase = () => {
    if (newer === null) return
    const result = mergeSettings(base.document, plain, newer.document)
    startFrom(newer, toDraft(result.merged, draft), result.conflicts)
  }
  return {
    draft,
    focus,
    issues,
    newer,
    isSaving,
    isDirty: !isSame(plain, base.document),
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    show: (path) => setFocus({ path }),
    faultAt: (path) => issues.find((issue) => issue.path === path)?.fault,
    faultsIn: (path) => issues.filter((issue) => isInside(issue.path, path)).length,
    conflictAt: (path) =>
      conflicts.find((conflict) => conflict.path === path && !isSame(valueAt(plain, path), conflict.theirs)),
    save,
    rebase,
    discard: () => {
      const settings = newer ?? base
      startFrom(settings, toDraft(settings.document))
    },
  }
}

function isInside(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`)
}
