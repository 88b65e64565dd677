import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ModelError } from '../../src/agent/model-error.ts'
import type { ModelRequest } from '../../src/agent/types.ts'
import { answers, scriptedModel } from '../support/scripted-model.ts'
import {
  createWhatsappWorld,
  MEDIA_WAIT_MS,
  type WhatsappWorld,
  WORLD_DEBOUNCE_MS,
} from '../support/whatsapp-world.ts'

let world: WhatsappWorld

beforeAll(async () => {
  world = await createWhatsappWorld()
})
afterAll(() => world.close())

/** The text blocks of the newest customer message, without the block of facts. */
function wordsOf(request: ModelRequest | undefined): string[] {
  const content = request?.messages.at(-1)?.content ?? []
  return content.flatMap((block) =>
    block.type === 'text' && !block.text.startsWith('<context>') ? [block.text] : [],
  )
}

/** Delivers a fixture and gives what the model is asked then. */
async function turnOf(fixture: string, edit?: (json: string) => string) {
  const [one, other] = await world.tenants()
  const outcomes = await world.deliver([one, other], fixture, edit === undefined ? {} : { edit })
  const model = scriptedModel([answers('Oi!')])
  const concluded = await world.runTurn(one, model)
  expect(await world.messages(other)).toEqual([])
  return {
    one,
    outcomes,
    concluded,
    words: wordsOf(model.requests[0]),
    model,
    message: (await world.messages(one))[0],
  }
}

describe('what starts a turn', () => {
  it.each([
    ['text', ['Oi! Quero marcar um corte 💇‍♀️']],
    ['interactive-button-reply', ['[choice id="10h"] 10:00']],
    ['interactive-list-reply', ['[choice id="corte"] Corte de cabelo']],
    [
      'interactive-flow-reply',
      ['<attachment>form flow answered: {"flow_token":"t1","name":"Ana"}</attachment>', 'Sent'],
    ],
    ['interactive-flow-reply-not-json', ['<attachment>form flow answered: Ana, amanhã</attachment>', 'Sent']],
    ['video', ['<attachment>video that cannot be shown to you; the team can open it</attachment>']],
    ['sticker', ['<attachment>sticker that cannot be shown to you; the team can open it</attachment>']],
    [
      'contacts',
      [
        '<attachment>contacts: Bia Lima +55 21 97654-3210, +5531988887777</attachment>',
        'Bia Lima; +5531988887777',
      ],
    ],
    [
      'location',
      ['<attachment>location: Estúdio; Rua Augusta, 100; -23.55052, -46.633308</attachment>', 'Estúdio'],
    ],
    ['order', ['<attachment>order of 2 catalogue items; the team can see it</attachment>', 'Esses dois']],
  ])('%s: the model reads it', async (fixture, words) => {
    const turn = await turnOf(fixture)
    expect(turn.outcomes).toEqual(['stored'])
    expect(turn.words).toEqual(words)
    expect(turn.message).toMatchObject({ direction: 'in', author: 'customer', status: 'received' })
    turn.model.assertPlayed()
  })

  it('a template button with a payload that nobody here knows', async () => {
    const turn = await turnOf('button-template')
    expect(turn.words).toEqual(['Confirmar'])
  })

  it('a reply: the model reads what it answers', async () => {
    const [one, other] = await world.tenants()
    const model = scriptedModel([answers('Oi!'), answers('Certo.')])
    await world.deliver([one, other], 'text', { edit: (json) => json.replace('wamid.TEXT1', 'wamid.OUT1') })
    await world.runTurn(one, model)
    await world.deliver([one, other], 'text-reply-forwarded-referral')
    await world.runTurn(one, model)
    expect(wordsOf(model.requests[1]).join('\n')).toMatch(/<quoted[^>]*>[^<]*Quero marcar um corte/)
    model.assertPlayed()
  })

  it('a reply: the staff see what it answers, that it was forwarded, and from which ad', async () => {
    const [one, other] = await world.tenants()
    await world.deliver([one, other], 'echo', { edit: (json) => json.replace('wamid.ECHO1', 'wamid.OUT1') })
    const quoted = (await world.messages(one))[0]
    await world.deliver([one, other], 'text-reply-forwarded-referral')
    const reply = (await world.messages(one))[1]
    expect(reply).toMatchObject({ text: 'Esse horário', quotedId: quoted?.id })
    expect(reply?.payload).toMatchObject({
      context: { forwarded: true, wamid: 'wamid.OUT1' },
      referral: { headline: 'Corte com 20% de desconto' },
    })
  })
})

describe('a file', () => {
  it('makes its turn wait up to 5 s, and is fetched by a job of its own', async () => {
    const [one, other] = await world.tenants()
    await world.deliver([one, other], 'image')
    const { id } = await world.conversation(one)
    expect(await world.turnInMs(id)).toBe(MEDIA_WAIT_MS)
    world.graph.addMedia({ id: '800001', mimeType: 'image/jpeg', bytes: JPEG })
    expect(await world.fetchAll(one)).toEqual(['stored'])
    expect(await world.turnInMs(id)).toBe(WORLD_DEBOUNCE_MS)
    const model = scriptedModel([answers('Que lindo!'), answers('Certo.')])
    await world.runTurn(one, model)
    const picture = { type: 'base64', media_type: 'image/jpeg', data: JPEG.toString('base64') }
    expect(model.requests[0]?.messages[0]?.content.slice(0, 2)).toEqual([
      { type: 'image', source: picture },
      { type: 'text', text: 'Quero assim' },
    ])
    const run = await world.db.store.read(one.id, (reader) => reader.run.findFirstOrThrow())
    expect(JSON.stringify(run.opening).length).toBeLessThan(1_000)

    await world.deliver([one, other], 'text')
    await world.runTurn(one, model)
    expect(withoutMarks(model.requests[1]?.messages[0])).toBe(withoutMarks(model.requests[0]?.messages[0]))
    model.assertPlayed()
  })

  it('that does not come in time: the turn goes on with the caption', async () => {
    const turn = await turnOf('image')
    expect(turn.words).toEqual([
      '<attachment>image that cannot be shown to you; the team can open it</attachment>',
      'Quero assim',
    ])
  })

  it('that is a PDF goes to the model as a document', async () => {
    const [one, other] = await world.tenants()
    await world.deliver([one, other], 'document')
    world.graph.addMedia({ id: '800002', mimeType: 'application/pdf', bytes: Buffer.from(PDF) })
    expect(await world.fetchAll(one)).toEqual(['stored'])
    const model = scriptedModel([answers('Recebi.')])
    await world.runTurn(one, model)
    expect(model.requests[0]?.messages[0]?.content[0]).toMatchObject({
      type: 'document',
      source: { media_type: 'application/pdf' },
    })
  })

  it('that the model refuses is only described from then on', async () => {
    const [one, other] = await world.tenants()
    await world.deliver([one, other], 'image')
    world.graph.addMedia({ id: '800001', mimeType: 'image/jpeg', bytes: JPEG })
    await world.fetchAll(one)
    const refusing = scriptedModel([
      () => {
        throw new ModelError('bad_request', { status: 400 })
      },
    ])
    expect(await world.runTurn(one, refusing)).toMatchObject({ handoff: 'model_error' })
    expect((await world.media(one))[0]?.modelRefusedAt).not.toBeNull()
  })
})

describe('what nobody can read', () => {
  it('a voice note: the customer is asked once to write, the second time a person takes over', async () => {
    const [one, other] = await world.tenants()
    const nobody = scriptedModel([])
    await world.deliver([one, other], 'audio')
    expect(await world.runTurn(one, nobody)).toBeNull()
    expect(await world.conversation(one)).toMatchObject({ status: 'bot', unread: 0 })
    expect((await world.messages(one)).at(-1)).toMatchObject({
      author: 'bot',
      text: expect.stringMatching(/escrever/),
    })
    await world.deliver([one, other], 'audio', { edit: (json) => json.replace(/wamid\.\w+/, 'wamid.AUD2') })
    expect(await world.runTurn(one, nobody)).toMatchObject({ handoff: 'unsupported_message' })
    expect(await world.conversation(one)).toMatchObject({ status: 'queued', unread: 1 })
    nobody.assertPlayed()
  })

  it('a voice note after the customer wrote: they are asked again', async () => {
    const [one, other] = await world.tenants()
    const model = scriptedModel([answers('Oi!')])
    await world.deliver([one, other], 'audio')
    await world.runTurn(one, model)
    await world.deliver([one, other], 'text')
    await world.runTurn(one, model)
    await world.deliver([one, other], 'audio', { edit: (json) => json.replace(/wamid\.\w+/, 'wamid.AUD2') })
    expect(await world.runTurn(one, model)).toBeNull()
    expect(await world.conversation(one)).toMatchObject({ status: 'bot' })
    expect((await world.messages(one)).filter(({ author }) => author === 'bot')).toHaveLength(3)
    model.assertPlayed()
  })

  it.each(['unsupported', 'unknown-type'])(
    '%s: asks for text, once until the customer writes some',
    async (fixture) => {
      const [one, other] = await world.tenants()
      const model = scriptedModel([])
      const again = (json: string) => json.replace(/wamid\.\w+/, 'wamid.AGAIN')
      expect(await world.deliver([one, other], fixture)).toEqual(['stored'])
      await world.runTurn(one, model)
      await world.deliver([one, other], fixture, { edit: again })
      await world.runTurn(one, model)
      const messages = await world.messages(one)
      expect(messages.filter(({ author }) => author === 'bot')).toHaveLength(1)
      expect(messages.filter(({ author }) => author === 'customer')).toHaveLength(2)
      expect(await world.conversation(one)).toMatchObject({ status: 'bot', unread: 1 })
      model.assertPlayed()
    },
  )

  it('a voice note, where somebody writes it down: a turn with its words', async () => {
    const [one, other] = await world.tenants()
    await world.deliver([one, other], 'audio', { transcriptWaitMs: 30_000 })
    const { id } = await world.conversation(one)
    expect(await world.turnInMs(id)).toBe(30_000)
    world.graph.addMedia({ id: '800003', mimeType: 'audio/ogg; codecs=opus', bytes: OGG })
    const transcriber = { transcribe: async () => 'Quero marcar amanhã' }
    expect(await world.fetchAll(one, { transcriber })).toEqual(['stored'])
    expect(await world.turnInMs(id)).toBe(WORLD_DEBOUNCE_MS)
    const model = scriptedModel([answers('Claro!')])
    await world.runTurn(one, model)
    expect(wordsOf(model.requests[0])).toEqual([
      '<attachment>voice message, written down:</attachment>',
      'Quero marcar amanhã',
    ])
  })

  it('beside words: the model answers both in one turn', async () => {
    const [one, other] = await world.tenants()
    await world.deliver([one, other], 'audio')
    await world.deliver([one, other], 'text')
    const model = scriptedModel([answers('Oi!')])
    await world.runTurn(one, model)
    expect(wordsOf(model.requests[0])[0]).toBe(
      '<attachment>voice message that could not be heard</attachment>',
    )
    model.assertPlayed()
  })
})

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(600, 1)])
const OGG = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(200, 2)])
const PDF = '%PDF-1.4\n1 0 obj << /Type /Page >> endobj\n'

/** The bytes of a message as the prompt cache compares them. */
function withoutMarks(message: unknown): string {
  return JSON.stringify(message, (key, value: unknown) => (key === 'cache_control' ? undefined : value))
}
