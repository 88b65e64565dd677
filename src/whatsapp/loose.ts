import { z } from 'zod'

/**
 * Lenient building blocks for what Meta sends. None of them fails: a field that is missing, empty or of the
 * wrong type reads as `null`, so that one odd field never costs a whole message.
 */

/** Non-empty text; numbers become text, since ids have come both ways. */
export const looseText = z
  .union([z.string().min(1), z.number().transform(String)])
  .nullable()
  .catch(null)

export const looseNumber = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .nullable()
  .catch(null)

export const looseFlag = z.boolean().catch(false)

export const looseRecord = z.record(z.string(), z.unknown()).nullable().catch(null)

export const looseList = z.array(z.unknown()).catch([])

/** 9999-12-31T23:59:59Z: what is later is no time, and no database takes it. */
const LAST_SECOND = 253_402_300_799

/** Unix seconds, as text or number, to milliseconds; null for what cannot be a time. */
export const looseSeconds = looseNumber.transform((seconds) =>
  seconds === null || seconds < 0 || seconds > LAST_SECOND ? null : seconds * 1000,
)

/** The value as an object, or `null` for anything else (arrays too). */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return Array.isArray(value) ? null : looseRecord.parse(value)
}
