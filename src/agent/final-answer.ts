import { textOf } from './history.ts'
import { acceptWithoutCalls, cutAtSentence, withCutText } from './history-content.ts'
import { requestModel } from './request-model.ts'
import type { Session } from './session.ts'
import type { HistoryMessage, RunResult } from './types.ts'

/**
 * After a limit: one more request with the same tools and system (changing them would throw the prompt cache
 * away on the dearest request), `tool_choice` none, and a text after the last results that asks to answer with
 * what is known. Without a usable text nothing of it enters the history.
 */
export async function forceFinalAnswer<Ctx>(
  session: Session<Ctx>,
  limit: string,
): Promise<{ finalAnswer: NonNullable<RunResult['finalAnswer']>; text: string }> {
  session.pausesInRow = 0
  const request: HistoryMessage = {
    role: 'user',
    content: [{ type: 'text', text: session.texts.finalAnswer }],
  }
  const { maxOutputTokens } = session.settings
  const { response } = await requestModel(session, {
    kind: 'final_answer',
    maxTokens: maxOutputTokens,
    limit,
    extra: [request],
  })
  if (response === null) return { finalAnswer: 'error', text: '' }
  const content = acceptWithoutCalls(response.content)
  const said = textOf(content)
  if (said === '' || !isAnswer(response.stop_reason)) return { finalAnswer: 'empty', text: '' }
  const text = response.stop_reason === 'max_tokens' ? cutAtSentence(said) : said
  session.appended.push(request, {
    role: 'assistant',
    content: text === said ? content : withCutText(content, text),
  })
  return { finalAnswer: 'given', text }
}

/** A refusal's or a tool call's text is no answer. */
function isAnswer(stopReason: string | null): boolean {
  return stopReason === 'end_turn' || stopReason === 'stop_sequence' || stopReason === 'max_tokens'
}
