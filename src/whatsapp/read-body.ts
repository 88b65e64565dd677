import { storable } from '../shared/storable.ts'
import { asRecord, looseSeconds } from './loose.ts'

/** The stored body as JSON that can be stored again: a customer's odd message must not be refused for ever. */
export function readBody(bytes: Uint8Array): unknown {
  return storable(JSON.parse(Buffer.from(bytes).toString('utf8')))
}

/** Meta's time of the entry that an update's path begins with (epoch ms), or null. */
export function entryTime(body: unknown, path: string): number | null {
  const entries = asRecord(body)?.['entry']
  const index = /^entry\[(\d+)\]/.exec(path)?.[1]
  if (!Array.isArray(entries) || index === undefined) return null
  return looseSeconds.parse(asRecord(entries[Number(index)])?.['time'])
}
