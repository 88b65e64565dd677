/**
 * A model without a model: answers a Messages API request by a guided dialogue, so that customers are served
 * when there is no key or the API is down. Deterministic and without memory: everything it knows is in the
 * request's messages (the customer's words and taps, earlier tool calls and their results, its own texts, the
 * block of facts), and it is read anew each time:
 *
 *   messages → turns (`read-turns`) → state (`apply-input`, `dialogue-state`) → next action (`policy/`) → message
 *
 * Words are read by rules (`understand/`), never guessed: what writes is always shown and confirmed first, by a
 * choice whose id carries exactly what will be done.
 */
import { createHash } from 'node:crypto'
import type { Model, ModelCallOptions, ModelRequest, ModelResponse } from '../../agent/types.ts'
import type { Locale } from '../../shared/locale.ts'
import type { Action } from './policy/action.ts'
import { nextAction, tellDone } from './policy/next-action.ts'
import type { View } from './policy/view.ts'
import { readView } from './read-view.ts'

export interface GuidedModelOptions {
  /** For requests whose block of facts names none. */
  locale?: Locale
}

const GUIDED_MODEL_ID = 'guided'

export function createGuidedModel(options: GuidedModelOptions = {}): Model {
  const fallback = options.locale ?? 'pt-BR'
  return { complete: async (request, call) => answer(request, call, fallback) }
}

function answer(request: ModelRequest, call: ModelCallOptions, fallback: Locale): ModelResponse {
  const view = readView(request.messages, fallback)
  const digest = digestOf(request, call)
  if (request.tool_choice.type === 'none') return message(digest, finalAnswer(view))
  const action = nextAction(view)
  return message(digest, usable(action, request, view))
}

/** No tools may be called any more: what is done is told, the rest is a person's. */
function finalAnswer(view: View): Action {
  const done = tellDone(view)
  return done ?? { kind: 'text', text: view.texts.finalAnswer }
}

/** Text in place of a tool that is not there, or that was refused in this turn. */
function usable(action: Action, request: ModelRequest, { turn, texts }: View): Action {
  const name = toolOf(action)
  if (name === null) return action
  const isThere = request.tools.some((tool) => tool.name === name)
  const wasRefused = action.kind !== 'call' && turn.calls.some((call) => call.name === name && call.isError)
  if (isThere && !wasRefused) return action
  if (action.kind !== 'offer') return { kind: 'text', text: texts.failure }
  const options = action.choices.map(({ title }, index) => `${index + 1}. ${title}`)
  return { kind: 'text', text: [action.text, '', ...options].join('\n') }
}

function toolOf(action: Action): string | null {
  switch (action.kind) {
    case 'call':
      return action.name
    case 'offer':
      return 'offer_choices'
    case 'transfer':
      return 'transfer_to_human'
    case 'text':
      return null
  }
}

function message(digest: string, action: Action): ModelResponse {
  const name = toolOf(action)
  const isText = action.kind === 'text'
  return {
    id: `msg_guided_${digest}`,
    model: GUIDED_MODEL_ID,
    role: 'assistant',
    content:
      action.kind === 'text'
        ? [{ type: 'text', text: action.text }]
        : [{ type: 'tool_use', id: `guided_${digest}`, name: name ?? '', input: inputOf(action) }],
    stop_reason: isText ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  }
}

function inputOf(action: Exclude<Action, { kind: 'text' }>): Record<string, unknown> {
  if (action.kind === 'call') return action.input
  if (action.kind === 'offer') return { text: action.text, choices: action.choices }
  return { reason: 'customer_request', summary: action.summary }
}

/** Unique per run and step; the conversation is in it for callers that number their requests otherwise. */
function digestOf({ messages }: ModelRequest, { runId, attemptIndex }: ModelCallOptions): string {
  return createHash('sha256')
    .update(JSON.stringify([runId, attemptIndex, messages.length, messages]))
    .digest('hex')
    .slice(0, 24)
}
