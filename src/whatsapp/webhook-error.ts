import { z } from 'zod'
import { asRecord, looseNumber, looseText } from './loose.ts'
import type { WebhookError } from './webhook-types.ts'

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
    return [{ code: error.code ?? 0, detail, raw }]
  })
}
