import { rawSql, type Sql, sql } from '../db/index.ts'

/**
 * Accents that people leave out when they search, by the letter they are found under. Done with translate():
 * the extension unaccent may not be there, and lower() leaves `Á` alone in a database of locale C.
 */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  a: 'áàâãäåÁÀÂÃÄÅ',
  c: 'çÇ',
  e: 'éèêëÉÈÊË',
  i: 'íìîïÍÌÎÏ',
  n: 'ñÑ',
  o: 'óòôõöøÓÒÔÕÖØ',
  u: 'úùûüÚÙÛÜ',
  y: 'ýÿÝ',
}

/** Marks of decomposed letters: grave, acute, circumflex, tilde, diaeresis, ring, cedilla. */
const MARKS = '\u0300\u0301\u0302\u0303\u0308\u030A\u0327'

const FROM = Object.values(PLAIN_LETTERS).join('')
const TO = Object.entries(PLAIN_LETTERS)
  .map(([plain, accented]) => plain.repeat(accented.length))
  .join('')

/** A text column without case and accents. What `translate` finds no partner for (the marks) goes away. */
export function foldedSql(column: string): Sql {
  return sql`lower(translate(${rawSql(column)}, ${FROM + MARKS}, ${TO}))`
}

/** The same for what was typed into the search, as a LIKE pattern that matches anywhere. */
export function foldedPattern(text: string): string {
  const folded = [...text.normalize('NFC')]
    .map((letter) => {
      const at = FROM.indexOf(letter)
      return at < 0 ? letter : TO.charAt(at)
    })
    .join('')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
  return `%${folded.replace(/[\\%_]/g, '\\$&')}%`
}
