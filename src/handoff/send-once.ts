import { createHash } from 'node:crypto'
import { type MessageDto, messageDtoSchema } from '../contracts/staff-api.ts'
import { jsonInput, sql, type Tx } from '../db/index.ts'
import { AppError } from '../shared/app-error.ts'

const OPERATION = 'send_message'

export interface SendKey {
  /** Chosen by the client, of one person of the staff. */
  readonly key: string
  readonly staffId: string
  /** What was asked, conversation included. */
  readonly request: unknown
}

/**
 * Runs `send` once for each key of a person: who asks again with the same request gets the first answer, also
 * when many ask at once.
 * @throws AppError `idempotency_mismatch` when the key came with another request before.
 */
export async function sendOnce(
  tx: Tx,
  { key, staffId, request }: SendKey,
  now: number,
  send: () => Promise<MessageDto>,
): Promise<MessageDto> {
  const { tenantId } = tx
  const idempotencyKey = `${staffId}:${key}`
  const fingerprint = createHash('sha256').update(JSON.stringify(request)).digest()
  const lock = `idempotency:${tenantId}:${OPERATION}:${idempotencyKey}`
  await tx.$queryRaw(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))::text`)
  const record = await tx.idempotencyRecord.findUnique({
    where: { tenantId_operation_idempotencyKey: { tenantId, operation: OPERATION, idempotencyKey } },
  })
  if (record !== null) {
    if (!fingerprint.equals(record.fingerprint)) throw idempotencyMismatch()
    return messageDtoSchema.parse(record.result)
  }
  const result = await send()
  await tx.idempotencyRecord.create({
    data: {
      tenantId,
      operation: OPERATION,
      idempotencyKey,
      fingerprint: Uint8Array.from(fingerprint),
      result: jsonInput(result),
      createdAt: new Date(now),
    },
  })
  return result
}

function idempotencyMismatch(): AppError {
  return new AppError('idempotency_mismatch', 'the Idempotency-Key was used for another request')
}
