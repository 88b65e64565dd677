import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWhatsappWorld, type WhatsappWorld } from '../support/whatsapp-world.ts'

let world: WhatsappWorld

beforeAll(async () => {
  world = await createWhatsappWorld()
})
afterAll(() => world.close())

/** What a fixture leaves with the tenant it names, when it is the first that came. */
interface Landing {
  /** What became of each update, in any order. */
  readonly outcomes: readonly string[]
  /** `direction author type: text` of each message. */
  readonly thread: readonly string[]
  /** `status address` of each conversation, with `turn` where the bot will answer. */
  readonly conversations: readonly string[]
}

const stored = (thread: string, conversation: string): Landing => ({
  outcomes: ['stored'],
  thread: [thread],
  conversations: [conversation],
})
/** A message of Ana's that the bot answers. */
const turn = (thread: string, address = 'phone:5511987654321') =>
  stored(`in customer ${thread}`, `bot ${address} turn`)
/** Kept in the raw body with this word, applied, or waiting: nothing in any thread. */
const nothing = (...outcomes: string[]): Landing => ({ outcomes, thread: [], conversations: [] })

const LANDINGS: Readonly<Record<string, Landing>> = {
  text: turn('text: Oi! Quero marcar um corte 💇‍♀️'),
  'text-v23-without-bsuid': turn('text: Bom dia'),
  'text-bsuid-only': turn('text: Olá', 'bsuid:BR.81523470916342758019'),
  'text-empty-phone': turn('text: Olá', 'bsuid:BR.81523470916342758019'),
  'text-nobody-named': turn('text: Olá', 'bsuid:BR.81523470916342758019'),
  'text-without-ninth-digit': turn('text: Oi', 'phone:551187654321'),
  'text-landline': turn('text: Boa tarde', 'phone:551132654321'),
  'text-mexico': turn('text: Hola', 'phone:5215512345678'),
  'text-argentina': turn('text: Buenas', 'phone:5491123456789'),
  'text-reply-forwarded-referral': turn('text: Esse horário'),
  'text-without-body': turn('text: null'),
  'text-day-old': stored('in customer text: Ainda dá tempo?', 'bot phone:5511987654321'),
  'text-group': nothing('group'),
  'interactive-button-reply': turn('interactive: 10:00'),
  'interactive-list-reply': turn('interactive: Corte de cabelo'),
  'interactive-flow-reply': turn('interactive: Sent'),
  'interactive-flow-reply-not-json': turn('interactive: Sent'),
  'interactive-flow-reply-object': turn('interactive: Sent'),
  'button-template': turn('button: Confirmar'),
  'button-without-context': {
    outcomes: ['applied'],
    thread: ['in customer button: Sair', expect.stringMatching(/^out bot text: .*lembretes/)],
    conversations: ['bot phone:5511987654321'],
  },
  image: turn('image: Quero assim'),
  document: turn('document: null'),
  audio: turn('audio: null'),
  'audio-file': turn('audio: null'),
  video: turn('video: null'),
  sticker: turn('sticker: null'),
  contacts: turn('contacts: Bia Lima; +5531988887777'),
  location: turn('location: Estúdio'),
  order: turn('order: Esses dois'),
  unsupported: turn('unsupported: null'),
  'unknown-type': turn('hologram: null'),
  reaction: nothing('parked'),
  'reaction-removed': nothing('parked'),
  edit: nothing('parked'),
  revoke: nothing('parked'),
  'system-changed-number': nothing('unknown_customer'),
  'system-changed-number-old-shape': nothing('unknown_customer'),
  'system-changed-user-id': nothing('unknown_customer'),
  'user-id-update': nothing('unknown_customer'),
  'user-preferences-stop': nothing('applied'),
  'user-preferences-resume': nothing('applied'),
  echo: stored('out staff text: Oi Ana, aqui é a Paula', 'assigned phone:5511987654321'),
  'echo-bsuid-only': stored(
    'out staff text: Oi Ana, aqui é a Paula',
    'assigned bsuid:BR.81523470916342758019',
  ),
  standby: stored('in customer text: Falando com outro sistema', 'closed phone:5511987654321'),
  history: {
    outcomes: ['malformed', 'stored', 'stored'],
    thread: ['in customer text: Tem horário?', 'out staff text: Tem sim'],
    conversations: ['closed phone:5511987654321'],
  },
  'history-media': stored('out staff image: null', 'closed phone:5511987654321'),
  'history-declined': nothing('stored'),
  'status-v23': nothing('parked'),
  'status-v25-bsuid': nothing('parked'),
  'status-v25-free-bsuid-only': nothing('parked'),
  'status-played': nothing('parked'),
  'status-failed': nothing('parked'),
  'status-failed-bsuid-only': nothing('parked'),
  'status-read-before-delivered': nothing('parked', 'parked'),
  'status-group': nothing('group'),
  'account-update': nothing('stored'),
  'template-status-update': nothing('stored'),
  'phone-quality-update': nothing('stored'),
  'value-errors': nothing('stored'),
  'unknown-field': nothing('unknown'),
  'batch-two-people-crossed': {
    outcomes: ['stored', 'stored'],
    thread: ['in customer text: Sou a Ana', 'in customer text: Sou a Bia'],
    conversations: ['bot phone:5511987654321 turn', 'bot phone:5521976543210 turn'],
  },
  'batch-two-tenants-with-malformed': {
    outcomes: [...Array<string>(6).fill('malformed'), 'parked', 'stored', 'stored', 'stored'],
    thread: ['in customer text: um', 'in customer text: dois'],
    conversations: ['bot phone:5511987654321 turn'],
  },
}

describe('the corpus of webhook bodies', () => {
  it.each(Object.entries(LANDINGS))('%s lands where it belongs, and nowhere else', async (name, landing) => {
    const [one, other] = await world.tenants()
    const outcomes = await world.deliver([one, other], name)
    expect(outcomes.toSorted()).toEqual(landing.outcomes.toSorted())
    const conversations = await Promise.all(
      (await world.conversations(one)).map(async ({ id, status, addressKind, address }) => {
        const awaits = (await world.turnInMs(id)) === null ? '' : ' turn'
        return `${status} ${addressKind}:${address}${awaits}`
      }),
    )
    expect(conversations.toSorted()).toEqual(landing.conversations)
    const thread = await threadOf(one)
    // Two people's messages are taken in side by side: neither waits for the other.
    expect(name === 'batch-two-people-crossed' ? thread.toSorted() : thread).toEqual(landing.thread)
    const strangers = name === 'batch-two-tenants-with-malformed' ? ['in customer text: três'] : []
    expect(await threadOf(other)).toEqual(strangers)
  })

  it.each(Object.keys(LANDINGS))('%s again changes nothing', async (name) => {
    const [one, other] = await world.tenants()
    await world.deliver([one, other], name)
    const before = [await threadOf(one), await threadOf(other)]
    const again = await world.deliver([one, other], name)
    expect([await threadOf(one), await threadOf(other)]).toEqual(before)
    expect(again).not.toContain('stored')
  })

  it('has every file in this table', async () => {
    const files = await readdir(new URL('../fixtures/whatsapp/', import.meta.url))
    expect(files.map((file) => file.replace('.json', '')).toSorted()).toEqual(
      Object.keys(LANDINGS).toSorted(),
    )
  })

  async function threadOf(tenant: Parameters<WhatsappWorld['messages']>[0]): Promise<string[]> {
    const messages = await world.messages(tenant)
    return messages.map(({ direction, author, type, text }) => `${direction} ${author} ${type}: ${text}`)
  }
})
