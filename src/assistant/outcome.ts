import type { EndTurn, RunResult } from '../agent/types.ts'
import type { OutboundChoice } from '../conversations/outbound-channel.ts'
import type { HandoffReason } from '../shared/handoff-reason.ts'
import { offerChoicesInput, transferToHumanInput } from './tools/end-turn-tools.ts'

/**
 * What the customer and the queue get from a run: one table from how it ended.
 *
 * | ended | customer | queue |
 * |---|---|---|
 * | an answer | the answer | `tool_failure` when a tool failed for infrastructure or a bug |
 * | `tool_call:offer_choices` | text with buttons or a list | as above (then as plain text) |
 * | `tool_call:transfer_to_human` | what the model wrote, with the notice | `customer_request` |
 * | a limit | the forced final answer, if it gave one, with the notice | the limit's reason |
 * | the loop's own endings, a fault | the notice | their reason |
 * | superseded | nothing | nothing |
 */
export interface Outcome {
  readonly reply: Reply | null
  readonly handoff: OutcomeHandoff | null
}

export interface OutcomeHandoff {
  readonly reason: HandoffReason
  /** The model's, for the person; null: to be written from the facts. */
  readonly summary: string | null
  /** A word more on the reason, e.g. the category of a refusal. */
  readonly detail: string | null
}

export interface Reply {
  readonly text: string
  readonly choices: readonly OutboundChoice[]
}

/** Beginnings of the stop conditions' words, as the library writes them, and the limit each is. */
const LIMIT_WORDS: readonly (readonly [prefix: string, reason: HandoffReason])[] = [
  ['step_count:', 'step_limit'],
  ['max_steps:', 'step_limit'],
  ['max_input_tokens:', 'token_limit'],
  ['max_tokens:', 'token_limit'],
  ['max_cost:', 'cost_limit'],
  ['max_duration:', 'time_limit'],
  ['daily_cost', 'cost_limit'],
  ['finish_reason:refusal', 'refusal'],
]

const OWN_ENDINGS: ReadonlySet<string> = new Set<HandoffReason>([
  'refusal',
  'truncated_tool_use',
  'unknown_stop_reason',
  'empty_answer',
  'context_window',
  'pause_limit',
  'model_unavailable',
  'model_error',
])

export type EndedRun = Pick<
  RunResult,
  'status' | 'stopReason' | 'text' | 'endTurn' | 'toolFailures' | 'refusalCategory'
>

export function outcomeOf(run: EndedRun): Outcome {
  switch (run.status) {
    case 'superseded':
      return { reply: null, handoff: null }
    case 'failed':
      return { reply: null, handoff: { reason: 'model_error', summary: null, detail: null } }
    case 'completed':
      return { reply: { text: run.text, choices: [] }, handoff: failedTools(run) }
    case 'stopped':
      return run.endTurn === null ? limitOutcome(run) : endTurnOutcome(run, run.endTurn)
  }
}

function endTurnOutcome(run: EndedRun, endTurn: EndTurn): Outcome {
  if (endTurn.name === 'transfer_to_human') {
    const { reason, summary } = transferToHumanInput.parse(endTurn.input)
    return {
      reply: replyText(run.text),
      handoff: { reason: 'customer_request', summary, detail: isCode(reason) ? null : reason },
    }
  }
  const offer = offerChoicesInput.parse(endTurn.input)
  const choices = offer.choices.map(
    ({ id, title, description }): OutboundChoice => ({
      id,
      title,
      ...(description === undefined ? {} : { description }),
    }),
  )
  const handoff = failedTools(run)
  // With people taking over, nobody of ours would act on a tap.
  return { reply: { text: offer.text, choices: handoff === null ? choices : [] }, handoff }
}

function limitOutcome(run: EndedRun): Outcome {
  const limit = LIMIT_WORDS.find(([prefix]) => run.stopReason.startsWith(prefix))
  const reason = limit?.[1] ?? ownEnding(run.stopReason)
  const detail = reason === 'refusal' ? run.refusalCategory : null
  return { reply: replyText(run.text), handoff: { reason, summary: null, detail } }
}

function ownEnding(word: string): HandoffReason {
  return isOwnEnding(word) ? word : 'model_error'
}

function isOwnEnding(word: string): word is HandoffReason {
  return OWN_ENDINGS.has(word)
}

function failedTools(run: EndedRun): Outcome['handoff'] {
  return run.toolFailures.length === 0 ? null : { reason: 'tool_failure', summary: null, detail: null }
}

/** A word of ours (the guided model's), which says nothing to a person. */
function isCode(reason: string): boolean {
  return /^[a-z_]+$/.test(reason)
}

function replyText(text: string): Reply | null {
  return text === '' ? null : { text, choices: [] }
}
