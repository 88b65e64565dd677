import { rawSql, type Sql, sql } from '../db/index.ts'

/** Epoch milliseconds as a `timestamptz` of a query; any year, also those that ISO text has no four digits for. */
export function fromMilliseconds(instant: number): Sql {
  return sql`to_timestamp(${instant / 1000}::float8)`
}

/** A `timestamptz` column (a constant of the code) as epoch milliseconds. */
export function asMilliseconds(column: string): Sql {
  return rawSql(`(extract(epoch from ${column}) * 1000)::bigint`)
}
