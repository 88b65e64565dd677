import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type AppointmentDto, appointmentDtoSchema } from '../contracts/staff-api.ts'
import { type Reader, type SqlReader, type SqlTx, sql } from '../db/index.ts'
import type { Locale } from '../shared/locale.ts'
import { idempotencyMismatch } from './errors.ts'
import { fromMilliseconds } from './instants.ts'
import { lockIdempotencyKey } from './locks.ts'

/** What a write is known by. */
export type Operation = 'book_appointment' | 'reschedule_appointment' | 'cancel_appointment'

export interface Idempotency {
  readonly operation: Operation
  readonly key: string
  /** What was asked; the same key with another request is a mistake of the caller. */
  readonly request: unknown
}

/**
 * The answer that was given under the key before, or null. From here on nobody else works under the key
 * until the transaction ends: of 50 at once one does the work and 49 read its answer.
 * @throws DomainError `idempotency_mismatch`
 */
export async function replay(
  tx: SqlTx,
  tenantId: string,
  { operation, key, request }: Idempotency,
  loadLocale: () => Promise<Locale>,
): Promise<AppointmentDto | null> {
  await lockIdempotencyKey(tx, tenantId, operation, key)
  const record = await findRecord(tx, tenantId, operation, key)
  if (record === null) return null
  if (record.fingerprint !== fingerprint(request)) throw idempotencyMismatch(await loadLocale())
  return record.result
}

/** Keeps the answer for whoever asks again with the same key. */
export async function remember(
  tx: SqlTx,
  tenantId: string,
  { operation, key, request }: Idempotency,
  result: AppointmentDto,
  now: number,
): Promise<void> {
  await tx.$executeRaw(sql`insert into idempotency_records
      (tenant_id, operation, idempotency_key, fingerprint, result, created_at)
    values (${tenantId}::uuid, ${operation}, ${key}, decode(${fingerprint(request)}, 'hex'), ${JSON.stringify(result)}::jsonb,
      ${fromMilliseconds(now)})`)
}

/** What a write under this key did, or null when it did nothing; waits for one that is still at work. */
export async function lookUp(
  reader: Reader,
  tenantId: string,
  operation: Operation,
  key: string,
): Promise<AppointmentDto | null> {
  await lockIdempotencyKey(reader, tenantId, operation, key)
  const record = await findRecord(reader, tenantId, operation, key)
  return record?.result ?? null
}

const records = z.array(z.object({ fingerprint: z.string(), result: appointmentDtoSchema })).max(1)

async function findRecord(reader: SqlReader, tenantId: string, operation: Operation, key: string) {
  const rows = await reader.$queryRaw(sql`select encode(fingerprint, 'hex') as fingerprint, result
    from idempotency_records
    where tenant_id = ${tenantId}::uuid and operation = ${operation} and idempotency_key = ${key}`)
  return records.parse(rows)[0] ?? null
}

/** The callers build `request` literally, so equal requests have equal text. */
function fingerprint(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex')
}
