/**
 * Brings what somebody edits together with what somebody else saved meanwhile: of each field the one that was
 * changed counts. Where both changed the same field, the edit stays on the screen and is named as a conflict,
 * so that nothing of the other is lost unseen.
 */
import type { PlainSettings } from './draft-document.ts'

export interface MergedSettings {
  readonly merged: PlainSettings
  /** Dotted paths in `merged` that both changed, with what the other one saved. */
  readonly conflicts: readonly Conflict[]
}

export interface Conflict {
  readonly path: string
  readonly theirs: unknown
}

/** @param base what both started from. */
export function mergeSettings(
  base: PlainSettings,
  mine: PlainSettings,
  theirs: PlainSettings,
): MergedSettings {
  const conflicts: Conflict[] = []
  const { services, professionals, exceptions, policy, handoff, texts: _texts, ...others } = mine
  const texts = mergeTexts(base.texts, mine.texts, theirs.texts, conflicts)
  const merged = {
    ...mergeFields(base, others, theirs, '', conflicts),
    ...(texts === undefined ? {} : { texts }),
    policy: mergeFields(base.policy, policy, theirs.policy, 'policy.', conflicts),
    handoff: mergeFields(base.handoff, handoff, theirs.handoff, 'handoff.', conflicts),
    services: mergeKeyed(base.services, services, theirs.services, 'services', conflicts),
    professionals: mergeKeyed(
      base.professionals,
      professionals,
      theirs.professionals,
      'professionals',
      conflicts,
    ),
    exceptions: mergeSets(base.exceptions, exceptions, theirs.exceptions),
  }
  return { merged, conflicts }
}

/** Field by field, of those that `mine` has. @param base null when both are new. */
function mergeFields<Fields extends object>(
  base: Fields | null,
  mine: Fields,
  theirs: Fields,
  prefix: string,
  conflicts: Conflict[],
): Fields {
  const merged = { ...mine }
  for (const name of namesOf(mine)) {
    if (isSame(mine[name], theirs[name]) || isSame(theirs[name], base?.[name])) continue
    if (isSame(mine[name], base?.[name])) merged[name] = theirs[name]
    else conflicts.push({ path: `${prefix}${name}`, theirs: theirs[name] })
  }
  return merged
}

type Texts = PlainSettings['texts']

/** Off is to be without them, so they are a field that may be missing. */
function mergeTexts(base: Texts, mine: Texts, theirs: Texts, conflicts: Conflict[]): Texts {
  if (isSame(mine, base)) return theirs
  if (!isSame(theirs, base) && !isSame(mine, theirs)) {
    const { reopenTemplate } = theirs ?? {}
    const said = reopenTemplate === undefined ? null : `${reopenTemplate.name} (${reopenTemplate.language})`
    conflicts.push({ path: 'texts.reopenTemplate', theirs: said })
  }
  return mine
}

/** Items by key. What one changed and the other removed stays: to remove it again is a click. */
function mergeKeyed<Item extends { readonly key: string }>(
  base: readonly Item[],
  mine: readonly Item[],
  theirs: readonly Item[],
  section: string,
  conflicts: Conflict[],
): Item[] {
  const find = (items: readonly Item[], key: string) => items.find((item) => item.key === key)
  const merged: Item[] = []
  const add = (item: Item) => merged.push(item)
  for (const item of mine) {
    const before = find(base, item.key)
    const other = find(theirs, item.key)
    const prefix = `${section}.${merged.length}.`
    if (other !== undefined) add(mergeFields(before ?? null, item, other, prefix, conflicts))
    else if (before === undefined || !isSame(before, item)) add(item)
  }
  for (const item of theirs) {
    if (find(mine, item.key) !== undefined) continue
    const before = find(base, item.key)
    if (before === undefined || !isSame(before, item)) add(item)
  }
  return merged
}

/** Items without a name: an edit is one that went and one that came. */
function mergeSets<Item>(base: readonly Item[], mine: readonly Item[], theirs: readonly Item[]): Item[] {
  const has = (items: readonly Item[], item: Item) => items.some((other) => isSame(other, item))
  const kept = theirs.filter((item) => !has(base, item) || has(mine, item))
  return [...kept, ...mine.filter((item) => !has(base, item) && !has(kept, item))]
}

function namesOf<Fields extends object>(fields: Fields): (keyof Fields & string)[] {
  return Object.keys(fields).filter((name): name is keyof Fields & string => name in fields)
}

/** Both come from JSON; the order of an object's keys says nothing. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]))
  }
  if (!isObject(one) || !isObject(other)) return one === other
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
