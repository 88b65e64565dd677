import type { BlockedTimes } from './blocked-time.ts'
import type { Refused, Wish } from './explain-refusal.ts'

/** Nobody can be had at the wanted start. Explained outside the transaction, when its locks are gone. */
export class StartRefused extends Error {
  readonly wish: Wish
  readonly refused: readonly Refused[]
  /** What is taken as far as the explanation looks. */
  readonly blocked: BlockedTimes

  constructor(wish: Wish, refused: readonly Refused[], blocked: BlockedTimes) {
    super('no candidate can be had at the wanted start')
    this.wish = wish
    this.refused = refused
    this.blocked = blocked
  }
}
