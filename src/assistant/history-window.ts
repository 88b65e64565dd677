import { joinMessages } from '../agent/history.ts'
import type { HistoryMessage } from '../agent/types.ts'
import { mediaTokens } from '../media/media-for-model.ts'

/**
 * How much of the past goes to the model, in tokens as bytes / 4 estimates them. Older turns are left out;
 * what matters of them (appointments, name) stands in the facts of the newest message.
 */
export const HISTORY_TOKENS = 16_000

/** One turn of the past: the message that opened its run and what the run added. */
export interface PastTurn {
  readonly opening: HistoryMessage
  readonly appended: readonly HistoryMessage[]
}

/**
 * The turns that fit, oldest first, as one history. Cut at turns only, so never between a tool call and its
 * result. When the budget is passed it falls to half at once and then grows again: a cut that moved with every
 * turn would change the beginning of every request, and nothing of it could be read from the prompt cache.
 */
export function historyWindow(turns: readonly PastTurn[], budgetTokens = HISTORY_TOKENS): HistoryMessage[] {
  const sizes = turns.map(
    (turn) => Math.ceil(Buffer.byteLength(JSON.stringify(turn)) / 4) + mediaTokens(turn.opening.content),
  )
  let first = 0
  let total = 0
  for (const [index, size] of sizes.entries()) {
    total += size
    if (total <= budgetTokens) continue
    while (first < index && total > budgetTokens / 2) {
      total -= sizes[first] ?? 0
      first += 1
    }
  }
  return joinMessages(...turns.slice(first).map((turn) => [turn.opening, ...turn.appended]))
}
