import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChannelAccount } from '../../src/conversations/outbound-channel.ts'
import { createHttpTranscriber } from '../../src/media/transcriber.ts'
import { createGraphMediaSource } from '../../src/whatsapp/graph-media.ts'
import type { TestTenant } from '../support/factories.ts'
import { staffEntry } from '../support/factories.ts'
import { loggedIn, testApp } from '../support/http-harness.ts'
import { createWhatsappWorld, type WhatsappWorld } from '../support/whatsapp-world.ts'

const DAY_MS = 24 * 60 * 60_000
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(600, 1)])

let world: WhatsappWorld

beforeAll(async () => {
  world = await createWhatsappWorld()
})
afterAll(() => world.close())

let lastFile = 900_000

/** A picture that a customer of the first tenant sent, with a file of its own at Meta's. */
async function pictureOf(bytes: Buffer | null, options: { sha256?: string; mimeType?: string } = {}) {
  const [one, other] = await world.tenants({ staff: [staffEntry('dona@example.com')] })
  lastFile += 1
  const id = String(lastFile)
  await world.deliver([one, other], 'image', {
    edit: (json) => json.replace('800001', id).replace('aGFzaDE=', options.sha256 ?? ''),
  })
  const mimeType = options.mimeType ?? 'image/jpeg'
  if (bytes !== null) world.graph.addMedia({ id, mimeType, bytes })
  return { one, other, id }
}

const fileOf = async (tenant: TestTenant) => (await world.media(tenant))[0]
const base64Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64')

describe('the Graph API as the source of files', () => {
  const account = (tenant: TestTenant): ChannelAccount => ({
    tenantId: tenant.id,
    channelId: tenant.channelId,
    phoneNumberId: tenant.document.channel.phoneNumberId,
    wabaId: tenant.document.channel.wabaId,
    accessToken: tenant.document.channel.accessToken ?? '',
  })

  /** A source whose addresses are gone by the time they are read, the first `times` times. */
  function withGoneAddresses(times: number) {
    const asked: string[] = []
    let left = times
    const source = createGraphMediaSource({
      baseUrl: world.graph.url,
      version: 'v25.0',
      userAgent: 'agendou/test',
      timeoutMs: 5_000,
      fetch: async (input, init) => {
        const { pathname } = new URL(String(input))
        asked.push(pathname.startsWith('/v25.0/') ? 'metadata' : 'bytes')
        const response = await fetch(input, init)
        if (pathname.startsWith('/v25.0/') && left > 0) {
          left -= 1
          world.graph.expireMediaUrls()
        }
        return response
      },
    })
    return { source, asked }
  }

  it('is asked for the address again when it answers 404', async () => {
    const { one, id } = await pictureOf(JPEG)
    const { source, asked } = withGoneAddresses(1)
    const opened = await source.open(account(one), id, new AbortController().signal)
    const chunks: Uint8Array[] = []
    for await (const chunk of opened?.chunks ?? []) chunks.push(chunk)
    expect(Buffer.concat(chunks)).toEqual(JPEG)
    expect(asked).toEqual(['metadata', 'bytes', 'metadata', 'bytes'])
  })

  it('whose addresses are all gone is left to the job, which comes back', async () => {
    const { one, id } = await pictureOf(JPEG)
    const { source } = withGoneAddresses(9)
    await expect(source.open(account(one), id, new AbortController().signal)).rejects.toMatchObject({
      code: 'media_address_gone',
    })
  })
})

describe('a file on its way', () => {
  it('is stored with what its bytes are, checked against the digest that was announced', async () => {
    const { one } = await pictureOf(JPEG, { sha256: base64Of(JPEG) })
    expect(await world.fetchAll(one)).toEqual(['stored'])
    expect(await fileOf(one)).toMatchObject({
      state: 'stored',
      contentType: 'image/jpeg',
      sizeBytes: JPEG.length,
    })
    expect(await world.fetchAll(one)).toEqual(['stored'])
  })

  it('that is not what was announced is not kept: the job comes back, and gives up at last', async () => {
    const { one } = await pictureOf(JPEG, { sha256: base64Of(Buffer.from('others')) })
    await expect(world.fetchAll(one)).rejects.toMatchObject({ code: 'media_corrupt' })
    const file = await fileOf(one)
    expect(file?.state).toBe('pending')
    expect(await world.storage.read({ tenantId: one.id, mediaId: file?.id ?? '' })).toBeNull()
    expect(await world.fetchAll(one, { isLastAttempt: true })).toEqual(['failed'])
    expect(await fileOf(one)).toMatchObject({ failure: 'media_corrupt' })
  })

  it.each([
    ['too large', Buffer.concat([JPEG, Buffer.alloc(5 * 1024 * 1024)]), 'too_large'],
    [
      'no picture, whatever it says',
      Buffer.from('<html><script>alert(1)</script></html>'),
      'type_not_allowed',
    ],
  ])('that is %s is refused for good', async (_name, bytes, failure) => {
    const { one } = await pictureOf(bytes)
    expect(await world.fetchAll(one)).toEqual(['refused'])
    const file = await fileOf(one)
    expect(file).toMatchObject({ state: 'refused', failure })
    expect(await world.storage.read({ tenantId: one.id, mediaId: file?.id ?? '' })).toBeNull()
  })

  it('that Meta does not know yet is asked for again, and given up at the third time', async () => {
    const { one } = await pictureOf(null)
    for (const attempt of [1, 2]) {
      await expect(world.fetchAll(one, { attempt })).rejects.toMatchObject({ code: 'media_not_found' })
    }
    expect(await world.fetchAll(one, { attempt: 3 })).toEqual(['failed'])
  })

  it('is had for seven days and no longer', async () => {
    const late = await pictureOf(JPEG)
    const tooLate = await pictureOf(JPEG)
    world.clock.advance(7 * DAY_MS)
    expect(await world.fetchAll(late.one)).toEqual(['stored'])
    world.clock.advance(1)
    expect(await world.fetchAll(tooLate.one)).toEqual(['expired'])
    expect(await fileOf(tooLate.one)).toMatchObject({ state: 'expired', failure: 'too_old' })
  })
})

describe('a stored file', () => {
  it('is served to the staff of its tenant alone, as what it is, and no more once it was taken back', async () => {
    const { one, other } = await pictureOf(JPEG)
    await world.fetchAll(one)
    const app = await testApp(world.db.store, { clock: world.clock, mediaStorage: world.storage })
    const url = `/v1/media/${(await fileOf(one))?.id}`
    expect((await app.inject({ method: 'GET', url })).statusCode).toBe(401)
    const dona = await loggedIn(app, one.slug, 'dona@example.com')
    const stranger = await loggedIn(app, other.slug, 'dona@example.com')
    expect((await stranger('GET', url)).status).toBe(404)
    expect(await dona('GET', url)).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/jpeg',
        'content-length': String(JPEG.length),
        'x-content-type-options': 'nosniff',
        'content-disposition': expect.stringMatching(/^inline; filename="image\.jpeg"/),
      },
    })
    const part = await dona('GET', url, undefined, { range: 'bytes=0-3' })
    expect(part).toMatchObject({ status: 206, headers: { 'content-range': `bytes 0-3/${JPEG.length}` } })
    const filename = `${'😀'.repeat(61)}.jpeg`
    await world.db.store.transact(one.id, (tx) => tx.media.updateMany({ data: { filename } }))
    expect(await dona('GET', url)).toMatchObject({ status: 200 })
    await world.deliver([one, other], 'revoke', {
      edit: (json) => json.replace('wamid.TEXT1', 'wamid.IMAGE1'),
    })
    expect((await dona('GET', url)).status).toBe(404)
    await app.close()
  })
})

describe('a transcriber of the OpenAI kind', () => {
  it('is sent the voice note with model and language, and its words are read', async () => {
    const asked: { url: string | undefined; key: string | undefined; form: string }[] = []
    const answers = [
      { status: 200, body: { text: ' Quero marcar amanhã ' } },
      { status: 400, body: { error: 'no speech' } },
      { status: 503, body: {} },
    ]
    const server = createServer((request, response) => {
      void readText(request).then((form) => {
        asked.push({ url: request.url, key: request.headers.authorization, form })
        const { status, body } = answers.shift() ?? { status: 500, body: {} }
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const transcriber = createHttpTranscriber({
      url: `http://127.0.0.1:${port}/v1`,
      apiKey: 'key',
      model: 'whisper-1',
      timeoutMs: 5_000,
    })
    const audio = { bytes: Buffer.from('OggS'), contentType: 'audio/ogg', locale: 'pt-BR' }
    const { signal } = new AbortController()
    expect(await transcriber.transcribe(audio, signal)).toBe('Quero marcar amanhã')
    expect(asked[0]).toMatchObject({ url: '/v1/audio/transcriptions', key: 'Bearer key' })
    for (const part of ['filename="audio.ogg"', 'whisper-1', '\r\npt\r\n']) {
      expect(asked[0]?.form).toContain(part)
    }
    expect(await transcriber.transcribe(audio, signal)).toBeNull()
    await expect(transcriber.transcribe(audio, signal)).rejects.toMatchObject({ code: 'transcriber_failed' })
    await new Promise((resolve) => {
      server.close(resolve)
    })
  })
})
