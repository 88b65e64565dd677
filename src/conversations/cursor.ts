import { z } from 'zod'
import { AppError } from '../shared/app-error.ts'

/** Where a page ended: the sort key of its last row (epoch ms) and its id, which breaks ties. */
export interface PagePosition {
  readonly at: number
  readonly id: string
}

const position = z.tuple([z.int(), z.uuid()])

/** Opaque to clients. */
export function encodeCursor({ at, id }: PagePosition): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url')
}

/** @throws AppError `invalid_cursor` for anything that {@link encodeCursor} did not make. */
export function decodeCursor(cursor: string): PagePosition {
  try {
    const [at, id] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
    return { at, id }
  } catch (error) {
    throw new AppError('invalid_cursor', 'the cursor is not one of this list', { cause: error })
  }
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}
