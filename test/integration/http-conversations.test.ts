import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { lockConversation } from '../../src/conversations/conversation-row.ts'
import { changeOwner } from '../../src/conversations/owner.ts'
import { newId } from '../../src/shared/ids.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
  type StaffedTenant,
} from '../support/conversation-harness.ts'
import { type Answer, ask, loggedIn, type Send, testApp, tokenOf } from '../support/http-harness.ts'

const DAY_MS = 86_400_000

let harness: ConversationHarness
let app: FastifyInstance
let owner: Send
let paula: Send
let rita: Send
let other: Send

beforeAll(async () => {
  harness = await createConversationHarness()
  app = await testApp(harness.db.store, { clock: harness.clock })
  owner = await loggedIn(app, harness.one.slug, 'dona@example.com')
  paula = await loggedIn(app, harness.one.slug, 'paula@example.com')
  rita = await loggedIn(app, harness.one.slug, 'rita@example.com')
  other = await loggedIn(app, harness.other.slug, 'dona@example.com')
})
afterAll(async () => {
  await app.close()
  await harness.close()
})

async function talk(tenant: StaffedTenant = harness.one, text = 'oi', phone = freshPhone()): Promise<string> {
  const { conversationId } = await harness.say(tenant, phone, text)
  return conversationId
}

/** A conversation that waits for a person since the clock's time. */
async function queue(tenant: StaffedTenant = harness.one, text = 'quero uma pessoa'): Promise<string> {
  const id = await talk(tenant, text)
  await harness.db.store.transact(tenant.id, async (tx) => {
    const conversation = await lockConversation(tx, id)
    await changeOwner(tx, conversation, { kind: 'handoff' }, harness.clock.now())
  })
  return id
}

const path = (id: string, step = '') => `/v1/conversations/${id}${step === '' ? '' : `/${step}`}`
const itemsOf = ({ body }: Answer) => z.array(z.looseObject({ id: z.string() })).parse(body['items'])
const idsOf = (answer: Answer) => itemsOf(answer).map(({ id }) => id)

describe('the lists', () => {
  it('filter by status and assignee, and search name, phone and texts of one tenant', async () => {
    const phone = freshPhone()
    const waiting = await queue(harness.one, 'preciso de ajuda com azulejos')
    const plain = await talk(harness.one, 'bom dia', phone)
    const foreign = await queue(harness.other, 'azulejos também')
    const mine = await queue()
    expect((await paula('POST', path(mine, 'claim'))).status).toBe(200)
    const queued = idsOf(await paula('GET', '/v1/conversations?status=queued'))
    expect(queued).toContain(waiting)
    for (const id of [plain, foreign, mine]) expect(queued).not.toContain(id)
    expect(idsOf(await paula('GET', '/v1/conversations?assignee=me'))).toEqual([mine])
    expect(idsOf(await paula('GET', '/v1/conversations?q=AZULEJOS'))).toEqual([waiting])
    expect(idsOf(await paula('GET', `/v1/conversations?status=&q=${phone.slice(2)}&cursor=&limit=`))).toEqual(
      [plain],
    )
    expect(idsOf(await other('GET', '/v1/conversations?q=azulejos'))).toEqual([foreign])
  })

  it('show the longest wait of the queue first, and page without repeating or losing any', async () => {
    const expected: string[] = []
    for (let index = 0; index < 5; index += 1) {
      harness.clock.advance(60_000)
      expected.push(await queue(harness.one, 'fila zumbi'))
    }
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await paula('GET', `/v1/conversations?status=queued&q=zumbi&limit=2&cursor=${cursor}`)
      seen.push(...idsOf(page))
      cursor = z.string().nullable().parse(page.body['nextCursor'])
    }
    expect(seen).toEqual(expected)
  })

  it('name the parameter that is wrong', async () => {
    for (const [query, name] of [
      ['status=lost', 'status'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=ten', 'limit'],
      ['assignee=paula', 'assignee'],
      ['q=a%00b', 'q'],
    ]) {
      const answer = await paula('GET', `/v1/conversations?${query ?? ''}`)
      expect(answer, query).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
      expect(answer.body['issues']).toContainEqual(expect.objectContaining({ path: name }))
    }
    const cursor = await paula('GET', '/v1/conversations?cursor=nonsense')
    expect(cursor).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
  })
})

describe('a conversation', () => {
  it('has the shape of the contract, with instants in the tenant’s offset', async () => {
    const id = await queue()
    const { status, body } = await paula('GET', path(id))
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, status: 'queued', assignee: null, unread: 1 })
    expect(Object.keys(body).toSorted()).toEqual(
      [
        'assignee',
        'customer',
        'handoff',
        'id',
        'lastMessage',
        'lastMessageAt',
        'status',
        'unread',
        'viewers',
        'windowClosesAt',
      ].toSorted(),
    )
    expect(body['lastMessageAt']).toMatch(/-03:00$/)
  })

  it('shows its messages newest first, before a message id', async () => {
    const phone = freshPhone()
    const id = await talk(harness.one, 'um', phone)
    await talk(harness.one, 'dois', phone)
    await talk(harness.one, 'três', phone)
    const first = await paula('GET', path(id, 'messages?limit=2'))
    expect(itemsOf(first).map((message) => message['text'])).toEqual(['três', 'dois'])
    expect(itemsOf(first)[0]).toMatchObject({
      direction: 'in',
      author: 'customer',
      status: 'received',
      error: null,
    })
    const before = idsOf(first)[1] ?? ''
    const second = await paula('GET', path(id, `messages?before=${before}`))
    expect(itemsOf(second).map((message) => message['text'])).toEqual(['um'])
    expect(second.body['nextCursor']).toBeNull()
    expect(await paula('GET', path(id, 'runs'))).toMatchObject({
      status: 200,
      body: { items: [], nextCursor: null },
    })
  })

  it('that is no id, of nobody or of another tenant does not exist', async () => {
    const foreign = await queue(harness.other)
    for (const id of ['x', '0', newId(), foreign, `${newId()}0`, '%00', "'"]) {
      for (const step of ['', 'messages', 'runs']) {
        const answer = await paula('GET', path(id, step))
        expect(answer, `${id} ${step}`).toMatchObject({ status: 404, body: { code: 'not_found' } })
      }
      for (const step of ['claim', 'release', 'return-to-bot', 'resolve', 'take-over', 'read']) {
        expect((await paula('POST', path(id, step))).status, `${id} ${step}`).toBe(404)
      }
      for (const step of ['messages', 'notes']) {
        expect((await paula('POST', path(id, step), { text: 'oi' })).status, `${id} ${step}`).toBe(404)
      }
    }
    expect((await other('GET', path(foreign))).body).toMatchObject({ status: 'queued' })
  })
})

describe('ownership', () => {
  it('of 50 claims at once one wins, and 49 are told who', async () => {
    const id = await queue()
    const tokens = await Promise.all(
      ['paula@example.com', 'rita@example.com'].map((email) => tokenOf(app, harness.one.slug, email)),
    )
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        ask(app, {
          method: 'POST',
          url: path(id, 'claim'),
          headers: { authorization: `Bearer ${tokens[index % 2] ?? ''}`, 'content-type': 'application/json' },
        }),
      ),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    const winner = won[0]?.body['assignee']
    expect([harness.one.paula.name, harness.one.rita.name]).toContain(
      z.looseObject({ name: z.string() }).parse(winner).name,
    )
    const lost = answers.filter(({ status }) => status === 409)
    expect(lost).toHaveLength(49)
    for (const { body } of lost) expect(body).toMatchObject({ code: 'already_claimed', assignee: winner })
  })

  it('passes through every step, and a step that the state does not allow is refused', async () => {
    const id = await queue()
    const step = async (send: Send, name: string) => {
      const { status, body } = await send('POST', path(id, name))
      return [status, status === 200 ? body['status'] : body['code']]
    }
    expect(await step(paula, 'resolve')).toEqual([409, 'wrong_state'])
    expect(await step(paula, 'claim')).toEqual([200, 'assigned'])
    expect(await step(paula, 'claim')).toEqual([409, 'already_claimed'])
    expect(await step(rita, 'return-to-bot')).toEqual([409, 'wrong_state'])
    expect(await step(rita, 'take-over')).toEqual([200, 'assigned'])
    expect(await step(paula, 'release')).toEqual([409, 'wrong_state'])
    expect(await step(rita, 'release')).toEqual([200, 'queued'])
    expect(await step(paula, 'return-to-bot')).toEqual([200, 'bot'])
    expect(await step(paula, 'claim')).toEqual([409, 'wrong_state'])
    expect(await step(paula, 'take-over')).toEqual([200, 'assigned'])
    expect(await step(owner, 'resolve')).toEqual([200, 'closed'])
  })
})

describe('writing', () => {
  it('is for the assignee alone, within 24 hours, or with a template', async () => {
    const id = await queue()
    const text = { text: 'Bom dia!' }
    const template = { template: { name: 'retomar', language: 'pt_BR' } }
    expect(await paula('POST', path(id, 'messages'), text)).toMatchObject({
      status: 409,
      body: { code: 'not_assigned' },
    })
    await paula('POST', path(id, 'claim'))
    expect((await rita('POST', path(id, 'messages'), text)).body).toMatchObject({ code: 'not_assigned' })
    expect(await paula('POST', path(id, 'messages'), text)).toMatchObject({
      status: 202,
      body: {
        direction: 'out',
        author: 'staff',
        type: 'text',
        text: 'Bom dia!',
        status: 'pending',
        error: null,
      },
    })
    harness.clock.advance(DAY_MS + 60_000)
    expect(await paula('POST', path(id, 'messages'), text)).toMatchObject({
      status: 409,
      body: { code: 'window_closed' },
    })
    expect((await paula('POST', path(id, 'messages'), template)).status).toBe(202)
  })

  it('takes text or a template, and names what is wrong with either', async () => {
    const id = await queue()
    for (const [body, name] of [
      [{}, 'text'],
      [{ text: '  ' }, 'text'],
      [{ text: 'x'.repeat(4_097) }, 'text'],
      [{ text: 'a\0b' }, 'text'],
      [{ template: { name: 'x' } }, 'template.language'],
      [{ text: 'x', colour: 'red' }, 'colour'],
    ] as const) {
      const answer = await paula('POST', path(id, 'messages'), body)
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
      expect(answer.body['issues']).toContainEqual(expect.objectContaining({ path: name }))
    }
  })

  it('a note stays inside, and reading resets unread in any state', async () => {
    const id = await talk()
    expect(await paula('POST', path(id, 'notes'), { text: 'prefere a Ana' })).toMatchObject({
      status: 201,
      body: { direction: 'note', author: 'staff', text: 'prefere a Ana', status: 'received' },
    })
    expect((await paula('GET', path(id))).body).toMatchObject({ unread: 1, status: 'bot' })
    expect((await paula('POST', path(id, 'read'))).status).toBe(200)
    expect((await paula('GET', path(id))).body).toMatchObject({ unread: 0, status: 'bot' })
  })
})

describe('the figures', () => {
  it('count the handoffs of one tenant on local dates, both included', async () => {
    const id = await talk()
    await paula('POST', path(id, 'take-over'))
    const { status, body } = await paula('GET', '/v1/metrics/handoffs')
    expect(status).toBe(200)
    expect(body['items']).toContainEqual(expect.objectContaining({ reason: 'staff_takeover' }))
    expect((await other('GET', '/v1/metrics/handoffs')).body['items']).toEqual([])
    expect((await paula('GET', '/v1/metrics/handoffs?from=2020-01-01&to=2020-01-31')).body['items']).toEqual(
      [],
    )
    for (const query of [
      'from=2026-02-30',
      'from=0000-01-01',
      'to=9999-12-31',
      'from=2026-02-02&to=2026-02-01',
    ]) {
      expect(await paula('GET', `/v1/metrics/handoffs?${query}`), query).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      })
    }
  })
})
