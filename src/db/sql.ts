import { Prisma } from './generated/client.ts'

/** A value that may be written to a `json`/`jsonb` column. */
export type JsonInput = Prisma.InputJsonValue
/** A piece of SQL with its parameters, made by {@link sql}. */
export type Sql = Prisma.Sql

/** Tagged template of a piece of SQL: every `${value}` becomes a parameter, another piece is spliced in. */
export const sql = Prisma.sql
/** The empty piece, for a condition that is not there. */
export const emptySql = Prisma.empty
/** Joins pieces or values: `joinSql(ids)` gives `$1,$2`; throws when the list is empty. */
export const joinSql = Prisma.join
/** Text put into the statement as it is. Constants only: nothing that came from outside. */
export const rawSql = Prisma.raw

/**
 * Turns any value that has a JSON form into what a JSON column takes (dates become strings, undefined
 * properties go away, as `JSON.stringify` does).
 * @throws TypeError when `value` has no JSON form, or is null (SQL NULL and JSON null differ).
 */
export function jsonInput(value: unknown): JsonInput {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined || text === 'null') throw new TypeError('not a value for a JSON column')
  const parsed: JsonInput = JSON.parse(text)
  return parsed
}
