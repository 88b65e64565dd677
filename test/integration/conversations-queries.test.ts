import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadNewMessages } from '../../src/assistant/load-turn.ts'
import { conversationDtoSchema, messageDtoSchema } from '../../src/contracts/staff-api.ts'
import { getConversation, toConversationDto } from '../../src/conversations/conversation-view.ts'
import { type ConversationFilter, listConversations } from '../../src/conversations/list-conversations.ts'
import { listMessages, listRuns } from '../../src/conversations/list-messages.ts'
import { toMessageDto } from '../../src/conversations/message-view.ts'
import { claim, returnToBot } from '../../src/handoff/ownership.ts'
import { addNote, reply } from '../../src/handoff/write-as-staff.ts'
import { newId } from '../../src/shared/ids.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
  type StaffedTenant,
} from '../support/conversation-harness.ts'
import { handoffSteps } from '../support/handoff-steps.ts'

let world: ConversationHarness
let steps: ReturnType<typeof handoffSteps>

beforeAll(async () => {
  world = await createConversationHarness()
  steps = handoffSteps(world)
})
afterAll(() => world.close())

const list = (filter: Partial<ConversationFilter>, tenant: StaffedTenant = world.one) =>
  world.db.store.read(tenant.id, (reader) => listConversations(reader, { limit: 50, ...filter }))

async function everyPage(filter: Partial<ConversationFilter>): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page = await list({ ...filter, limit: 2, ...(cursor === null ? {} : { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(2)
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== null)
  return ids
}

describe('the list of conversations', () => {
  it('pages newest first; the queue with the longest wait first', async () => {
    const { one, clock } = world
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) {
      // Two share each instant: the id breaks the tie.
      if (index % 2 === 0) clock.advance(60_000)
      ids.push((await world.say(one, freshPhone(), 'oi')).conversationId)
    }
    const newestFirst = await everyPage({ status: 'bot' })
    expect(newestFirst).toHaveLength(5)
    expect(newestFirst[0]).toBe(ids[4])
    expect(new Set(newestFirst.slice(1, 3))).toEqual(new Set(ids.slice(2, 4)))
    for (const id of ids.toReversed()) await steps.handOff(id)
    const queue = await everyPage({ status: 'queued' })
    expect(queue).toHaveLength(5)
    expect(queue.at(-1)).toBe(ids[4])
    expect(new Set(queue.slice(0, 2))).toEqual(new Set(ids.slice(0, 2)))
    expect(await everyPage({ status: 'bot' })).toEqual([])
    expect((await everyPage({})).length).toBe(5)
    expect((await list({}, world.other)).items).toEqual([])
  })

  it('filters by assignee', async () => {
    const { one } = world
    const mine = await steps.assigned()
    expect((await list({ assigneeId: one.paula.id })).items).toMatchObject([
      { id: mine, assignee: { name: 'paula' } },
    ])
    expect((await list({ assigneeId: one.rita.id })).items).toEqual([])
    expect((await list({ assigneeId: 'nobody' })).items).toEqual([])
  })

  it('is searched by name, number and text, without case and accents', async () => {
    const { one } = world
    const phone = freshPhone()
    const text = 'Quero uma HIDRATAÇÃO 100% natural, por favor'
    const { conversationId } = await world.say(one, phone, text, { profileName: 'José Conceição' })
    const found = async (q: string) => (await list({ q })).items.map(({ id }) => id)
    for (const q of [
      'jose',
      'CONCEICAO',
      'conceição',
      'hidratacao',
      'hidratac\u0327a\u0303o',
      '100% nat',
      phone.slice(4),
    ]) {
      expect(await found(q), q).toEqual([conversationId])
    }
    expect(
      await found(`+${phone.slice(0, 2)} ${phone.slice(2, 4)} ${phone.slice(4, 9)}-${phone.slice(9)}`),
    ).toEqual([conversationId])
    for (const q of ['10_% nat', 'maria', '100%natural']) expect(await found(q), q).toEqual([])
    expect((await list({ q: 'jose' }, world.other)).items).toEqual([])
  })

  it('refuses a cursor that is none', async () => {
    await expect(list({ cursor: 'garbage' })).rejects.toMatchObject({ code: 'invalid_cursor' })
  })
})

describe('a conversation', () => {
  it('is shown as the contract has it, in the tenant\u2019s offset', async () => {
    const { one, clock, db } = world
    const { conversationId } = await world.say(one, freshPhone(), 'oi', { profileName: 'Carla' })
    const view = await db.store.read(one.id, (reader) => getConversation(reader, conversationId))
    if (view === null) throw new Error('no conversation')
    const dto = conversationDtoSchema.parse(toConversationDto(view, 'America/Sao_Paulo', clock.now()))
    expect(dto).toMatchObject({
      status: 'bot',
      customer: { name: 'Carla' },
      assignee: null,
      handoff: null,
      unread: 1,
    })
    expect(Date.parse(dto.windowClosesAt ?? '')).toBe(clock.now() + 24 * 3_600_000)
    expect(dto.lastMessageAt).toMatch(/-03:00$/)
  })

  it('of another tenant is not there', async () => {
    const { one, other, db } = world
    const { conversationId } = await world.say(one, freshPhone(), 'oi')
    await db.store.read(other.id, async (reader) => {
      expect(await getConversation(reader, conversationId)).toBeNull()
      expect(await loadNewMessages(reader, conversationId, 0n, 1_000_000n)).toEqual([])
      const refused = { code: 'not_found' }
      await expect(listMessages(reader, { conversationId, limit: 5 })).rejects.toMatchObject(refused)
      await expect(listRuns(reader, { conversationId, limit: 5 })).rejects.toMatchObject(refused)
    })
  })
})

describe('the thread', () => {
  it('pages newest first by message id', async () => {
    const { one, db } = world
    const phone = freshPhone()
    const { conversationId } = await world.say(one, phone, 'um')
    for (const text of ['dois', 'três', 'quatro', 'cinco']) await world.say(one, phone, text)
    const page = (before?: string) =>
      db.store.read(one.id, (reader) =>
        listMessages(reader, { conversationId, limit: 2, ...(before === undefined ? {} : { before }) }),
      )
    const first = await page()
    const second = await page(first.nextCursor ?? '')
    const third = await page(second.nextCursor ?? '')
    expect([first, second, third].map(({ items }) => items.map(({ text }) => text))).toEqual([
      ['cinco', 'quatro'],
      ['três', 'dois'],
      ['um'],
    ])
    expect(third.nextCursor).toBeNull()
    expect(await page(newId())).toEqual({ items: [], nextCursor: null })
    const [message] = first.items
    if (message === undefined) throw new Error('no message')
    const dto = messageDtoSchema.parse(toMessageDto(message, 'America/Sao_Paulo'))
    expect(dto).toMatchObject({ direction: 'in', author: 'customer', status: 'received', error: null })
  })

  it('of runs is newest first', async () => {
    const { one, db, clock } = world
    const { conversationId } = await world.say(one, freshPhone(), 'oi')
    const ids = [newId(), newId(), newId()]
    await db.store.transact(one.id, async (tx) => {
      for (const id of ids) await tx.run.create({ data: runRow(id, conversationId, 0n) })
    })
    const page = (cursor?: string) =>
      db.store.read(one.id, (reader) =>
        listRuns(reader, { conversationId, limit: 2, ...(cursor === undefined ? {} : { cursor }) }),
      )
    const first = await page()
    const second = await page(first.nextCursor ?? '')
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.toReversed())
    expect(first.items[0]?.startedAt.getTime()).toBe(clock.now())
  })

  it('for a turn holds what people said since the last run, but no notes and nothing that was taken back', async () => {
    const { one, db, clock } = world
    const phone = freshPhone()
    const { conversationId } = await world.say(one, phone, 'antes da execução')
    const [first] = await world.messages(one, conversationId)
    await db.store.transact(one.id, (tx) =>
      tx.run.create({ data: runRow(newId(), conversationId, first?.seq ?? 0n) }),
    )
    await world.botSays(one, conversationId, 'retirada antes de sair')
    await steps.handOff(conversationId)
    await steps.act(claim, one.paula, conversationId)
    await db.store.transact(one.id, (tx) =>
      addNote(tx, { conversationId, staffId: one.paula.id, text: 'segredo', clock }),
    )
    await db.store.transact(one.id, (tx) =>
      reply(tx, { conversationId, staffId: one.paula.id, content: { text: 'resolvi por aqui' }, clock }),
    )
    await steps.act(returnToBot, one.paula, conversationId)
    await world.say(one, phone, 'e o horário?')
    const said = await db.store.read(one.id, (reader) =>
      loadNewMessages(reader, conversationId, first?.seq ?? 0n, 1_000_000n),
    )
    expect(said).toMatchObject([
      { author: 'staff', text: 'resolvi por aqui' },
      { author: 'customer', text: 'e o horário?' },
    ])
  })
})

function runRow(id: string, conversationId: string, uptoSeq: bigint) {
  return {
    tenantId: world.one.id,
    id,
    conversationId,
    ownerEpoch: 1,
    status: 'completed',
    model: 'scripted',
    uptoSeq,
    opening: [],
    startedAt: new Date(world.clock.now()),
  }
}
