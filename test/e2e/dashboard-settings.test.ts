import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type SettingsDocument, settingsDocumentSchema } from '../../src/contracts/dashboard-api.ts'
import { DEMO_LOGIN } from '../../src/demo/demo-tenant.ts'
import { newId } from '../../src/shared/ids.ts'
import { ATTENDANT, type DashboardHarness, OWNER, startDashboard } from '../support/dashboard-harness.ts'
import { seriousViolations } from '../support/serious-violations.ts'

const SECTIONS = [
  'services',
  'professionals',
  'exceptions',
  'rules',
  'handoff',
  'assistant',
  'replies',
  'whatsapp',
  'business',
  'staff',
]

let harness: DashboardHarness
let owner: Page
let other: Page
let attendant: Page

beforeAll(async () => {
  harness = await startDashboard()
  owner = await harness.logIn(OWNER)
  other = await harness.logIn(OWNER)
  attendant = await harness.logIn(ATTENDANT)
}, 120_000)

afterAll(() => harness.close())

async function open(page: Page, section: string): Promise<void> {
  await page.goto(`${harness.proxy.url}/dashboard/settings/${section}`)
  await page.getByRole('navigation', { name: 'Seções dos ajustes' }).waitFor()
  await page.getByRole('heading', { level: 2 }).waitFor()
}

/** The input of a place in the document. */
function at(page: Page, path: string) {
  return page.locator(`[data-path="${path}"]`)
}

async function unfold(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Salvar' }).click()
}

async function saved(page: Page): Promise<void> {
  await save(page)
  await page.getByText('Ajustes salvos').last().waitFor()
  await page.getByRole('region', { name: 'Há mudanças não salvas' }).waitFor({ state: 'detached' })
}

async function stored(): Promise<SettingsDocument> {
  const response = await owner.request.get(`${harness.proxy.url}/v1/settings`)
  return settingsDocumentSchema.parse(await response.json())
}

/** The first time that Ana is offered for a cut next Wednesday. */
async function firstStart(): Promise<string | undefined> {
  const day = new Date(Date.now() + 7 * 86_400_000)
  day.setUTCDate(day.getUTCDate() + ((10 - day.getUTCDay()) % 7))
  const date = day.toISOString().slice(0, 10)
  const query = `service=corte&professional=ana&from=${date}&to=${date}`
  const response = await owner.request.get(`${harness.proxy.url}/v1/availability?${query}`)
  const { items } = z
    .object({ items: z.array(z.object({ startsAt: z.string() })) })
    .parse(await response.json())
  return items[0]?.startsAt.slice(11, 16)
}

describe('an owner in the settings', () => {
  it('changes a price and hours, and what customers are offered follows', async () => {
    expect(await firstStart()).toBe('09:00')
    await open(owner, 'services')
    await unfold(owner, 'Corte de cabelo')
    await at(owner, 'services.0.priceCents').fill('95,50')
    await owner.getByRole('link', { name: 'Profissionais' }).click()
    await unfold(owner, 'Ana')
    await at(owner, 'professionals.0.hours.0.from').fill('1030')
    await saved(owner)
    const { services, professionals } = await stored()
    expect(services[0]?.priceCents).toBe(9_550)
    expect(professionals[0]?.hours[0]?.from).toBe('10:30')
    expect(await firstStart()).toBe('10:30')
  })

  it('adds a service and an exception, and takes a removal back before it is saved', async () => {
    await open(owner, 'services')
    await owner.getByRole('button', { name: 'Adicionar serviço' }).click()
    await at(owner, 'services.4.name').fill('Corte & Barba')
    await unfold(owner, 'Escova')
    await owner.getByRole('button', { name: 'Remover Escova' }).click()
    await owner.getByText('Escova será desativado ao salvar').waitFor()
    await owner.getByRole('button', { name: 'Desfazer a remoção de Escova' }).click()
    await unfold(owner, 'Manicure')
    await owner.getByRole('button', { name: 'Remover Manicure' }).click()
    await owner.getByRole('link', { name: 'Folgas e feriados' }).click()
    await owner.getByRole('button', { name: 'Adicionar exceção' }).click()
    await owner.getByText('Horário especial', { exact: true }).click()
    await at(owner, 'exceptions.0.hours.0.to').fill('24')
    await saved(owner)
    const document = await stored()
    expect(document.services.map(({ key }) => key)).toEqual(['corte', 'escova', 'coloracao', 'corte-barba'])
    // Who did what is gone does it no more.
    expect(document.professionals.find(({ key }) => key === 'carla')?.services).toEqual([])
    expect(document.exceptions).toMatchObject([
      { professional: null, hours: [{ from: '09:00', to: '24:00' }] },
    ])
  })

  it('sees what is wrong at its field, with the cursor in it, and nothing is stored', async () => {
    const before = await stored()
    await open(owner, 'services')
    await unfold(owner, 'Corte de cabelo')
    await at(owner, 'services.0.durationMinutes').fill('2')
    await owner.getByRole('link', { name: 'Assistente' }).click()
    await at(owner, 'instructions').fill('Seja breve.')
    await save(owner)
    const field = at(owner, 'services.0.durationMinutes')
    await field.and(owner.locator(':focus')).waitFor()
    await owner.getByText('O mínimo é 5').waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await owner.getByText('Falta corrigir 1 campo').waitFor()
    expect(await seriousViolations(owner)).toEqual([])
    expect(await stored()).toEqual(before)
    await field.fill('50')
    await owner.getByText('O mínimo é 5').waitFor({ state: 'detached' })
    await saved(owner)
    expect((await stored()).services[0]?.durationMinutes).toBe(50)
  })

  it('sees what only the server refuses at its field too', async () => {
    const before = await stored()
    await open(owner, 'rules')
    await at(owner, 'policy.maxAdvanceDays').fill('90')
    await owner.route('**/v1/settings', async (route) => {
      const body = route.request().postData()
      if (body === null) return route.continue()
      await route.continue({ postData: body.replace('"maxAdvanceDays":90', '"maxAdvanceDays":900') })
    })
    await save(owner)
    await at(owner, 'policy.maxAdvanceDays').and(owner.locator(':focus')).waitFor()
    await owner.getByText('Não aceito pelo servidor').first().waitFor()
    await owner.unroute('**/v1/settings')
    expect(await stored()).toEqual(before)
  })

  it('is asked before edits are lost, by a link and by the way back', async () => {
    await owner.goto(`${harness.proxy.url}/dashboard/figures`)
    await owner.getByRole('link', { name: 'Ajustes' }).click()
    await owner.getByRole('link', { name: 'Assistente' }).click()
    await at(owner, 'instructions').fill('Nunca salvo')
    await owner.getByRole('link', { name: 'Números' }).click()
    await owner.getByRole('button', { name: 'Continuar editando' }).click()
    expect(await at(owner, 'instructions').inputValue()).toBe('Nunca salvo')
    await owner.goBack()
    await owner.goBack()
    await owner.getByRole('button', { name: 'Sair sem salvar' }).click()
    await owner.waitForURL('**/dashboard/figures')
    expect((await stored()).instructions).not.toBe('Nunca salvo')
  })

  it('keeps the edits when the server cannot be reached', async () => {
    await open(owner, 'assistant')
    await at(owner, 'instructions').fill('Sem rede')
    harness.proxy.cut()
    await save(owner)
    await owner.getByText('O que você mudou continua aqui').waitFor()
    harness.proxy.restore()
    await saved(owner)
    expect((await stored()).instructions).toBe('Sem rede')
  })
})

describe('two owners at once', () => {
  it('lose nothing: the second is told, and saves on top of the first', async () => {
    await open(owner, 'assistant')
    await open(other, 'rules')
    await at(owner, 'instructions').fill('Da primeira')
    await saved(owner)
    await at(other, 'policy.maxAdvanceDays').fill('45')
    await save(other)
    await other.getByRole('alert').getByText('Outra pessoa salvou os ajustes').waitFor()
    expect(await seriousViolations(other)).toEqual([])
    expect(await at(other, 'policy.maxAdvanceDays').inputValue()).toBe('45')
    expect((await stored()).policy.maxAdvanceDays).not.toBe(45)
    await other.getByRole('button', { name: 'Trazer e manter o que mudei' }).click()
    await saved(other)
    expect(await stored()).toMatchObject({ instructions: 'Da primeira', policy: { maxAdvanceDays: 45 } })
  })

  it('see what the other one wrote in the field that both changed', async () => {
    await open(owner, 'assistant')
    await open(other, 'assistant')
    await at(owner, 'instructions').fill('Um jeito')
    await saved(owner)
    await at(other, 'instructions').fill('Outro jeito')
    await save(other)
    await other.getByRole('button', { name: 'Trazer e manter o que mudei' }).click()
    await other.getByText('Outra pessoa salvou: Um jeito').waitFor()
    expect(await at(other, 'instructions').inputValue()).toBe('Outro jeito')
    expect((await stored()).instructions).toBe('Um jeito')
    await other.getByRole('button', { name: 'Descartar' }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click()
    expect(await at(other, 'instructions').inputValue()).toBe('Um jeito')
  })
})

describe('the people', () => {
  it('can log in once they are created, and not any more once they are deactivated', async () => {
    await open(owner, 'staff')
    await owner.getByRole('button', { name: 'Adicionar pessoa' }).click()
    const dialog = owner.getByRole('dialog')
    await dialog.getByLabel('Nome').fill('Rita')
    await dialog.getByLabel('E-mail').fill(ATTENDANT)
    await dialog.getByLabel('Senha').fill('curta')
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await dialog.getByText('Use ao menos 10 caracteres').waitFor()
    await dialog.getByLabel('Senha').fill(DEMO_LOGIN.password)
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await dialog.getByText('Alguém já usa este e-mail').waitFor()
    await dialog.getByLabel('E-mail').fill('rita@example.com')
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await owner.locator('[data-staff="rita@example.com"]').waitFor()
    const rita = await harness.logIn('rita@example.com')
    await choose('Rita', 'Desativar')
    await owner.getByRole('dialog').getByRole('button', { name: 'Desativar' }).click()
    await owner.locator('[data-staff="rita@example.com"]').getByText('Desativado').waitFor()
    await rita.reload()
    await rita.locator('[name=password]').waitFor()
    expect(await login('rita@example.com')).toBe(401)
    await choose('Rita', 'Reativar')
    await owner.locator('[data-staff="rita@example.com"]').getByText('nenhuma sessão').waitFor()
    expect(await login('rita@example.com')).toBe(200)
    await rita.context().close()
  })

  it('always have an owner', async () => {
    await open(owner, 'staff')
    await choose('Paula', 'Desativar')
    await owner.getByRole('dialog').getByRole('button', { name: 'Desativar' }).click()
    await owner.getByText('ao menos uma pessoa responsável').waitFor()
  })

  it('who attend are kept out of the settings, by the page and by the API', async () => {
    await attendant.goto(`${harness.proxy.url}/dashboard/settings/staff`)
    await attendant.getByText('Só para responsáveis').waitFor()
    expect(await attendant.getByRole('link', { name: 'Ajustes' }).count()).toBe(0)
    for (const path of ['/v1/settings', '/v1/staff']) {
      expect((await attendant.request.get(`${harness.proxy.url}${path}`)).status()).toBe(403)
    }
    expect(await seriousViolations(attendant)).toEqual([])
  })
})

describe('canned replies and the number', () => {
  it('are written, changed, deleted and brought back', async () => {
    await open(owner, 'replies')
    await owner.getByRole('button', { name: 'Adicionar resposta' }).click()
    const dialog = owner.getByRole('dialog')
    await dialog.getByLabel('Atalho').fill('boas-vindas')
    await dialog.getByLabel('Texto').fill('Oi, {{nome}}!')
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await dialog.getByText('um campo que não existe').waitFor()
    await dialog.getByLabel('Texto').fill('Oi, ')
    await dialog.getByRole('button', { name: 'primeiro nome' }).click()
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    const row = owner.locator('[data-reply="boas-vindas"]')
    await row.getByText('Oi, {{customer_first_name}}').waitFor()
    await owner.getByRole('button', { name: 'Editar /boas-vindas' }).click()
    await dialog.getByLabel('Texto').fill('Olá!')
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await row.getByText('Olá!').waitFor()
    await owner.getByRole('button', { name: 'Apagar /boas-vindas' }).click()
    await row.waitFor({ state: 'detached' })
    await owner.getByRole('button', { name: 'Desfazer' }).click()
    await row.getByText('Olá!').waitFor()
  })

  it('sets the template that reopens a conversation, among the approved ones, and takes it away', async () => {
    const { store, clock } = harness.demo.context
    await store.unsafeTransact('test', async (tx) => {
      const { tenantId, id: channelId } = await tx.channel.findFirstOrThrow()
      const at = new Date(clock.now())
      const news = (name: string, event: string) => ({
        tenantId,
        id: newId(),
        channelId,
        field: 'message_template_status_update',
        event,
        payload: { message_template_name: name, message_template_language: 'pt_BR' },
        fingerprint: Buffer.from(name),
        at,
      })
      await tx.channelEvent.createMany({ data: [news('retomar', 'APPROVED'), news('recusado', 'REJECTED')] })
    })
    await open(owner, 'assistant')
    await at(owner, 'texts.reopenTemplate').click()
    await owner.getByRole('option', { name: 'retomar (pt_BR)' }).waitFor()
    expect(await owner.getByRole('option').count()).toBe(1)
    await owner.getByRole('option', { name: 'retomar (pt_BR)' }).click()
    await saved(owner)
    expect((await stored()).texts).toEqual({ reopenTemplate: { name: 'retomar', language: 'pt_BR' } })
    await at(owner, 'instructions').fill('Seja gentil.')
    await saved(owner)
    expect((await stored()).texts).toBeDefined()
    await owner.reload()
    await at(owner, 'texts.reopenTemplate').click()
    await owner.getByRole('option', { name: 'retomar (pt_BR)' }).click()
    await saved(owner)
    expect((await stored()).texts).toBeUndefined()
  })

  it('lets an owner resume what was paused', async () => {
    await harness.demo.context.store.unsafeTransact('test', (tx) =>
      tx.channel.updateMany({ data: { pausedAt: new Date(), pausedCode: 190, pausedDetail: 'expired' } }),
    )
    await open(owner, 'whatsapp')
    await owner.getByText('O envio está parado').waitFor()
    expect(await seriousViolations(owner)).toEqual([])
    await owner.getByRole('button', { name: 'Retomar o envio' }).click()
    await owner.getByText('As mensagens estão saindo').waitFor()
    const response = await owner.request.get(`${harness.proxy.url}/v1/channel/sends`)
    expect(await response.json()).toMatchObject({ paused: null })
  })
})

describe('every section', () => {
  it.each(SECTIONS)('has no serious accessibility violation by day and by night: %s', async (section) => {
    await open(owner, section)
    if (section === 'services') await unfold(owner, 'Corte de cabelo')
    if (section === 'professionals') await unfold(owner, 'Ana')
    await owner.mouse.move(0, 0)
    for (const colorScheme of ['light', 'dark'] as const) {
      await owner.emulateMedia({ colorScheme })
      expect(await seriousViolations(owner), colorScheme).toEqual([])
    }
  })
})

async function choose(name: string, action: string): Promise<void> {
  await owner.getByRole('button', { name: `Ações para ${name}` }).click()
  await owner.getByRole('menuitem', { name: action }).click()
}

/** The status of a login from nowhere. */
async function login(email: string): Promise<number> {
  const response = await fetch(`${harness.proxy.url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant: DEMO_LOGIN.tenant, email, password: DEMO_LOGIN.password }),
  })
  await response.body?.cancel()
  return response.status
}
