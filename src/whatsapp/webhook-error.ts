import { z } from 'zod'
import { asRecord, looseNumber, looseText } from './loose.ts'
import type { WebhookError } from './webhook-types.ts'

/** Of an error that names none: no code of Meta's, of which 0 is one (the token is refused). */
const NO_CODE = -1

const errorSchema = z.object({
  code: looseNumber,
  title: looseText,
  message: looseText,
  error_data: z.object({ details: looseText }).catch({ details: null }),
})

/** Reads an `errors[]` list, in messages, statuses and values alike; entries that are not objects are dropped. */
export function parseErrors(items: readonly unknown[]): WebhookError[] {
  return items.flatMap((item) => {
    const raw = asRecord(item)
    if (raw === null) return []
    const error = errorSchema.parse(raw)
    const detail = error.error_data.details ?? error.message ?? error.title ?? ''
    return [{ code: error.code ?? NO_CODE, detail, raw }]
  })
}
