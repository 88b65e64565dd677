import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { tenantDocumentSchema } from '../../src/contracts/tenant-document.ts'
import { demoTenant } from '../../src/demo/demo-tenant.ts'
import { addDays, isoWeekday } from '../../src/scheduling/civil-date.ts'
import { localDate } from '../../src/scheduling/time-zone.ts'
import { applyTenantDocument } from '../../src/tenancy/apply-tenant-document.ts'
import { ATTENDANT, type DashboardHarness, OWNER, startDashboard } from '../support/dashboard-harness.ts'
import { seriousViolations } from '../support/serious-violations.ts'

let harness: DashboardHarness
let owner: Page
let attendant: Page
/** A Wednesday to come, on which all of the salon work; each test has one of its own. */
let date: string
let tenantId: string

beforeAll(async () => {
  harness = await startDashboard()
  await addNeighbour()
  tenantId = await findTenant('studio-aurora')
  owner = await harness.logIn(OWNER)
  attendant = await harness.logIn(ATTENDANT)
  const today = localDate(demoTenant.timeZone, Date.now())
  date = addDays(today, 3)
  while (isoWeekday(date) !== WEDNESDAY) date = addDays(date, 1)
}, 120_000)

afterAll(() => harness.close())

beforeEach(() => {
  date = addDays(date, 7)
})

const WEDNESDAY = 3

describe('an appointment that is dragged', () => {
  it('goes back when the time is taken, with the reason, and stays where it was in the database', async () => {
    const moved = await book('Beatriz Nogueira', 'ana', '09:00')
    await book('Caio Prates', 'ana', '11:00')
    await open(owner, 'Caio Prates')
    const before = await placeOf(event(owner, 'Beatriz Nogueira'))
    await drag(owner, 'Beatriz Nogueira', { hours: 2 })
    const notice = owner.getByRole('alert').filter({ hasText: 'Não deu para mover' })
    await notice.getByText('Esse horário já está ocupado.').waitFor()
    await expect.poll(() => placeOf(event(owner, 'Beatriz Nogueira'))).toEqual(before)
    expect(await stored(moved)).toEqual({ status: 'booked', startsAt: epoch('09:00'), professional: 'ana' })
  })

  it('moves to a free time', async () => {
    const code = await book('Lia Moraes', 'ana', '09:00')
    await open(owner, 'Lia Moraes')
    await drag(owner, 'Lia Moraes', { hours: 1 })
    await owner.getByText('Movido para 10:00').waitFor()
    expect(await stored(code)).toEqual({ status: 'booked', startsAt: epoch('10:00'), professional: 'ana' })
  })

  it('moves to another professional, and not to one who does not do that service', async () => {
    const code = await book('Marcos Lima', 'ana', '11:00')
    await open(owner, 'Marcos Lima')
    await drag(owner, 'Marcos Lima', { columns: 2 })
    await owner.getByText('Esse profissional não faz esse serviço.').waitFor()
    expect(await stored(code)).toMatchObject({ professional: 'ana' })
    await drag(owner, 'Marcos Lima', { columns: 1 })
    await owner.getByText('Movido para 11:00').waitFor()
    expect(await stored(code)).toEqual({ status: 'booked', startsAt: epoch('11:00'), professional: 'bruno' })
  })

  it('is moved outside the hours only by somebody who insists', async () => {
    const code = await book('Nara Reis', 'carla', '11:00', 'manicure')
    await open(owner, 'Nara Reis')
    await drag(owner, 'Nara Reis', { hours: 1 })
    await owner.getByRole('button', { name: 'Mover mesmo assim' }).click()
    await owner.getByText('Movido para 12:00').waitFor()
    expect(await stored(code)).toMatchObject({ startsAt: epoch('12:00') })
  })
})

describe('a professional who was removed', () => {
  it('keeps a marked column with what was booked, that nothing can be dragged onto', async () => {
    const kept = await book('Elisa Prado', 'carla', '10:00', 'manicure')
    const other = await book('Davi Rocha', 'ana', '11:00')
    await setActive('carla', false)
    try {
      await open(owner, 'Elisa Prado')
      await owner.getByText('Carla (desativado)').waitFor()
      await drag(owner, 'Davi Rocha', { columns: 2 })
      await owner.getByText('Esse profissional não existe mais.').waitFor()
      expect(await stored(other)).toMatchObject({ professional: 'ana' })
      await owner.getByText('Semana', { exact: true }).click()
      await event(owner, 'Elisa Prado').click()
      await owner.getByRole('dialog', { name: 'Agendamento' }).getByText(kept).waitFor()
      await owner.keyboard.press('Escape')
    } finally {
      await setActive('carla', true)
    }
  })
})

describe('another language', () => {
  it('has its own order of dates, and names that fit their place', async () => {
    const [, month, day] = date.split('-')
    const speak = (locale: string) =>
      attendant.evaluate(`localStorage.setItem('agendou.locale', '${locale}')`)
    await speak('en')
    try {
      await attendant.goto(`${harness.proxy.url}/dashboard/agenda/day/${date}`)
      await attendant.getByRole('button', { name: /^Pick a date: / }).waitFor()
      const field = attendant.getByRole('button', { name: /^Pick a date: / })
      expect(await field.textContent()).toBe(`${month}/${day}/${date.slice(0, 4)}`)
      await speak('es')
      await attendant.reload()
      const pill = attendant.getByRole('link', { name: 'Conversaciones' })
      const word = await pill.getByText('Conversaciones', { exact: true }).boundingBox()
      const around = await pill.boundingBox()
      if (word === null || around === null) throw new Error('the rail is not on the screen')
      expect(word.x).toBeGreaterThanOrEqual(around.x)
      expect(word.x + word.width).toBeLessThanOrEqual(around.x + around.width)
    } finally {
      await speak('pt-BR')
    }
  })
})

describe('the agenda', () => {
  it('books for somebody at the counter', async () => {
    await open(owner)
    await owner.getByRole('button', { name: 'Novo agendamento' }).click()
    const dialog = owner.getByRole('dialog', { name: 'Novo agendamento' })
    await choose(owner, dialog, 'Serviço', 'Manicure')
    await dialog.getByText('14:00', { exact: true }).click()
    await dialog.getByLabel('Nome do cliente').fill('Sofia Melo')
    await dialog.getByLabel('WhatsApp').fill('+55 11 97000-0099')
    await dialog.getByRole('button', { name: 'Agendar' }).click()
    await dialog.waitFor({ state: 'detached' })
    await event(owner, 'Sofia Melo').waitFor()
    const answer = await owner.request.get(api(`/appointments?from=${date}&to=${date}`))
    const { items } = z.object({ items: z.array(coded) }).parse(await answer.json())
    expect(items).toHaveLength(1)
    expect(await stored(items[0]?.code ?? '')).toEqual({
      status: 'booked',
      startsAt: epoch('14:00'),
      professional: 'carla',
    })
  })

  it('marks who did not come, with the keyboard alone', async () => {
    const code = await book('Otávio Dias', 'ana', '09:00')
    await open(owner, 'Otávio Dias')
    await event(owner, 'Otávio Dias').focus()
    await owner.keyboard.press('Enter')
    const drawer = owner.getByRole('dialog', { name: 'Agendamento' })
    await drawer.getByRole('button', { name: 'Não veio' }).press('Enter')
    await drawer.getByRole('button', { name: 'Não veio' }).waitFor({ state: 'detached' })
    expect(await stored(code)).toMatchObject({ status: 'no_show' })
  })

  it('cancels, and hides what is cancelled until it is asked for', async () => {
    const code = await book('Paula Sá', 'ana', '09:00')
    await open(owner, 'Paula Sá')
    await event(owner, 'Paula Sá').click()
    const drawer = owner.getByRole('dialog', { name: 'Agendamento' })
    await drawer.getByRole('button', { name: 'Cancelar agendamento' }).click()
    await drawer.getByLabel('Motivo (opcional)').fill('Ficou doente')
    await drawer.getByRole('button', { name: 'Cancelar agendamento' }).click()
    await event(owner, 'Paula Sá').waitFor({ state: 'detached' })
    expect(await stored(code)).toMatchObject({ status: 'cancelled' })
    await owner.keyboard.press('Escape')
    await owner.getByLabel('Mostrar cancelados').check()
    await event(owner, 'Paula Sá').waitFor()
  })

  it('shows at once what somebody else books, moves and cancels', async () => {
    await open(attendant)
    const code = await book('Renata Araújo', 'ana', '09:00')
    await event(attendant, 'Renata Araújo').waitFor()
    const before = await placeOf(event(attendant, 'Renata Araújo'))
    await owner.request.patch(api(`/appointments/${code}`), { data: { startsAt: instant('11:00') } })
    await expect.poll(() => placeOf(event(attendant, 'Renata Araújo'))).not.toEqual(before)
    await owner.request.post(api(`/appointments/${code}/cancel`), { data: {} })
    await event(attendant, 'Renata Araújo').waitFor({ state: 'detached' })
  })

  it('has no serious accessibility violation by day and by night, in a day, a week and an appointment', async () => {
    await book('Vera Nunes', 'ana', '09:00')
    await open(owner, 'Vera Nunes')
    for (const colorScheme of ['light', 'dark'] as const) {
      await owner.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await owner.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
      expect(await seriousViolations(owner)).toEqual([])
      await event(owner, 'Vera Nunes').click()
      await owner.getByRole('dialog', { name: 'Agendamento' }).waitFor()
      expect(await seriousViolations(owner)).toEqual([])
      await owner.keyboard.press('Escape')
      await owner.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await owner.getByText('Semana', { exact: true }).click()
    await owner.waitForURL(/\/agenda\/week\//)
    await event(owner, 'Vera Nunes').waitFor()
    expect(await seriousViolations(owner)).toEqual([])
  })
})

function api(path: string): string {
  return `${harness.proxy.url}/v1${path}`
}

/** @param time `HH:MM` in São Paulo, on the date of the test */
function instant(time: string): string {
  return `${date}T${time}:00-03:00`
}

function epoch(time: string): number {
  return Date.parse(instant(time))
}

const coded = z.object({ code: z.string() })

/** Books over the API as anybody else would, and gives the code. */
async function book(name: string, professional: string, time: string, service = 'corte'): Promise<string> {
  phones += 1
  const answer = await owner.request.post(api('/appointments'), {
    data: {
      service,
      professional,
      startsAt: instant(time),
      customer: { name, phone: `+55119720000${phones}` },
    },
  })
  return coded.parse(await answer.json()).code
}

let phones = 10

async function open(page: Page, name?: string): Promise<void> {
  await page.goto(`${harness.proxy.url}/dashboard/agenda/day/${date}`)
  await page.getByRole('region', { name: 'Calendário' }).waitFor()
  if (name !== undefined) await event(page, name).waitFor()
}

function event(page: Page, name: string): Locator {
  return page.locator('.rbc-event', { hasText: name })
}

/** Where it stands in the grid; null while it does not. */
async function placeOf(locator: Locator) {
  const box = await locator.boundingBox()
  return box === null ? null : { x: Math.round(box.x), y: Math.round(box.y) }
}

/** Drags by hours down and columns to the right, over steps as a hand does. */
async function drag(page: Page, name: string, by: { hours?: number; columns?: number }): Promise<void> {
  const from = await event(page, name).boundingBox()
  const hour = await page.locator('.rbc-time-gutter .rbc-timeslot-group').first().boundingBox()
  const column = await page.locator('.rbc-day-slot').first().boundingBox()
  if (from === null || hour === null || column === null) throw new Error('the grid is not on the screen')
  const x = from.x + from.width / 2
  const y = from.y + 8
  const to = { x: x + (by.columns ?? 0) * column.width, y: y + (by.hours ?? 0) * hour.height }
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 4, y + 6)
  await page.mouse.move(to.x, to.y, { steps: 8 })
  await page.mouse.up()
}

async function choose(page: Page, within: Locator, label: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

/** What the database says. */
async function stored(code: string) {
  const { status, startsAt, professional } = await harness.demo.context.store.read(tenantId, (reader) =>
    reader.appointment.findFirstOrThrow({ where: { tenantId, code }, include: { professional: true } }),
  )
  return { status, startsAt: startsAt.getTime(), professional: professional.key }
}

async function setActive(professional: string, active: boolean): Promise<void> {
  await harness.demo.context.store.transact(tenantId, (tx) =>
    tx.professional.updateMany({ where: { tenantId, key: professional }, data: { active } }),
  )
}

/** Another salon with the same services and people: what is meant for this one must not find that one's. */
async function addNeighbour(): Promise<void> {
  const { store, clock } = harness.demo.context
  const { encryptionKey } = harness.demo.config
  const channel = { ...demoTenant.channel, phoneNumberId: '200000000000001' }
  const document = tenantDocumentSchema.parse({ ...demoTenant, slug: 'neighbour', channel })
  await applyTenantDocument(store, document, { encryptionKey, clock })
}

async function findTenant(slug: string): Promise<string> {
  const { id } = await harness.demo.context.store.unsafeRead('test', (reader) =>
    reader.tenant.findFirstOrThrow({ where: { slug } }),
  )
  return id
}
