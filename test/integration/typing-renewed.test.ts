import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, scriptedModel } from '../support/scripted-model.ts'
import { createWhatsappWorld, type WhatsappWorld } from '../support/whatsapp-world.ts'

let world: WhatsappWorld

beforeAll(async () => {
  world = await createWhatsappWorld()
})
afterAll(() => world.close())

describe('read and typing', () => {
  it('are told when a run starts, and again after 20 s of it; not after it ended', async () => {
    const tenants = await world.tenants()
    const { reads } = world.channel
    await world.deliver(tenants, 'text')
    const model = scriptedModel([
      async () => {
        await expect.poll(() => reads.length, { timeout: 30_000, interval: 20 }).toBe(2)
        return answers('Oi!')
      },
    ])
    await world.runTurn(tenants[0], model)
    model.assertPlayed()
    const wamid = (await world.messages(tenants[0]))[0]?.wamid
    expect(reads).toMatchObject([
      { wamid, typing: true },
      { wamid, typing: true },
    ])
    const [first, again] = reads
    const between = (again?.atMs ?? 0) - (first?.atMs ?? 0)
    // Meta takes it away after 25 s.
    expect(between).toBeGreaterThanOrEqual(19_950)
    expect(between).toBeLessThan(25_000)
    await world.deliver(tenants, 'text-v23-without-bsuid')
    await world.runTurn(tenants[0], scriptedModel([answers('Bom dia!')]))
    expect(reads.slice(2)).toMatchObject([{ wamid: 'wamid.OLD1', typing: true }])
  }, 60_000)
})
