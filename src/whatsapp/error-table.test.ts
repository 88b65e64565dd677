import { describe, expect, it } from 'vitest'
import { META_ATTEMPTS, NETWORK_ATTEMPTS, outcomeOf, outcomeOfNetwork } from './error-table.ts'
import { networkFailure } from './network-failure.ts'

const graphError = (code: unknown, details?: string): unknown => ({
  error: { message: `(#${String(code)}) Title`, type: 'OAuthException', code, error_data: { details } },
})

const rejected = (flags: { alert?: boolean; optOut?: boolean; disableTemplate?: boolean } = {}): unknown => ({
  kind: 'rejected',
  alert: false,
  optOut: false,
  disableTemplate: false,
  ...flags,
})

describe('outcomeOf, a row of the table each', () => {
  it.each<[string, number[], unknown]>([
    [
      'Meta stumbled: retry, at most 5 times',
      [1, 2, 131000, 131016, 131057, 133004],
      { kind: 'retry', maxAttempts: META_ATTEMPTS },
    ],
    ['rate of the app', [4], { kind: 'backoff', scope: 'app' }],
    ['rate of the account', [80007], { kind: 'backoff', scope: 'waba' }],
    ['rate of the number', [130429], { kind: 'backoff', scope: 'number' }],
    ['rate of the recipient', [131056], { kind: 'backoff', scope: 'recipient' }],
    ['window closed', [131047], { kind: 'window_closed' }],
    ['spam limit: no proactive sends', [131048], { kind: 'stop_proactive' }],
    [
      'not deliverable to this person: shown, never retried',
      [131026, 131021, 131030, 130472, 131049],
      rejected(),
    ],
    ['the person stopped marketing: opt out', [131050], rejected({ optOut: true })],
    [
      'token, permission or account: the channel pauses',
      [0, 3, 10, 190, 200, 250, 299, 131005, 131031, 131037, 131042, 131045, 133010, 133015, 368, 130497],
      { kind: 'pause_channel' },
    ],
    [
      'our request is wrong: dead letter with an alert',
      [33, 100, 131008, 131009, 131051, 131052, 131053, 132000, 132001, 132012, 132999, 135000],
      rejected({ alert: true }),
    ],
    ['template paused or disabled', [132015, 132016], rejected({ alert: true, disableTemplate: true })],
    ['any other code: dead letter', [7, 199, 300, 131054, 133000, 999999], rejected({ alert: true })],
  ])('%s', (_row, codes, verdict) => {
    for (const code of codes) {
      for (const status of [400, 429, 500]) {
        expect(outcomeOf(status, graphError(code, 'details'))).toEqual({
          ...(typeof verdict === 'object' ? verdict : {}),
          error: { code, detail: 'details' },
        })
      }
    }
  })

  it('reads a code that came as text, and falls back to the message', () => {
    expect(outcomeOf(400, graphError('131047'))).toEqual({
      kind: 'window_closed',
      error: { code: 131047, detail: '(#131047) Title' },
    })
  })

  it('holds a 5xx without a Meta error, and a 2xx without a message, for possibly sent', () => {
    for (const status of [500, 502, 503, 504, 200]) {
      for (const body of [null, '<html>', {}, { error: 'x' }, { error: {} }]) {
        expect(outcomeOf(status, body).kind).toBe('unknown')
      }
    }
  })

  it('holds any other answer without a Meta error for refused', () => {
    expect(outcomeOf(429, null)).toMatchObject({ kind: 'backoff', scope: 'app' })
    expect(outcomeOf(404, '<html>')).toMatchObject({ kind: 'rejected', alert: true })
    expect(outcomeOf(302, null)).toMatchObject({ kind: 'rejected', alert: true })
  })
})

describe('networkFailure', () => {
  const failed = (code: string): TypeError =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })

  it.each([
    ['ECONNREFUSED'],
    ['ENOTFOUND'],
    ['EAI_AGAIN'],
    ['EHOSTUNREACH'],
    ['UND_ERR_CONNECT_TIMEOUT'],
    ['CERT_HAS_EXPIRED'],
  ])('%s: certainly not sent, so it is retried', (code) => {
    expect(outcomeOfNetwork(networkFailure(failed(code)))).toEqual({
      kind: 'retry',
      maxAttempts: NETWORK_ATTEMPTS,
      error: { code: 0, detail: code },
    })
  })

  it.each([
    ['ECONNRESET'],
    ['EPIPE'],
    ['UND_ERR_SOCKET'],
    ['UND_ERR_HEADERS_TIMEOUT'],
    ['UND_ERR_BODY_TIMEOUT'],
    ['ESOMETHING'],
  ])('%s: may have been sent, so it waits for a status', (code) => {
    expect(outcomeOfNetwork(networkFailure(failed(code)))).toMatchObject({
      kind: 'unknown',
      error: { detail: code },
    })
  })

  it('holds a time-out of ours, and anything that is not an error, for ambiguous', () => {
    const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    expect(networkFailure(timeout)).toEqual({ kind: 'ambiguous', word: 'TimeoutError' })
    expect(networkFailure('what')).toMatchObject({ kind: 'ambiguous' })
  })

  it('wants every address refused before it believes that nothing was sent', () => {
    const each = (...codes: string[]): TypeError =>
      new TypeError('fetch failed', {
        cause: new AggregateError(codes.map((code) => Object.assign(new Error(code), { code }))),
      })
    expect(networkFailure(each('ECONNREFUSED', 'ENETUNREACH')).kind).toBe('not_sent')
    expect(networkFailure(each('ECONNREFUSED', 'ECONNRESET')).kind).toBe('ambiguous')
  })
})
