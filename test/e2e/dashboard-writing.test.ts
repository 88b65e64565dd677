import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardHarness, OWNER, startDashboard } from '../support/dashboard-harness.ts'
import {
  bubble,
  type DashboardSteps,
  dashboardSteps,
  replyBox,
  row,
  thread,
} from '../support/dashboard-steps.ts'
import { seriousViolations } from '../support/serious-violations.ts'

let harness: DashboardHarness
let steps: DashboardSteps
let owner: Page

beforeAll(async () => {
  harness = await startDashboard()
  steps = dashboardSteps(harness)
  owner = await harness.logIn(OWNER)
}, 120_000)

afterAll(() => harness.close())

const onThePhone = (phone: string) => harness.demo.simulator.store.messages(phone).at(-1)?.text

describe('writing to a customer', () => {
  it('shows how far a reply has come, to the tick of delivery', async () => {
    await steps.take(owner, 'Marcos Lima', '5511970000002')
    await replyBox(owner, 'Marcos Lima').fill('Oi, Marcos! Já vou ver.')
    await replyBox(owner, 'Marcos Lima').press('Enter')
    const message = bubble(owner, 'Já vou ver.')
    await message.locator('[data-tick="delivered"], [data-tick="read"]').waitFor()
    expect(onThePhone('5511970000002')).toBe('Oi, Marcos! Já vou ver.')
    await harness.demo.simulator.markRead('5511970000002')
    await message.locator('[data-tick="read"]').waitFor()
  })

  it('opens the canned replies by a slash, narrows them by what follows, and fills them in', async () => {
    for (const [shortcut, text] of [
      ['ola', 'Olá, {{customer_first_name}}! Aqui é {{staff_name}}.'],
      ['pix', 'Nosso Pix é o telefone.'],
    ]) {
      const { status } = await owner.request
        .post(`${harness.proxy.url}/v1/canned-replies`, { data: { shortcut, text } })
        .then((response) => ({ status: response.status() }))
      expect(status).toBe(201)
    }
    await steps.take(owner, 'Dora Pires', '5511970000011')
    const box = replyBox(owner, 'Dora Pires')
    await box.fill('/')
    const menu = owner.getByRole('listbox', { name: 'Respostas prontas' })
    await menu.getByRole('option').nth(1).waitFor()
    expect(await seriousViolations(owner)).toEqual([])
    await box.pressSequentially('ol')
    await menu.getByRole('option', { name: '/pix' }).waitFor({ state: 'detached' })
    await box.press('Enter')
    expect(await box.inputValue()).toBe('Olá, Dora! Aqui é Paula.')
    await box.press('Enter')
    await bubble(owner, 'Aqui é Paula.').locator('[data-tick="delivered"]').waitFor()
    expect(onThePhone('5511970000011')).toBe('Olá, Dora! Aqui é Paula.')
  })

  it('keeps a note with the team', async () => {
    await steps.take(owner, 'Sílvia Rocha', '5511970000014')
    await owner.getByRole('tab', { name: 'Nota interna' }).click()
    await owner.getByRole('textbox', { name: 'Nota interna' }).fill('Prefere a Ana')
    await owner.getByRole('button', { name: 'Salvar nota' }).click()
    await bubble(owner, 'Prefere a Ana').getByText('Nota interna · Paula').waitFor()
    expect(onThePhone('5511970000014')).not.toBe('Prefere a Ana')
  })

  it('sends a template, and nothing else, once the window is closed', async () => {
    await steps.take(owner, 'Caio Prates', '5511970000004')
    await closeWindows()
    await owner.reload()
    await owner.getByText('A janela de 24 horas fechou').waitFor()
    expect(await replyBox(owner, 'Caio Prates').count()).toBe(0)
    const send = owner.getByRole('button', { name: 'Enviar modelo' })
    await owner.getByRole('combobox', { name: 'Nome do modelo' }).fill('Nome Errado')
    expect(await send.isDisabled()).toBe(true)
    await owner.getByRole('combobox', { name: 'Nome do modelo' }).fill('retomar_conversa')
    await owner.getByLabel('Variáveis').fill('Caio\namanhã')
    expect(await seriousViolations(owner)).toEqual([])
    await send.click()
    const sent = await harness.demo.graph.waitForSend(({ type }) => type === 'template')
    expect(sent.body['template']).toMatchObject({
      name: 'retomar_conversa',
      language: { code: 'pt_BR' },
      components: [{ type: 'body', parameters: [{ text: 'Caio' }, { text: 'amanhã' }] }],
    })
    await bubble(owner, 'retomar_conversa').locator('[data-tick="delivered"]').waitFor()
    // The customer answers, and free text is back.
    await harness.demo.simulator.sendText('5511970000004', 'Oi, sim!')
    await replyBox(owner, 'Caio Prates').waitFor()
  })

  it('books, moves and cancels beside the thread', async () => {
    await steps.take(owner, 'Elisa Brito', '5511970000015')
    const panel = owner.getByRole('complementary', { name: 'Dados do cliente' })
    await panel.getByRole('button', { name: 'Marcar horário' }).click()
    await chooseService()
    await lastFreeTime('Confirmar')
    await panel.getByText('Corte', { exact: false }).first().waitFor()
    const when = panel.getByRole('article').locator('p').first()
    const before = await when.textContent()
    await panel.getByRole('button', { name: /^Ações/ }).click()
    await owner.getByRole('menuitem', { name: 'Remarcar' }).click()
    await lastFreeTime('Remarcar')
    await expect.poll(() => when.textContent(), { timeout: 10_000 }).not.toBe(before)
    await panel.getByRole('button', { name: /^Ações/ }).click()
    await owner.getByRole('menuitem', { name: 'Cancelar horário' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Cancelar horário' }).click()
    await panel.getByText('Nada marcado').waitFor()
  })
})

describe('the front desk without a mouse', () => {
  it('walks the queue, claims, answers, notes and resolves', async () => {
    await steps.askForPerson('Aldo Nunes', '5511970000020', owner)
    await steps.askForPerson('Bia Costa', '5511970000021', owner)
    await owner.keyboard.press('j')
    await thread(owner, 'Aldo Nunes').waitFor()
    await owner.keyboard.press('j')
    await thread(owner, 'Bia Costa').waitFor()
    await owner.keyboard.press('k')
    await thread(owner, 'Aldo Nunes').getByText('Na fila').waitFor()
    await owner.keyboard.press('?')
    await owner.getByRole('dialog', { name: 'Atalhos do teclado' }).waitFor()
    expect(await seriousViolations(owner)).toEqual([])
    await owner.keyboard.press('Escape')
    await owner.getByRole('dialog').waitFor({ state: 'detached' })
    await owner.keyboard.press('c')
    await replyBox(owner, 'Aldo Nunes').waitFor()
    await owner.keyboard.press('r')
    await owner.keyboard.type('Oi, Aldo! c, e e r são letras aqui.')
    await owner.keyboard.press('Enter')
    await bubble(owner, 'são letras aqui').locator('[data-tick="delivered"]').waitFor()
    await owner.keyboard.press('Escape')
    await owner.keyboard.press('n')
    await owner.keyboard.type('Resolvido por telefone')
    await owner.keyboard.press('Enter')
    await bubble(owner, 'Resolvido por telefone').waitFor()
    await owner.keyboard.press('Escape')
    await owner.keyboard.press('e')
    await row(owner, 'Aldo Nunes').waitFor({ state: 'detached' })
    await steps.open(owner, 'closed')
    await row(owner, 'Aldo Nunes').waitFor({ timeout: 15_000 })
    await owner.keyboard.press('/')
    await owner.keyboard.type('bia')
    await row(owner, 'Bia Costa').getByText('Na fila').waitFor()
  })
})

async function chooseService(): Promise<void> {
  await owner.getByRole('dialog').getByRole('combobox', { name: 'Serviço' }).click()
  await owner.getByRole('option', { name: /Corte/ }).click()
}

/** The last free time of the first day that has one: not the one that stands already. */
async function lastFreeTime(confirm: string): Promise<void> {
  const dialog = owner.getByRole('dialog')
  const times = dialog.getByRole('group', { name: 'Horário' }).locator('label')
  const next = dialog.getByRole('button', { name: /^Próximo dia livre/ })
  await times.or(next).first().waitFor()
  if (await next.isVisible()) await next.click()
  await times.last().click()
  await dialog.getByRole('button', { name: confirm }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Makes every customer's last message two days old. */
async function closeWindows(): Promise<void> {
  const lastInboundAt = new Date(Date.now() - 2 * 24 * 3_600_000)
  await harness.demo.context.store.unsafeTransact('test', (tx) =>
    tx.conversation.updateMany({ data: { lastInboundAt } }),
  )
}
