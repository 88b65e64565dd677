import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type {
  ChannelAccount,
  OutboundContent,
  SendOutcome,
} from '../../src/conversations/outbound-channel.ts'
import { startLoopbackGraphApi } from '../../src/demo/graph-api.ts'
import type { LoopbackGraphApi } from '../../src/demo/graph-api-types.ts'
import { createGraphChannel } from '../../src/whatsapp/graph-client.ts'
import { splitText } from '../../src/whatsapp/limits.ts'

const AURORA = accountOf('aurora', '106540352242922', 'token-aurora')
const BORA = accountOf('bora', '200000000000002', 'token-bora')
const ANA = { kind: 'phone', phone: '5511987654321' } as const
const BIA = { kind: 'bsuid', bsuid: 'BR.40917263548190273645' } as const

let graph: LoopbackGraphApi
const closedWindows = new Set<string>()

beforeEach(async () => {
  closedWindows.clear()
  graph = await startLoopbackGraphApi({
    tokens: [AURORA.accessToken, BORA.accessToken],
    phoneNumberIds: [AURORA.phoneNumberId, BORA.phoneNumberId],
    windowOpen: (recipient) => !closedWindows.has(recipient),
  })
})

afterEach(() => graph.close())

function accountOf(tenantId: string, phoneNumberId: string, accessToken: string): ChannelAccount {
  return {
    tenantId,
    channelId: `channel-${tenantId}`,
    phoneNumberId,
    wabaId: `waba-${tenantId}`,
    accessToken,
  }
}

function channel(timeoutMs = 5000) {
  return createGraphChannel({ baseUrl: graph.url, version: 'v25.0', userAgent: 'agendou/test', timeoutMs })
}

function send(content: OutboundContent, account = AURORA, timeoutMs?: number): Promise<SendOutcome> {
  return channel(timeoutMs).send({ account, to: ANA, content, messageId: 'message-1', locale: 'pt-BR' })
}

const text = (words: string): OutboundContent => ({ kind: 'text', text: words })

describe('what leaves', () => {
  it('carries the plus, our id, the token of its tenant and a user agent, and comes back with the wamid', async () => {
    const outcome = await send(text('**Oi, Ana!**'))
    const [sent] = graph.sends
    expect(outcome).toEqual({ kind: 'accepted', wamid: sent?.wamid })
    expect(sent).toMatchObject({
      phoneNumberId: AURORA.phoneNumberId,
      token: AURORA.accessToken,
      userAgent: 'agendou/test',
      body: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: '+5511987654321',
        type: 'text',
        text: { body: '*Oi, Ana!*', preview_url: false },
        biz_opaque_callback_data: 'message-1',
      },
    })
  })

  it('goes out by each tenant with its own number and token', async () => {
    await send(text('de um'), AURORA)
    await send(text('de outro'), BORA)
    expect(graph.sends.map(({ phoneNumberId, token }) => [phoneNumberId, token])).toEqual([
      [AURORA.phoneNumberId, AURORA.accessToken],
      [BORA.phoneNumberId, BORA.accessToken],
    ])
  })

  it('reaches a customer who is known by BSUID alone', async () => {
    await channel().send({ account: AURORA, to: BIA, content: text('Oi'), messageId: 'm', locale: 'pt-BR' })
    expect(graph.sends).toMatchObject([{ phone: null, bsuid: BIA.bsuid, body: { recipient: BIA.bsuid } }])
    expect(graph.sends[0]?.body).not.toHaveProperty('to')
  })

  it('leaves what a person wrote letter for letter', async () => {
    await send({ kind: 'text', text: '# 5 **estrelas**', verbatim: true })
    expect(graph.sends[0]?.text).toBe('# 5 **estrelas**')
  })

  it('is accepted as buttons, as a list, and as a template', async () => {
    const choices = Array.from({ length: 10 }, (_, index) => ({
      id: `t${index}`,
      title: `Corte de cabelo feminino número ${index} 💇‍♀️`,
      description: 'Com lavagem, hidratação e finalização, feito pela Ana ou pelo Bruno, na unidade centro',
    }))
    const few = [
      { id: 'a', title: 'Sim' },
      { id: 'b', title: 'Não' },
    ]
    const template = { kind: 'template', name: 'lembrete_1', language: 'pt_BR', components: [] } as const
    for (const content of [
      { kind: 'choices', text: 'Confirma?', choices: few } as const,
      { kind: 'choices', text: 'Qual?', choices } as const,
      template,
    ]) {
      expect(await send(content)).toMatchObject({ kind: 'accepted' })
    }
    expect(graph.sends.map(({ type }) => type)).toEqual(['interactive', 'interactive', 'template'])
  })

  it('goes out in parts that are all accepted when it is long', async () => {
    const parts = splitText(
      Array.from({ length: 60 }, (_, index) => `Parágrafo ${index} ${'ção '.repeat(40)}`).join('\n\n'),
    )
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) {
      expect(await send({ kind: 'text', text: part, verbatim: true })).toMatchObject({ kind: 'accepted' })
    }
    expect(graph.sends.map((sent) => sent.text)).toEqual(parts)
  })
})

describe('read and typing', () => {
  it('go in one call, and typing only when asked', async () => {
    expect(await channel().markRead(AURORA, 'wamid.IN1', { typing: true })).toBe(true)
    expect(await channel().markRead(AURORA, 'wamid.IN2', { typing: false })).toBe(true)
    expect(graph.reads).toMatchObject([
      { wamid: 'wamid.IN1', typing: true },
      { wamid: 'wamid.IN2', typing: false },
    ])
  })

  it('are best effort: a failure is false', async () => {
    expect(
      await channel().markRead({ ...AURORA, accessToken: 'expired' }, 'wamid.IN1', { typing: true }),
    ).toBe(false)
    await graph.refuse()
    expect(await channel().markRead(AURORA, 'wamid.IN1', { typing: true })).toBe(false)
  })
})

describe('what comes back when it goes wrong', () => {
  it('pauses the channel for a token that does not count, and for another tenant’s number says 100', async () => {
    expect(await send(text('Oi'), { ...AURORA, accessToken: 'expired' })).toMatchObject({
      kind: 'pause_channel',
      error: { code: 190 },
    })
    expect(await send(text('Oi'), { ...AURORA, phoneNumberId: '1' })).toMatchObject({
      kind: 'rejected',
      alert: true,
      error: { code: 100 },
    })
  })

  it('says that the window is closed, while a template still goes out', async () => {
    closedWindows.add(ANA.phone)
    expect(await send(text('Oi'))).toMatchObject({ kind: 'window_closed', error: { code: 131047 } })
    const template = { kind: 'template', name: 'lembrete_1', language: 'pt_BR', components: [] } as const
    expect(await send(template)).toMatchObject({ kind: 'accepted' })
  })

  it('backs off when throttled, for as many times as it is', async () => {
    graph.script({ kind: 'error', code: 130429, httpStatus: 429 }, { times: 2 })
    const outcomes = [await send(text('1')), await send(text('2')), await send(text('3'))]
    expect(outcomes.map(({ kind }) => kind)).toEqual(['backoff', 'backoff', 'accepted'])
    expect(graph.sends.map((sent) => sent.text)).toEqual(['3'])
  })

  it('retries a refused connection, which certainly sent nothing', async () => {
    await graph.refuse()
    expect(await send(text('Oi'))).toMatchObject({ kind: 'retry', error: { detail: 'ECONNREFUSED' } })
    await graph.resume()
    expect(await send(text('Oi'))).toMatchObject({ kind: 'accepted' })
  })

  it('never retries what may have been sent: no answer, a reset, a gateway’s 502', async () => {
    for (const kind of ['hang', 'reset', 'http'] as const) {
      const fault =
        kind === 'http' ? ({ kind, status: 502, accept: true } as const) : ({ kind, accept: true } as const)
      graph.script(fault)
      expect([kind, (await send(text(kind), AURORA, 300)).kind]).toEqual([kind, 'unknown'])
    }
    expect(graph.sends.map((sent) => sent.text)).toEqual(['hang', 'reset', 'http'])
  })

  it('tells a listener of a slow send before its answer, so that a status can overtake it', async () => {
    graph.script({ kind: 'slow', delayMs: 100 })
    let answered = false
    const sending = send(text('devagar')).then((outcome) => {
      answered = true
      return outcome
    })
    const sent = await graph.waitForSend()
    expect(answered).toBe(false)
    expect(await sending).toEqual({ kind: 'accepted', wamid: sent.wamid })
  })

  it('cannot slip a message over Meta’s limits past the loopback API', async () => {
    const post = (body: object): Promise<Response> =>
      fetch(`${graph.url}/v25.0/${AURORA.phoneNumberId}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${AURORA.accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messaging_product: 'whatsapp', to: '+5511987654321', ...body }),
      })
    const button = (title: string, id: string) => ({ type: 'reply', reply: { id, title } })
    const buttons = (...all: object[]) => ({
      type: 'interactive',
      interactive: { type: 'button', body: { text: 'x' }, action: { buttons: all } },
    })
    const cases: [object, number][] = [
      [{ messaging_product: undefined, type: 'text', text: { body: 'x' } }, 100],
      [{ to: undefined, type: 'text', text: { body: 'x' } }, 131008],
      [{ to: 'Ana', type: 'text', text: { body: 'x' } }, 131009],
      [{ type: 'text' }, 131008],
      [{ type: 'text', text: { body: 'x'.repeat(4097) } }, 100],
      [buttons(button('a'.repeat(21), '1')), 131009],
      [buttons(button('a', '1'), button('a', '2')), 131009],
      [buttons(button('a', '1'), button('b', '1')), 131009],
      [buttons(button('a', '1'), button('b', '2'), button('c', '3'), button('d', '4')), 131009],
    ]
    for (const [body, code] of cases) {
      const response = await post(body)
      expect([body, response.status, await response.json()]).toMatchObject([body, 400, { error: { code } }])
    }
    expect(graph.sends).toHaveLength(0)
  })
})

describe('media on the loopback API', () => {
  it('comes by a URL that needs the token and expires', async () => {
    graph.addMedia({ id: '800001', mimeType: 'image/png', bytes: Buffer.from('png bytes') })
    const headers = { authorization: `Bearer ${AURORA.accessToken}` }
    const fetchUrl = async (): Promise<string> => {
      const answer: unknown = await (await fetch(`${graph.url}/v25.0/800001`, { headers })).json()
      return typeof answer === 'object' && answer !== null && 'url' in answer ? String(answer.url) : ''
    }
    const url = await fetchUrl()
    expect((await fetch(url)).status).toBe(401)
    const image = await fetch(url, { headers })
    expect([image.headers.get('content-type'), await image.text()]).toEqual(['image/png', 'png bytes'])
    graph.expireMediaUrls()
    expect((await fetch(url, { headers })).status).toBe(404)
    expect((await fetch(await fetchUrl(), { headers })).status).toBe(200)
  })
})
