import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createTestClock, type DocumentInput, staffEntry, studioDocument } from '../support/factories.ts'
import { ADMIN_TOKEN, ask, sendAs, testApp, testConfig } from '../support/http-harness.ts'

let database: TestDatabase
let app: FastifyInstance
const clock = createTestClock()

beforeAll(async () => {
  database = await createTestDatabase()
  app = await testApp(database.store, { clock })
})
afterAll(async () => {
  await app.close()
  await database.close()
})

const urlOf = (slug: unknown) => `/v1/admin/tenants/${String(slug)}`

function put(document: DocumentInput, slug = document['slug']) {
  return sendAs(app, ADMIN_TOKEN)('PUT', urlOf(slug), document)
}

function get(slug: unknown) {
  return sendAs(app, ADMIN_TOKEN)('GET', urlOf(slug))
}

describe('the tenant document', () => {
  it('is stored whole, the same the second time, and given back without secrets', async () => {
    const document = studioDocument({ staff: [staffEntry('dona@example.com')] })
    const other = studioDocument({ name: 'Other' })
    const first = await put(document)
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ slug: document['slug'], policy: { slotStepMinutes: 30 } })
    expect((await put(other)).status).toBe(200)
    expect(await put(document)).toMatchObject({ status: 200, body: first.body })
    expect(await get(document['slug'])).toMatchObject({ status: 200, body: first.body })
    expect(JSON.stringify(first.body)).not.toMatch(/accessToken|password|token-/)
    expect((await get(other['slug'])).body).toMatchObject({ name: 'Other' })
  })

  it('that is invalid is refused with every path, and changes nothing', async () => {
    const document = studioDocument()
    const { body: stored } = await put(document)
    const invalid = {
      ...document,
      timeZone: 'Mars/Base',
      services: [{ key: 'Corte', name: '', durationMinutes: 2 }],
      professionals: [],
      colour: 'red',
    }
    const { status, body } = await put(invalid)
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'invalid_document', status: 422 })
    const paths = ['timeZone', 'services.0.key', 'services.0.name', 'services.0.durationMinutes', 'colour']
    for (const path of paths) {
      expect(body['issues']).toContainEqual(expect.objectContaining({ path }))
      expect(body['detail']).toContain(path)
    }
    expect((await get(document['slug'])).body).toEqual(stored)
  })

  it('that is no object, or whose slug is not the one in the address, is invalid too', async () => {
    const document = studioDocument()
    const elsewhere = await put(document, 'another-slug')
    expect(elsewhere).toMatchObject({ status: 422, body: { issues: [{ path: 'slug' }] } })
    for (const payload of ['[]', '"x"', 'null', undefined]) {
      const answer = await ask(app, {
        method: 'PUT',
        url: urlOf('x'),
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
        ...(payload === undefined ? {} : { payload }),
      })
      expect(answer.status, payload).toBe(422)
    }
    expect((await get('another-slug')).status).toBe(404)
  })

  it('cannot take the number of another tenant', async () => {
    const document = studioDocument()
    await put(document)
    const thief = studioDocument({ channel: document['channel'] })
    expect(await put(thief)).toMatchObject({ status: 409, body: { code: 'phone_number_taken' } })
    expect((await get(thief['slug'])).status).toBe(404)
  })

  it('with a token needs the encryption key', async () => {
    const config = testConfig({ ENCRYPTION_KEY: '' })
    const keyless = await testApp(database.store, { clock, config })
    const document = studioDocument()
    const answer = await sendAs(keyless, ADMIN_TOKEN)('PUT', urlOf(document['slug']), document)
    expect(answer).toMatchObject({ status: 422, body: { code: 'encryption_key_missing' } })
    await keyless.close()
  })
})

describe("the operator's routes", () => {
  it('answer 401 to whoever has no or the wrong token, before they look at anything', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer wrong', ADMIN_TOKEN, `Basic ${ADMIN_TOKEN}`]) {
      for (const method of ['GET', 'PUT'] as const) {
        const answer = await ask(app, { method, url: urlOf('x'), headers: { authorization } })
        expect(answer, authorization).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
      }
    }
  })

  it('do not exist while there is no ADMIN_TOKEN', async () => {
    const closed = await testApp(database.store, { clock, config: testConfig({ ADMIN_TOKEN: '' }) })
    const document = studioDocument()
    for (const token of [ADMIN_TOKEN, '', 'null']) {
      const send = sendAs(closed, token)
      const url = urlOf(document['slug'])
      expect(await send('PUT', url, document)).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(await send('GET', url)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    await closed.close()
  })

  it('answer 404 for what is no slug of anybody', async () => {
    for (const slug of ['nobody', 'UPPER', 'a%00b', '%F0%9F%92%87', 'x'.repeat(41)]) {
      expect((await get(slug)).status, slug).toBe(404)
    }
    expect(await get('%zz')).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })
})
