import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim, resolve, returnToBot, takeOver } from '../../src/handoff/ownership.ts'
import { resumeBot } from '../../src/handoff/resume-bot.ts'
import { addNote, markRead, reply } from '../../src/handoff/write-as-staff.ts'
import { newId } from '../../src/shared/ids.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  type TestStaff,
} from '../support/conversation-harness.ts'
import { handoffSteps, releaseStep, type Step } from '../support/handoff-steps.ts'

const MINUTE_MS = 60_000
let world: ConversationHarness
let steps: ReturnType<typeof handoffSteps>

beforeAll(async () => {
  world = await createConversationHarness()
  steps = handoffSteps(world)
})
afterAll(() => world.close())

describe('what the staff write', () => {
  const write = (conversationId: string, staff: TestStaff, content: Parameters<typeof reply>[1]['content']) =>
    world.db.store.transact(world.one.id, (tx) =>
      reply(tx, { conversationId, staffId: staff.id, content, clock: world.clock }),
    )

  it('is sent, counts as the first reply once, and leaves nothing unread', async () => {
    const { db, one, clock } = world
    const conversationId = await steps.assigned()
    const first = clock.now()
    expect(await write(conversationId, one.paula, { text: 'Oi, sou a Paula' })).toMatchObject({
      status: 'pending',
      author: 'staff',
      staffId: one.paula.id,
    })
    clock.advance(MINUTE_MS)
    await write(conversationId, one.paula, { text: 'Tudo bem?' })
    await world.drain(one, conversationId)
    expect(world.channel.takeTexts()).toEqual(['Oi, sou a Paula', 'Tudo bem?'])
    expect(await world.conversation(one, conversationId)).toMatchObject({ unread: 0 })
    const [row] = await db.store.read(one.id, (reader) =>
      reader.handoff.findMany({ where: { conversationId } }),
    )
    expect(row?.firstReplyAt?.getTime()).toBe(first)
  })

  it('is refused to whom the conversation is not assigned', async () => {
    const { one } = world
    const waiting = await steps.queued()
    await expect(write(waiting, one.paula, { text: 'oi' })).rejects.toMatchObject({ code: 'not_assigned' })
    const conversationId = await steps.assigned()
    await expect(write(conversationId, one.owner, { text: 'oi' })).rejects.toMatchObject({
      code: 'not_assigned',
    })
  })

  it('outside the 24 hours is a template or nothing', async () => {
    const { one, clock } = world
    const conversationId = await steps.assigned()
    clock.advance(24 * 60 * MINUTE_MS)
    await expect(write(conversationId, one.paula, { text: 'oi' })).rejects.toMatchObject({
      code: 'window_closed',
    })
    const template = { name: 'reabrir', language: 'pt_BR' }
    expect(await write(conversationId, one.paula, { template })).toMatchObject({
      type: 'template',
      text: 'reabrir',
    })
  })

  it('as a note is never sent', async () => {
    const { one } = world
    const conversationId = await steps.assigned()
    await steps.act(
      (tx, step) => addNote(tx, { ...step, staffId: one.rita.id, text: 'cliente antiga' }),
      one.rita,
      conversationId,
    )
    await world.drain(one, conversationId)
    expect(world.channel.takeTexts()).toEqual([])
  })

  it('for another tenant does not exist, whatever the step', async () => {
    const { other, clock } = world
    const conversationId = await steps.assigned()
    const all: Step<unknown>[] = [
      claim,
      takeOver,
      releaseStep,
      returnToBot,
      resolve,
      markRead,
      (tx, step) => addNote(tx, { ...step, staffId: other.paula.id, text: 'oi' }),
      (tx, step) => reply(tx, { ...step, staffId: other.paula.id, content: { text: 'oi' } }),
      (tx, step) => resumeBot(tx, { ...step, messageId: newId(), debounceMs: 0, clock }),
    ]
    for (const step of all) {
      await expect(steps.act(step, other.owner, conversationId, other)).rejects.toMatchObject({
        code: 'not_found',
      })
      await expect(steps.act(step, other.owner, 'no-id', other)).rejects.toMatchObject({ code: 'not_found' })
    }
    expect(await world.conversation(world.one, conversationId)).toMatchObject({
      assigneeId: world.one.paula.id,
    })
  })
})
