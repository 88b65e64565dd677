/**
 * The settings while somebody edits them. The shape follows the document; what differs is that a number may be
 * empty, and that rows have an identity of their own and stay, marked, when they are removed: so every removal
 * can be taken back until it is saved. The position of a row among those that are left is its index in the
 * document, and with it in the path of an issue.
 */
import type { SettingsDocument } from '../../../../contracts/dashboard-api.ts'

export interface Row {
  readonly rowId: string
  readonly isRemoved: boolean
  /** Not stored yet. */
  readonly isNew: boolean
}

type Blankable<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends number ? number | null : Fields[Name]
}
type Service = SettingsDocument['services'][number]
type Professional = SettingsDocument['professionals'][number]
type Exception = SettingsDocument['exceptions'][number]
type WeeklyRange = Professional['hours'][number]
type TimeRange = Exception['hours'][number]

export type TimeRangeRow = TimeRange & Row
export type WeeklyRangeRow = WeeklyRange & Row
export type ServiceRow = Blankable<Service> & Row
export type ProfessionalRow = Omit<Professional, 'hours'> & {
  readonly hours: readonly WeeklyRangeRow[]
} & Row
export type ExceptionRow = Omit<Exception, 'hours'> & { readonly hours: readonly TimeRangeRow[] } & Row

/** The document with numbers that may be empty: what is sent, and judged, when somebody saves. */
export interface PlainSettings extends Omit<SettingsDocument, 'policy' | 'services' | 'handoff'> {
  readonly policy: Blankable<SettingsDocument['policy']>
  readonly services: Blankable<Service>[]
  readonly handoff: Blankable<SettingsDocument['handoff']>
}

export interface SettingsDraft
  extends Omit<PlainSettings, 'services' | 'professionals' | 'exceptions' | 'handoff'> {
  readonly services: readonly ServiceRow[]
  readonly professionals: readonly ProfessionalRow[]
  readonly exceptions: readonly ExceptionRow[]
  readonly handoff: Omit<PlainSettings['handoff'], 'hours'> & { readonly hours: readonly WeeklyRangeRow[] }
}

/** @param before a draft of the same document: its rows keep their identity where they stand at the same place. */
export function toDraft(document: PlainSettings, before?: SettingsDraft): SettingsDraft {
  const { services, professionals, exceptions, handoff, ...others } = document
  return {
    ...others,
    services: rowsOf(services, before?.services, (service) => service),
    professionals: rowsOf(professionals, before?.professionals, (professional, old) => ({
      ...professional,
      hours: rowsOf(professional.hours, old?.hours, (range) => range),
    })),
    exceptions: rowsOf(exceptions, before?.exceptions, (exception, old) => ({
      ...exception,
      hours: rowsOf(exception.hours, old?.hours, (range) => range),
    })),
    handoff: { ...handoff, hours: rowsOf(handoff.hours, before?.handoff.hours, (range) => range) },
  }
}

/** The document that the draft stands for: without what was removed, and without what hangs on it. */
export function toPlain(draft: SettingsDraft): PlainSettings {
  const services = liveRows(draft.services)
  const serviceKeys = new Set(services.map(({ key }) => key))
  return {
    ...draft,
    services: services.map(withoutRow),
    professionals: liveRows(draft.professionals).map((professional) => ({
      ...withoutRow(professional),
      services: professional.services.filter((key) => serviceKeys.has(key)),
      hours: liveRows(professional.hours).map(withoutRow),
    })),
    exceptions: liveExceptions(draft).map((exception) => ({
      ...withoutRow(exception),
      hours: liveRows(exception.hours).map(withoutRow),
    })),
    handoff: { ...draft.handoff, hours: liveRows(draft.handoff.hours).map(withoutRow) },
  }
}

export function liveRows<Item extends Row>(rows: readonly Item[]): Item[] {
  return rows.filter(({ isRemoved }) => !isRemoved)
}

/** An exception goes with its professional. */
export function liveExceptions({ exceptions, professionals }: SettingsDraft): ExceptionRow[] {
  const gone = new Set(professionals.filter(({ isRemoved }) => isRemoved).map(({ key }) => key))
  for (const { key } of liveRows(professionals)) gone.delete(key)
  return liveRows(exceptions).filter(({ professional }) => professional === null || !gone.has(professional))
}

export function changeRow<Item extends Row>(
  rows: readonly Item[],
  rowId: string,
  change: Partial<Item>,
): Item[] {
  return rows.map((row) => (row.rowId === rowId ? { ...row, ...change } : row))
}

export function newRow(): Row {
  rowCount += 1
  return { rowId: `row-${rowCount}`, isRemoved: false, isNew: true }
}

/** A key of the document for a name, other than those that are taken: `Corte & barba` → `corte-barba`. */
export function keyFor(name: string, taken: readonly string[]): string {
  const words = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{Mn}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 36)
  const base = words === '' ? 'item' : words
  let key = base
  for (let count = 2; taken.includes(key); count += 1) key = `${base}-${count}`
  return key
}

let rowCount = 0

function rowsOf<Plain extends object, Old extends Row, Made extends object>(
  items: readonly Plain[],
  before: readonly Old[] | undefined,
  make: (item: Plain, old: Old | undefined) => Made,
): (Made & Row)[] {
  const old = liveRows(before ?? [])
  const isSame = old.length === items.length
  return items.map((item, index) => {
    const match = isSame ? old[index] : undefined
    return { ...make(item, match), ...newRow(), ...(match && { rowId: match.rowId }), isNew: false }
  })
}

function withoutRow<Item extends Row>(row: Item): Omit<Item, keyof Row> {
  const { rowId: _rowId, isRemoved: _isRemoved, isNew: _isNew, ...plain } = row
  return plain
}
