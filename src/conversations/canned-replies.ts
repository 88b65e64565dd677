import { CANNED_PLACEHOLDERS, type CannedPlaceholder } from '../contracts/dashboard-api.ts'
import { type CannedReplyModel, classifyDatabaseError, type Reader, type Tx } from '../db/index.ts'
import { AppError } from '../shared/app-error.ts'
import { isId, newId } from '../shared/ids.ts'

export interface CannedReplyInput {
  readonly shortcut: string
  readonly text: string
}

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The tenant's canned replies by shortcut. */
export async function listCannedReplies(reader: Reader): Promise<CannedReplyModel[]> {
  return reader.cannedReply.findMany({
    where: { tenantId: reader.tenantId },
    orderBy: { shortcut: 'asc' },
  })
}

/** @throws AppError `not_found`. */
export async function getCannedReply(reader: Reader, id: string): Promise<CannedReplyModel> {
  const { tenantId } = reader
  const reply = isId(id)
    ? await reader.cannedReply.findUnique({ where: { tenantId_id: { tenantId, id } } })
    : null
  if (reply === null) throw cannedReplyNotFound()
  return reply
}

/**
 * The caller's transaction ends with an error when the shortcut is taken: see {@link asShortcutTaken}.
 * @throws AppError `unknown_placeholder`.
 */
export async function createCannedReply(
  tx: Tx,
  input: CannedReplyInput,
  now: number,
): Promise<CannedReplyModel> {
  assertPlaceholders(input.text)
  const at = new Date(now)
  return tx.cannedReply.create({
    data: { tenantId: tx.tenantId, id: newId(), ...input, createdAt: at, updatedAt: at },
  })
}

/** As {@link createCannedReply}; what is left out stays. @throws AppError `not_found` too. */
export async function changeCannedReply(
  tx: Tx,
  id: string,
  change: Partial<CannedReplyInput>,
  now: number,
): Promise<CannedReplyModel> {
  await getCannedReply(tx, id)
  if (change.text !== undefined) assertPlaceholders(change.text)
  return tx.cannedReply.update({
    where: { tenantId_id: { tenantId: tx.tenantId, id } },
    data: { ...change, updatedAt: new Date(now) },
  })
}

/** @throws AppError `not_found`. */
export async function deleteCannedReply(tx: Tx, id: string): Promise<void> {
  await getCannedReply(tx, id)
  await tx.cannedReply.delete({ where: { tenantId_id: { tenantId: tx.tenantId, id } } })
}

/** Another reply of the tenant has the shortcut: what the database's refusal means. */
export function asShortcutTaken(error: unknown): unknown {
  if (classifyDatabaseError(error).kind !== 'unique') return error
  return new AppError('shortcut_taken', 'another canned reply has this shortcut', { cause: error })
}

/**
 * Fills `{{placeholders}}` in. Those without a value stay as they are and are named, so that nobody sends them
 * unseen.
 */
export function fillPlaceholders(
  text: string,
  values: Readonly<Partial<Record<CannedPlaceholder, string | null>>>,
): { readonly filled: string; readonly missing: string[] } {
  const missing = new Set<string>()
  const filled = text.replace(PLACEHOLDER, (whole, word: string) => {
    const value = isPlaceholder(word) ? values[word] : null
    if (value !== null && value !== undefined && value !== '') return value
    missing.add(word)
    return whole
  })
  return { filled, missing: [...missing] }
}

function assertPlaceholders(text: string): void {
  for (const [, word = ''] of text.matchAll(PLACEHOLDER)) {
    if (isPlaceholder(word)) continue
    const known = CANNED_PLACEHOLDERS.join(', ')
    throw new AppError('unknown_placeholder', `text: "{{${word}}}" is not one of ${known}`)
  }
}

function isPlaceholder(word: string): word is CannedPlaceholder {
  return CANNED_PLACEHOLDERS.some((known) => known === word)
}

function cannedReplyNotFound(): AppError {
  return new AppError('not_found', 'there is no such canned reply')
}
