import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signActionId } from '../../src/whatsapp/action-id.ts'
import type { TestTenant } from '../support/factories.ts'
import { answers, scriptedModel } from '../support/scripted-model.ts'
import { ACTION_SECRET, createWhatsappWorld, type WhatsappWorld } from '../support/whatsapp-world.ts'

const PHONE = '5511987654321'
const NEW_PHONE = '5511912345678'
const BSUID = 'BR.81523470916342758019'
const NEW_BSUID = 'BR.90017263548190270001'

let world: WhatsappWorld

beforeAll(async () => {
  world = await createWhatsappWorld()
})
afterAll(() => world.close())

let lastWamid = 0
/** The fixture as another message. */
const fresh = (json: string) => {
  lastWamid += 1
  return json.replace(/wamid\.\w+/, `wamid.FRESH${lastWamid}`)
}
const from = (phone: string) => (json: string) => fresh(json).replaceAll(PHONE, phone)

async function customers(tenant: TestTenant) {
  const rows = await world.db.store.read(tenant.id, (reader) =>
    reader.customer.findMany({
      include: { identities: { orderBy: { kind: 'asc' } } },
      orderBy: { createdAt: 'asc' },
    }),
  )
  return rows.map(({ identities, ...customer }) => ({
    ...customer,
    names: identities.map(({ kind, value }) => `${kind}:${value}`),
  }))
}

/** Whether the only customer stopped what they did not ask for. */
async function stopped(tenant: TestTenant): Promise<boolean> {
  const [customer] = await customers(tenant)
  return customer?.proactiveStoppedAt != null
}

describe('one person', () => {
  it.each([
    ['with and without Brazil’s ninth digit', '5511987654321', '551187654321'],
    ['with and without Mexico’s 1', '5215512345678', '525512345678'],
    ['with and without Argentina’s 9', '5491123456789', '541123456789'],
  ])('%s has one conversation, answered to the form that came last', async (_name, one, other) => {
    const tenants = await world.tenants()
    for (const phone of [one, other, one]) {
      await world.deliver(tenants, 'text-v23-without-bsuid', { edit: from(phone) })
      expect(await world.conversation(tenants[0])).toMatchObject({ addressKind: 'phone', address: phone })
    }
    expect(await customers(tenants[0])).toHaveLength(1)
  })

  it('is not two landlines that differ by a nine, nor the same number with another tenant', async () => {
    const tenants = await world.tenants()
    for (const phone of ['551132654321', '5511932654321']) {
      await world.deliver(tenants, 'text-v23-without-bsuid', { edit: from(phone) })
    }
    expect(await customers(tenants[0])).toHaveLength(2)
    await world.deliver([tenants[1]], 'text-landline')
    expect(await customers(tenants[1])).toHaveLength(1)
  })

  it('is not the stranger who got their number: whoever comes with it and another BSUID is somebody new', async () => {
    const tenants = await world.tenants()
    await world.deliver(tenants, 'text')
    const stranger = (json: string) => fresh(json).replaceAll(BSUID, NEW_BSUID)
    await world.deliver(tenants, 'text', { edit: stranger })
    const [first, second] = await customers(tenants[0])
    expect(first?.names).toEqual([`bsuid:${BSUID}`])
    expect(second?.names).toEqual([`bsuid:${NEW_BSUID}`, expect.stringMatching(/^phone:/)])
    await world.deliver(tenants, 'text-v23-without-bsuid', { edit: fresh })
    const talks = await world.db.store.read(tenants[0].id, (reader) =>
      reader.message.groupBy({ by: ['conversationId'], _count: true, orderBy: { _count: { id: 'asc' } } }),
    )
    expect(talks.map(({ _count }) => _count)).toEqual([1, 2])
  })

  it('by number and BSUID, then by BSUID alone, then by number alone', async () => {
    const tenants = await world.tenants()
    for (const fixture of ['text', 'text-bsuid-only', 'text-v23-without-bsuid', 'text-empty-phone']) {
      await world.deliver(tenants, fixture)
    }
    expect(await world.messages(tenants[0])).toHaveLength(4)
    expect(await world.conversation(tenants[0])).toMatchObject({ addressKind: 'bsuid', address: BSUID })
    expect(await customers(tenants[0])).toMatchObject([
      { names: [`bsuid:${BSUID}`, 'parent_bsuid:BR.ENT.55012938475610293847', `phone:${PHONE}`] },
    ])
  })

  it('under another number’s BSUID is known by the parent', async () => {
    const tenants = await world.tenants()
    await world.deliver(tenants, 'text-bsuid-only')
    const edit = (json: string) => fresh(json).replaceAll(BSUID, NEW_BSUID)
    await world.deliver(tenants, 'text-bsuid-only', { edit })
    expect(await customers(tenants[0])).toHaveLength(1)
  })

  it.each([
    ['system-changed-number', [`bsuid:${BSUID}`, `phone:${NEW_PHONE}`], NEW_PHONE],
    ['system-changed-number-old-shape', [`bsuid:${BSUID}`, `phone:${NEW_PHONE}`], NEW_PHONE],
    ['system-changed-user-id', [`bsuid:${NEW_BSUID}`, `phone:${PHONE}`], PHONE],
    ['user-id-update', [`bsuid:${NEW_BSUID}`, `phone:${PHONE}`], PHONE],
  ])('%s: stays the same customer under the new name', async (fixture, names, address) => {
    const tenants = await world.tenants()
    const [one, other] = tenants
    await world.deliver(tenants, 'text')
    await world.deliver([other], 'text')
    const before = await customers(one)
    await world.deliver(tenants, fixture)
    expect(await customers(one)).toMatchObject([{ id: before[0]?.id, names }])
    expect(await customers(other)).toMatchObject([{ names: [`bsuid:${BSUID}`, `phone:${PHONE}`] }])
    const conversation = await world.conversation(one)
    expect(conversation).toMatchObject({ addressKind: 'phone', address, unread: 1 })
    const said = (await world.messages(one)).filter(({ author }) => author === 'system')
    expect(said).toHaveLength(fixture === 'user-id-update' ? 0 : 1)
    const edit = (json: string) => from(address)(json).replaceAll(BSUID, names[0]?.slice(6) ?? '')
    await world.deliver(tenants, 'text', { edit })
    expect((await world.conversation(one)).id).toBe(conversation.id)
  })

  it('who changed the number leaves the old one to whoever has it next', async () => {
    const tenants = await world.tenants()
    await world.deliver(tenants, 'text')
    await world.deliver(tenants, 'system-changed-number')
    await world.deliver(tenants, 'text-v23-without-bsuid')
    expect(await customers(tenants[0])).toMatchObject([
      { names: [`bsuid:${BSUID}`, `phone:${NEW_PHONE}`] },
      { names: [`phone:${PHONE}`] },
    ])
  })

  it('found to be two keeps the stop that they said last', async () => {
    const tenants = await world.tenants()
    await world.deliver(tenants, 'text-bsuid-only')
    await world.deliver(tenants, 'user-preferences-stop', {
      edit: (json) => json.replaceAll(`"${BSUID}"`, 'null'),
    })
    expect(await customers(tenants[0])).toHaveLength(2)
    await world.deliver(tenants, 'text')
    const merged = (await customers(tenants[0])).find(({ names }) => names.length > 0)
    expect(merged).toMatchObject({ proactiveStoppedAt: expect.any(Date) })
  })
})

describe('who wants no message that they did not ask for', () => {
  it('stops and resumes in WhatsApp’s own menu; the newest word counts, whatever comes first', async () => {
    const tenants = await world.tenants()
    const [one, other] = tenants
    await world.deliver(tenants, 'text')
    await world.deliver([other], 'text')
    await world.deliver(tenants, 'user-preferences-stop')
    expect([await stopped(one), await stopped(other)]).toEqual([true, false])
    await world.deliver(tenants, 'user-preferences-resume')
    expect(await stopped(one)).toBe(false)
    expect(await world.deliver(tenants, 'user-preferences-stop')).toEqual(['stale'])
    expect(await stopped(one)).toBe(false)
    const unheard = (json: string) => json.replace('"stop"', '"pause"')
    expect(await world.deliver(tenants, 'user-preferences-stop', { edit: unheard })).toEqual([
      'unknown_preference',
    ])
  })

  it.each(['PARAR', 'parar', 'Sair!', 'STOP', ' stop. '])(
    '%j: stops, is told so in one sentence, and the model is not asked',
    async (word) => {
      const tenants = await world.tenants()
      const [one] = tenants
      await world.deliver(tenants, 'text-v23-without-bsuid', {
        edit: (json) => json.replace('Bom dia', word),
      })
      expect(await stopped(one)).toBe(true)
      const { id, unread } = await world.conversation(one)
      expect([unread, await world.turnInMs(id)]).toEqual([0, null])
      expect((await world.messages(one)).slice(1)).toMatchObject([
        { author: 'bot', status: 'pending', text: expect.stringMatching(/lembretes/) },
      ])
    },
  )

  it.each(['Posso parar o carro aí?', 'Quero sair mais cedo', 'nonstop', 'Pare'])(
    '%j is a turn like any other',
    async (text) => {
      const tenants = await world.tenants()
      await world.deliver(tenants, 'text-v23-without-bsuid', {
        edit: (json) => json.replace('Bom dia', text),
      })
      expect(await stopped(tenants[0])).toBe(false)
      expect(await world.turnInMs((await world.conversation(tenants[0])).id)).not.toBeNull()
    },
  )

  it('taps “Sair” on a template’s button; on a choice of the model’s it only means the choice', async () => {
    const tenants = await world.tenants()
    await world.deliver(tenants, 'interactive-button-reply', {
      edit: (json) => json.replaceAll('10:00', 'Sair'),
    })
    expect(await stopped(tenants[0])).toBe(false)
    await world.deliver(tenants, 'button-without-context')
    expect(await stopped(tenants[0])).toBe(true)
  })

  it('is not answered while a person has the conversation, nor days later; it holds all the same', async () => {
    const stop = (json: string) => json.replace('Bom dia', 'PARAR')
    const tenants = await world.tenants()
    await world.deliver(tenants, 'echo')
    await world.deliver(tenants, 'text-v23-without-bsuid', { edit: stop })
    expect(await stopped(tenants[0])).toBe(true)
    expect(await world.messages(tenants[0])).toHaveLength(2)
    const others = await world.tenants()
    await world.deliver(others, 'text-v23-without-bsuid', {
      edit: (json) => stop(json).replace('1796040000', '1795900000'),
    })
    expect(await stopped(others[0])).toBe(true)
    expect(await world.messages(others[0])).toHaveLength(1)
  })

  it('is answered by the model all the same when they write', async () => {
    const tenants = await world.tenants()
    await world.deliver(tenants, 'user-preferences-stop')
    await world.deliver(tenants, 'text')
    const model = scriptedModel([answers('Claro!')])
    await world.runTurn(tenants[0], model)
    model.assertPlayed()
    expect((await world.messages(tenants[0])).at(-1)).toMatchObject({ author: 'bot', text: 'Claro!' })
  })
})

describe('a button that the product signed', () => {
  it.each(['button-template', 'interactive-button-reply'])(
    '%s: is acted on without the model, refused in words where it cannot be',
    async (fixture) => {
      const tenants = await world.tenants()
      const id = signActionId(ACTION_SECRET, { name: 'cancel', payload: 'K7M2QP' })
      const edit = (json: string) =>
        json.replace('a:confirm:K7M2QP:AAAAAAAAAAAAAAAAAAAAAA', id).replace('c:10h', id)
      expect(await world.deliver(tenants, fixture, { edit })).toEqual(['applied'])
      expect((await world.messages(tenants[0])).slice(1)).toMatchObject([
        { author: 'system', text: expect.stringMatching(/Não encontrei/) },
      ])
      expect(await world.turnInMs((await world.conversation(tenants[0])).id)).toBeNull()
      expect(await world.deliver(tenants, fixture, { edit })).toEqual(['duplicate'])
    },
  )
})
