import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentHarness } from '../../test/support/agent-harness.ts'
import {
  type ApiLine,
  type LoopbackMessagesApi,
  startLoopbackMessagesApi,
} from '../../test/support/loopback-messages-api.ts'
import { createAnthropicModel } from './anthropic-model.ts'
import { buildRequest } from './request-builder.ts'
import { maxDuration } from './stop-conditions.ts'

let api: LoopbackMessagesApi
beforeEach(async () => {
  api = await startLoopbackMessagesApi()
})
afterEach(async () => {
  await api.close()
})

const model = (timeoutMs = 2000) =>
  createAnthropicModel({ apiKey: 'test-key', baseURL: api.baseURL, timeoutMs })
const request = () =>
  buildRequest({
    model: 'claude-haiku-5-5',
    maxTokens: 10,
    system: 'Be brief.',
    tools: [],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    mayCallTools: true,
  })
const complete = (signal = new AbortController().signal, timeoutMs?: number) =>
  model(timeoutMs).complete(request(), { signal, runId: 'r', attemptIndex: 0 })
const hello: ApiLine = { type: 'message', stopReason: 'end_turn', content: [{ type: 'text', text: 'Hi' }] }

type ErrorLine = ApiLine & { type: 'error' }
const spent = (about: Partial<ErrorLine>): ErrorLine => ({ type: 'error', status: 429, ...about })
const asksForRetry = {
  errorCode: 'enforced_spend_limit_reached',
  headers: { 'x-should-retry': 'true', 'retry-after-ms': '1' },
}

describe('the Anthropic adapter', () => {
  it('gives the API’s message', async () => {
    api.play(hello)
    expect(await complete()).toMatchObject({
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'Hi' }],
    })
    expect(api.complaints).toEqual([])
    expect(api.requests[0]).not.toHaveProperty('tool_choice')
  })

  it.each<[string, ApiLine, string, number]>([
    ['400', { type: 'error', status: 400 }, 'bad_request', 1],
    ['404', { type: 'error', status: 404 }, 'bad_request', 1],
    ['413', { type: 'error', status: 413 }, 'bad_request', 1],
    ['401', { type: 'error', status: 401 }, 'not_allowed', 1],
    ['402', { type: 'error', status: 402 }, 'not_allowed', 1],
    ['403', { type: 'error', status: 403 }, 'not_allowed', 1],
    ['429', { type: 'error', status: 429 }, 'unreachable', 3],
    ['500', { type: 'error', status: 500 }, 'unreachable', 3],
    ['503', { type: 'error', status: 503 }, 'unreachable', 3],
    ['529', { type: 'error', status: 529 }, 'unreachable', 3],
    ['a reset', { type: 'reset' }, 'unreachable', 3],
    ['a page', { type: 'page', body: '<html>' }, 'unreachable', 1],
    ['a contract’s spend limit', spent({ errorCode: 'contract_spend_limit_reached' }), 'not_allowed', 1],
    ['a tier’s spend limit', spent({ errorCode: 'enforced_spend_limit_reached' }), 'not_allowed', 1],
    ['a 429 about billing', spent({ errorType: 'billing_error' }), 'not_allowed', 1],
    ['a spend limit that asks for a retry', spent(asksForRetry), 'not_allowed', 1],
    ['402 that asks for a retry', { ...spent(asksForRetry), status: 402 }, 'not_allowed', 1],
    ['a 429 with another code', spent({ errorCode: 'requests_per_minute' }), 'unreachable', 3],
  ])('%s is told as its kind, after the SDK’s own retries', async (_name, line, kind, requests) => {
    api.otherwise(() => line)
    await expect(complete()).rejects.toMatchObject({ name: 'ModelError', kind })
    expect(api.requests).toHaveLength(requests)
  })

  it('gets over errors that pass', async () => {
    api.play({ type: 'error', status: 529 }, { type: 'error', status: 500 }, hello)
    expect(await complete()).toMatchObject({ stop_reason: 'end_turn' })
  })

  it('a refused connection and a request that hangs are unreachable', async () => {
    api.otherwise(() => ({ type: 'hang' }))
    await expect(complete(undefined, 20)).rejects.toMatchObject({ kind: 'unreachable' })
    await api.close()
    await expect(complete()).rejects.toMatchObject({ kind: 'unreachable' })
  }, 15_000)

  it('its signal is a deadline', async () => {
    api.otherwise(() => ({ type: 'hang' }))
    await expect(complete(AbortSignal.timeout(30))).rejects.toMatchObject({ kind: 'deadline' })
  })

  it('a request that breaks the rules gets 400, and the error holds no text of the API’s', async () => {
    const bad = { ...request(), messages: [] }
    const options = { signal: new AbortController().signal, runId: 'r', attemptIndex: 0 }
    const error: unknown = await model()
      .complete(bad, options)
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ kind: 'bad_request', status: 400, apiCode: 'invalid_request_error' })
    expect(String(error)).not.toContain('empty')
  })
})

describe('a run over the adapter', () => {
  it('reads its own prefix from the cache from the second request on', async () => {
    const call: ApiLine = {
      type: 'message',
      stopReason: 'tool_use',
      content: [{ type: 'tool_use', id: 't1', name: 'times', input: { day: '2026-01-05' } }],
    }
    api.play(call, hello)
    const result = await agentHarness([], { model: model() }).run({ system: 'Rules. '.repeat(1000) })
    expect(api.complaints).toEqual([])
    const [first, second] = result.steps
    expect(first?.usage).toMatchObject({ inputTokens: 0, cacheReadTokens: 0 })
    expect(second?.usage.cacheReadTokens).toBe(first?.usage.cacheWriteTokens)
    expect(second?.usage.inputTokens).toBe(0)
  })

  it.each<[string, ApiLine, string]>([
    ['a key that is refused', { type: 'error', status: 401 }, 'model_unavailable'],
    ['an API that is down', { type: 'error', status: 529 }, 'model_unavailable'],
    ['a bug of ours', { type: 'error', status: 400 }, 'model_error'],
  ])('%s ends it without an exception', async (_name, line, stopReason) => {
    api.otherwise(() => line)
    const result = await agentHarness([], { model: model() }).run()
    expect(result).toMatchObject({ status: 'stopped', stopReason })
  })

  it('a deadline that strikes while the API hangs is the duration’s limit', async () => {
    api.play({ type: 'hang' })
    api.otherwise(() => hello)
    const harness = agentHarness([], { model: model(), stopWhen: [maxDuration(50)] })
    expect(await harness.run()).toMatchObject({ stopReason: 'max_duration:50', text: 'Hi' })
  })

  it('the deadline comes before a retry that the API asks to wait for', async () => {
    api.play({ type: 'error', status: 429, headers: { 'retry-after-ms': '60000' } })
    api.otherwise(() => hello)
    const harness = agentHarness([], { model: model(), stopWhen: [maxDuration(50)] })
    const startedAt = performance.now()
    expect(await harness.run()).toMatchObject({ stopReason: 'max_duration:50', text: 'Hi' })
    expect(performance.now() - startedAt).toBeLessThan(5000)
    expect(api.requests).toHaveLength(2)
  })

  it('a final answer that hangs is abandoned after its own time', async () => {
    api.otherwise(() => ({ type: 'hang' }))
    const stopWhen = [maxDuration(50)]
    const harness = agentHarness([], { model: model(), stopWhen, finalAnswerTimeoutMs: 50 })
    expect(await harness.run()).toMatchObject({
      stopReason: 'max_duration:50',
      finalAnswer: 'error',
      text: '',
    })
    expect(api.requests).toHaveLength(2)
  })
})
