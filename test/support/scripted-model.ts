import type {
  ContentBlockParam,
  Model,
  ModelCallOptions,
  ModelRequest,
  ModelResponse,
  ResponseUsage,
} from '../../src/agent/types.ts'
import { validateRequest } from '../../src/agent/validate-history.ts'

/** One line of the script: an answer, or a function that gives one (or throws a `ModelError`). */
export type ScriptLine =
  | ModelResponse
  | ((request: ModelRequest, options: ModelCallOptions) => ModelResponse | Promise<ModelResponse>)

export interface ScriptedModel extends Model {
  /** Every request so far, as it was when it was made. */
  readonly requests: ModelRequest[]
  /** Every invalid request and unexpected call, for the test's end: the loop itself survives both. */
  readonly complaints: string[]
  /** Throws when something was wrong, or when lines were left unplayed. */
  assertPlayed(): void
}

/**
 * A model that plays its lines one by one. Each request must pass the strict validator, as at the API; a call
 * after the last line is an error.
 */
export function scriptedModel(lines: readonly ScriptLine[]): ScriptedModel {
  const left = [...lines]
  const requests: ModelRequest[] = []
  const complaints: string[] = []
  let paused = false
  const complain = (complaint: string): never => {
    complaints.push(complaint)
    throw new Error(complaint)
  }
  return {
    requests,
    complaints,
    complete: async (request, options) => {
      const copy = structuredClone(request)
      requests.push(copy)
      const problems = validateRequest(copy, { pausedTail: paused })
      if (problems.length > 0) return complain(`invalid request ${requests.length}: ${problems.join('; ')}`)
      const line = left.shift()
      if (line === undefined) return complain(`unexpected request ${requests.length}`)
      const response = typeof line === 'function' ? await line(request, options) : line
      // What was cut off is asked for again, so the pause goes on.
      const again = ['max_tokens', 'model_context_window_exceeded'].includes(response.stop_reason ?? '')
      paused = response.stop_reason === 'pause_turn' || (paused && again)
      return structuredClone(response)
    },
    assertPlayed: () => {
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
      if (left.length > 0) throw new Error(`${left.length} lines of the script were not played`)
    },
  }
}

let responses = 0

/** A Messages API message with any content and ending. */
export function says(
  stopReason: string | null,
  content: readonly (ContentBlockParam | string)[],
  usage: Partial<ResponseUsage> = {},
): ModelResponse {
  responses += 1
  return {
    id: `msg_${responses}`,
    model: 'claude-haiku-5-5',
    role: 'assistant',
    content: content.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block)),
    stop_reason: stopReason,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5, ...usage },
  }
}

/** `tool_use` with the given calls, each `[id, name, input]`. */
export function calls(...blocks: readonly (readonly [string, string, unknown])[]): ModelResponse {
  return says(
    'tool_use',
    blocks.map(([id, name, input]) => ({ type: 'tool_use', id, name, input })),
  )
}

export function answers(text: string): ModelResponse {
  return says('end_turn', [text])
}
