import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ATTENDANT, type DashboardHarness, OWNER, startDashboard } from '../support/dashboard-harness.ts'

let harness: DashboardHarness
let owner: Page
let attendant: Page

beforeAll(async () => {
  harness = await startDashboard()
  owner = await harness.logIn(OWNER)
  attendant = await harness.logIn(ATTENDANT)
}, 120_000)

afterAll(() => harness.close())

const ASK = 'Quero falar com uma pessoa, por favor'

/** A customer who asks for a person stands in the queue of whoever looks. */
async function askForPerson(name: string, phone: string): Promise<void> {
  await harness.demo.simulator.sendText(phone, ASK, name)
  for (const page of [owner, attendant]) {
    await page.goto(`${harness.proxy.url}/dashboard/inbox/queue`)
    await row(page, name).waitFor()
  }
}

function row(page: Page, name: string) {
  return page.locator('[data-conversation]', { hasText: name })
}

async function claim(page: Page, name: string): Promise<void> {
  await row(page, name).click()
  await page.getByRole('heading', { level: 2, name }).first().waitFor()
  await page
    .getByRole('region', { name: `Conversa com ${name}` })
    .getByText('Na fila')
    .waitFor()
  await page.keyboard.press('c')
  await page
    .getByRole('textbox', { name: `Responder a ${name}` })
    .or(replyBox(page, name))
    .first()
    .waitFor()
}

function replyBox(page: Page, name: string) {
  return page.getByLabel(`Responder a ${name}`)
}

describe('the inbox, with two people at once', () => {
  it('takes a conversation that one claims out of the queue of the other within a second', async () => {
    await askForPerson('Beatriz Nogueira', '5511970000001')
    await claim(owner, 'Beatriz Nogueira')
    await row(attendant, 'Beatriz Nogueira').waitFor({ state: 'detached', timeout: 1_000 })
  })

  it('shows how far a reply has come, to the tick of delivery', async () => {
    await askForPerson('Marcos Lima', '5511970000002')
    await claim(owner, 'Marcos Lima')
    await replyBox(owner, 'Marcos Lima').fill('Oi, Marcos! Já vou ver.')
    await replyBox(owner, 'Marcos Lima').press('Enter')
    const message = owner.getByRole('article').filter({ hasText: 'Já vou ver.' })
    await message.locator('[data-tick="delivered"], [data-tick="read"]').waitFor()
    expect(harness.demo.simulator.store.messages('5511970000002').at(-1)?.text).toBe(
      'Oi, Marcos! Já vou ver.',
    )
  })

  it('catches up with what a customer wrote while the connection was cut', async () => {
    await askForPerson('Renata Araújo', '5511970000003')
    await claim(owner, 'Renata Araújo')
    harness.proxy.cut()
    await owner.getByText('Sem conexão ao vivo').waitFor()
    await harness.demo.simulator.sendText('5511970000003', 'Ainda está aí?')
    harness.proxy.restore()
    await owner.getByRole('log').getByText('Ainda está aí?').waitFor()
    await owner.getByText('Sem conexão ao vivo').waitFor({ state: 'detached' })
  })

  it('offers a template in place of free text once the window is closed', async () => {
    await askForPerson('Caio Prates', '5511970000004')
    await claim(owner, 'Caio Prates')
    await closeWindows()
    await owner.reload()
    await owner.getByText('A janela de 24 horas fechou').waitFor()
    expect(await replyBox(owner, 'Caio Prates').count()).toBe(0)
  })

  it('gives a conversation back to the bot, which answers the next message', async () => {
    await askForPerson('Lia Moraes', '5511970000005')
    await claim(owner, 'Lia Moraes')
    await owner.getByRole('button', { name: 'Mais ações' }).click()
    await owner.getByRole('menuitem', { name: 'Devolver ao robô' }).click()
    await owner.getByRole('region', { name: 'Conversa com Lia Moraes' }).getByText('Com o robô').waitFor()
    await harness.demo.simulator.sendText('5511970000005', 'Quais são os serviços?')
    await owner.getByRole('article').filter({ hasText: 'serviços' }).nth(1).waitFor()
  })

  it('resolves only after the time to undo it', async () => {
    await askForPerson('Nara Reis', '5511970000006')
    await claim(owner, 'Nara Reis')
    await owner.keyboard.press('e')
    await row(owner, 'Nara Reis').waitFor({ state: 'detached' })
    await owner.getByRole('button', { name: 'Desfazer' }).click()
    await row(owner, 'Nara Reis').waitFor()
  })
})

describe('the pages of the dashboard', () => {
  it('say what is wrong with a login, and not which part of it', async () => {
    const page = await harness.newPage()
    await page.goto(`${harness.proxy.url}/dashboard/`)
    await page.fill('[name=tenant]', 'studio-aurora')
    await page.fill('[name=email]', 'nobody@example.com')
    await page.fill('[name=password]', 'not the password')
    await page.click('button[type=submit]')
    await page.getByRole('alert').getByText('não conferem').waitFor()
    expect(await seriousViolations(page)).toEqual([])
    await page.context().close()
  })

  it('have no serious accessibility violation in the inbox, by day and by night', async () => {
    await owner.goto(`${harness.proxy.url}/dashboard/inbox/team`)
    await owner.locator('[data-conversation]').first().click()
    await owner.getByRole('log').waitFor()
    await owner.getByText('Próximos horários').waitFor()
    expect(await seriousViolations(owner)).toEqual([])
    await owner.emulateMedia({ colorScheme: 'dark' })
    expect(await seriousViolations(owner)).toEqual([])
  })
})

/** Makes every customer's last message two days old. */
async function closeWindows(): Promise<void> {
  const lastInboundAt = new Date(Date.now() - 2 * 24 * 3_600_000)
  await harness.demo.context.store.unsafeTransact('test', (tx) =>
    tx.conversation.updateMany({ data: { lastInboundAt } }),
  )
}

const axeResult = z.array(z.string())

/** What axe-core calls serious or critical on the page, with where it is. */
async function seriousViolations(page: Page): Promise<string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.evaluate(source)
  const found: unknown = await page.evaluate(`axe.run().then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`)
  return axeResult.parse(found)
}
