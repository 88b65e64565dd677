import { createHash } from 'node:crypto'
import { type AppointmentDto, appointmentDtoSchema } from '../contracts/staff-api.ts'
import { jsonInput, type Reader, type Tx } from '../db/index.ts'
import type { Locale } from '../shared/locale.ts'
import { idempotencyMismatch } from './errors.ts'
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
  tx: Tx,
  tenantId: string,
  { operation, key, request }: Idempotency,
  loadLocale: () => Promise<Locale>,
): Promise<AppointmentDto | null> {
  await lockIdempotencyKey(tx, tenantId, operation, key)
  const record = await findRecord(tx, tenantId, operation, key)
  if (record === null) return null
  if (!fingerprint(request).equals(record.fingerprint)) throw idempotencyMismatch(await loadLocale())
  return appointmentDtoSchema.parse(record.result)
}

/** Keeps the answer for whoever asks again with the same key. */
export async function remember(
  tx: Tx,
  tenantId: string,
  { operation, key, request }: Idempotency,
  result: AppointmentDto,
  now: number,
): Promise<void> {
  await tx.idempotencyRecord.create({
    data: {
      tenantId,
      operation,
      idempotencyKey: key,
      fingerprint: Uint8Array.from(fingerprint(request)),
      result: jsonInput(result),
      createdAt: new Date(now),
    },
  })
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
  return record === null ? null : appointmentDtoSchema.parse(record.result)
}

async function findRecord(reader: Reader | Tx, tenantId: string, operation: Operation, key: string) {
  return reader.idempotencyRecord.findUnique({
    where: { tenantId_operation_idempotencyKey: { tenantId, operation, idempotencyKey: key } },
  })
}

/** The callers build `request` literally, so equal requests have equal text. */
function fingerprint(request: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(request)).digest()
}
