import type { Lexicon } from './lexicon-type.ts'
import { normalize, wordsOf } from './normalize.ts'

export interface Named {
  key: string
  name: string
}

/**
 * The services that a text may mean: the best match alone, or all that match equally well; none when nothing does.
 * A word counts when it is the name's, when one letter is wrong in four or more, or when it shares the name's stem
 * (`cortar`, `corte`).
 */
export function findServices<T extends Named>(words: string, services: readonly T[], lexicon: Lexicon): T[] {
  const said = wordsOf(words).filter((word) => !lexicon.fillers.has(word))
  const scored = services
    .map((service) => ({ service, ...scoreOf(said, service, lexicon) }))
    .filter(({ matched }) => matched > 0)
  const best = Math.max(0, ...scored.map(({ matched }) => matched))
  const most = scored.filter(({ matched }) => matched === best)
  const coverage = Math.max(0, ...most.map((entry) => entry.coverage))
  return most.filter((entry) => entry.coverage === coverage).map(({ service }) => service)
}

/** The professional that a text names; null when none or several. Short names need `com` for a typo to pass. */
export function findProfessional<T extends Named>(
  words: string,
  professionals: readonly T[],
  lexicon: Lexicon,
): T | null {
  const said = wordsOf(words)
  const afterWith = new Set(
    [...words.matchAll(new RegExp(`\\b(?:${lexicon.with}) ([\\p{L}\\p{N}]+)`, 'gu'))].map(
      (match) => match[1] ?? '',
    ),
  )
  const scores = professionals.map((professional) => {
    const parts = wordsOf(normalize(professional.name)).filter((part) => part.length > 1 && !TITLES.has(part))
    const hits = parts.map((part) =>
      Math.max(0, ...said.map((word) => nameMatch(word, part, afterWith, lexicon))),
    )
    return { professional, score: hits.reduce((sum, hit) => sum + hit, 0) }
  })
  const best = Math.max(0, ...scores.map(({ score }) => score))
  const found = scores.filter(({ score }) => score === best && best > 0)
  return found.length === 1 ? (found[0]?.professional ?? null) : null
}

const TITLES = new Set(['dr', 'dra', 'sr', 'sra', 'da', 'de', 'do', 'dos'])

function scoreOf(
  said: readonly string[],
  service: Named,
  lexicon: Lexicon,
): { matched: number; coverage: number } {
  const parts = wordsOf(normalize(service.name)).filter((part) => !lexicon.fillers.has(part))
  const names = parts.length > 0 ? parts : wordsOf(normalize(service.name))
  let matched = 0
  for (const part of names) matched += Math.max(0, ...said.map((word) => serviceMatch(word, part)))
  return { matched, coverage: names.length === 0 ? 0 : matched / names.length }
}

function serviceMatch(word: string, part: string): number {
  if (word === part) return 1
  if (part.length >= 4 && word.length >= 4 && word[0] === part[0] && withinOneEdit(word, part)) return 0.9
  return sharesStem(word, part) ? 0.6 : 0
}

function nameMatch(word: string, part: string, afterWith: ReadonlySet<string>, lexicon: Lexicon): number {
  if (word === part) return lexicon.fillers.has(word) && !afterWith.has(word) ? 0 : 1
  if (lexicon.fillers.has(word) || !withinOneEdit(word, part)) return 0
  if (afterWith.has(word) && word.length >= 2) return 0.8
  return part.length >= 5 && word[0] === part[0] ? 0.7 : 0
}

function sharesStem(word: string, part: string): boolean {
  let shared = 0
  while (shared < word.length && shared < part.length && word[shared] === part[shared]) shared += 1
  const shorter = Math.min(word.length, part.length)
  return shared >= 4 && shared >= shorter - 2 && Math.abs(word.length - part.length) <= 4
}

/** One letter more, less or other, or two neighbours swapped. */
function withinOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end += 1
  const left = a.slice(start, a.length - end)
  const right = b.slice(start, b.length - end)
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}
