import { z } from 'zod'
import { cutText } from '../shared/cut-text.ts'
import type { Locale } from '../shared/locale.ts'
import { LOOP_TEXTS } from './texts.ts'
import type { PreparedCall, Tool } from './types.ts'

const MAX_PROBLEMS = 10
const MAX_PROBLEM_LENGTH = 200

/** zod's own wording in each locale; it names what was expected and the kind of what came, not the value. */
const WORDING = {
  'pt-BR': z.locales.ptBR().localeError,
  es: z.locales.es().localeError,
  en: z.locales.en().localeError,
} satisfies Record<Locale, z.core.$ZodErrorMap>

/** Validates a call's input; what is wrong is written for the model: each path and what is expected there. */
export function prepareCall<Ctx>(
  tool: Tool<Ctx>,
  input: unknown,
  locale: Locale,
): PreparedCall<Ctx> | { valid: false; content: string } {
  const prepared = tool.prepare(input, WORDING[locale])
  if (prepared.valid) return prepared
  const texts = LOOP_TEXTS[locale]
  const problems = prepared.issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const path = issue.path.map(String).join('.') || texts.wholeInput
    return cutText(`${path}: ${issue.message}`, MAX_PROBLEM_LENGTH)
  })
  return { valid: false, content: texts.invalidInput(problems) }
}
