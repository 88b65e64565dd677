/**
 * The form that all understanding works on: lower case, without accents, single spaces. `2ª` becomes `2a` and
 * full-width forms become plain ones (Unicode NFKC).
 */
export function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[’‘`´']/g, '')
    .replace(/[“”"*_~]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The words of a normalised text. */
export function wordsOf(normalized: string): string[] {
  return normalized.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Replaces what was understood, so that a later reading does not take it again. */
export const MASK = ' ; '

export interface Taken {
  match: RegExpExecArray
  rest: string
}

/** The first match of `pattern` (not global) and the text without it; null when there is none. */
export function take(text: string, pattern: RegExp): Taken | null {
  const match = pattern.exec(text)
  if (match === null) return null
  return { match, rest: text.slice(0, match.index) + MASK + text.slice(match.index + match[0].length) }
}
