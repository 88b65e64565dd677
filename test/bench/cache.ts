/**
 * What the prompt cache saves, SIMULATED: a booking conversation of eight customer messages through the real
 * assistant and the SDK, against a loopback Messages API whose cache counts as the API's does (marks as
 * boundaries, exact bytes, at least 1,024 tokens) with four bytes to a token. The price of all input tokens is
 * compared with that of the same tokens without a cache; output is left out on both sides.
 */
import { PRICES } from '../../src/agent/cost.ts'
import type { ContentBlockParam } from '../../src/agent/types.ts'
import { createAssistantHarness } from '../support/assistant-harness.ts'
import { freshPhone } from '../support/conversation-harness.ts'
import { setup } from '../support/global-setup.ts'
import {
  type ApiLine,
  type LoopbackMessagesApi,
  startLoopbackMessagesApi,
} from '../support/loopback-messages-api.ts'

const REACH = 0.35
const MODEL = 'claude-haiku-5-5'
const BETWEEN_MESSAGES_MS = 40_000

/** What the customer writes, and what the model does about it. */
const CONVERSATION: readonly (readonly [said: string, ...lines: ((request: string) => ApiLine)[]])[] = [
  ['Oi, boa tarde!', () => says('Boa tarde! Como posso ajudar?')],
  [
    'Quais serviços vocês têm?',
    () => uses('s1', 'list_services', {}),
    () => says('Corte de cabelo (45 min, R$ 80,00) e barba (30 min, R$ 40,00).'),
  ],
  [
    'Queria cortar o cabelo amanhã de manhã',
    () => uses('s2', 'list_available_times', { service: 'corte', date: '2026-12-01', period: 'morning' }),
    () =>
      uses('s3', 'offer_choices', {
        text: 'Tenho estes horários amanhã de manhã:',
        choices: ['09:00', '10:00', '11:00'].map((title, index) => ({ id: `t${index}`, title })),
      }),
  ],
  ['10:00', () => says('Com a Ana, terça, 1º de dezembro, às 10:00, R$ 80,00. Confirmo?')],
  [
    'Pode confirmar',
    () =>
      uses('s4', 'book_appointment', {
        service: 'corte',
        professional: 'ana',
        starts_at: '2026-12-01T10:00',
      }),
    () => says('Marcado! Corte de cabelo com a Ana, terça, 1º de dezembro, 10:00, R$ 80,00.'),
  ],
  ['Quanto tempo demora?', () => says('45 minutos.')],
  [
    'Ih, dá para passar para as 11h?',
    () => uses('s5', 'list_available_times', { service: 'corte', date: '2026-12-01', professional: 'ana' }),
    (request) =>
      uses('s6', 'reschedule_appointment', { code: codeIn(request), starts_at: '2026-12-01T11:00' }),
    () => says('Pronto: terça, 1º de dezembro, 11:00, com a Ana.'),
  ],
  ['Perfeito, obrigada!', () => says('Até amanhã!')],
]

/** Prints the figure; throws when the conversation went another way. A reach that is missed sets the exit code. */
export async function bench(): Promise<void> {
  const stopServer = await setup()
  const api = await startLoopbackMessagesApi()
  try {
    const tokens = await play(api)
    const price = PRICES.find((row) => row.model === MODEL && row.promptTokensFrom === 0)
    if (price === undefined) throw new Error(`no price of ${MODEL}`)
    const { inputTokens, cacheReadTokens, cacheWriteTokens } = tokens
    const withCache =
      inputTokens * price.input + cacheReadTokens * price.cacheRead + cacheWriteTokens * price.cacheWrite5m
    const without = (inputTokens + cacheReadTokens + cacheWriteTokens) * price.input
    const share = withCache / without
    console.log(
      `cache (simulated): ${CONVERSATION.length} customer messages, ${api.requests.length} requests, input tokens: ` +
        `${cacheReadTokens} read, ${cacheWriteTokens} written, ${inputTokens} neither`,
    )
    console.log(
      `cache (simulated): ${(share * 100).toFixed(1)} % of the input price without cache (at most ${REACH * 100} %${share > REACH ? ': OVER' : ''})`,
    )
    if (share > REACH) process.exitCode = 1
  } finally {
    await api.close()
    await stopServer()
  }
}

async function play(api: LoopbackMessagesApi) {
  const world = await createAssistantHarness({ env: { ANTHROPIC_BASE_URL: api.baseURL, AGENT_MODEL: MODEL } })
  try {
    const phone = freshPhone()
    for (const [said, ...lines] of CONVERSATION) {
      api.otherwise((body) => {
        const line = lines.shift()
        if (line === undefined) throw new Error(`an unexpected request after "${said}"`)
        return line(JSON.stringify(body))
      })
      const { concluded } = await world.talk(world.one, phone, said)
      if (concluded === null || concluded.handoff !== null || lines.length > 0 || api.complaints.length > 0) {
        throw new Error(`"${said}" went wrong: ${JSON.stringify(concluded)} ${api.complaints.join('; ')}`)
      }
      world.clock.advance(BETWEEN_MESSAGES_MS)
    }
    const { _sum } = await world.db.store.read(world.one.id, (reader) =>
      reader.run.aggregate({ _sum: { inputTokens: true, cacheReadTokens: true, cacheWriteTokens: true } }),
    )
    return {
      inputTokens: _sum.inputTokens ?? 0,
      cacheReadTokens: _sum.cacheReadTokens ?? 0,
      cacheWriteTokens: _sum.cacheWriteTokens ?? 0,
    }
  } finally {
    await world.close()
  }
}

function says(text: string): ApiLine {
  return message('end_turn', [{ type: 'text', text }])
}

function uses(id: string, name: string, input: Record<string, unknown>): ApiLine {
  return message('tool_use', [{ type: 'tool_use', id: `toolu_${id}`, name, input }])
}

function message(stopReason: string, content: ContentBlockParam[]): ApiLine {
  return { type: 'message', stopReason, content }
}

function codeIn(request: string): string {
  const code = /\\"code\\":\\"([A-Z0-9]+)\\"/.exec(request)?.[1]
  if (code === undefined) throw new Error('no code of an appointment in the request')
  return code
}
