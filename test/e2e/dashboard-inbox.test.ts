import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ATTENDANT, type DashboardHarness, OWNER, startDashboard } from '../support/dashboard-harness.ts'
import {
  bubble,
  type DashboardSteps,
  dashboardSteps,
  replyBox,
  row,
  thread,
} from '../support/dashboard-steps.ts'
import { WAIT } from '../support/queue-harness.ts'

let harness: DashboardHarness
let steps: DashboardSteps
let owner: Page
let attendant: Page

beforeAll(async () => {
  harness = await startDashboard()
  steps = dashboardSteps(harness)
  owner = await harness.logIn(OWNER)
  attendant = await harness.logIn(ATTENDANT)
}, 120_000)

afterAll(() => harness.close())

describe('the inbox, with two people at once', () => {
  it('takes a conversation that one claims out of the queue of the other within a second', async () => {
    await steps.askForPerson('Beatriz Nogueira', '5511970000001', owner, attendant)
    await steps.claim(owner, 'Beatriz Nogueira')
    await row(attendant, 'Beatriz Nogueira').waitFor({ state: 'detached', timeout: 1_000 })
  })

  it('shows each who else looks, and leaves a conversation to one when both press the key at once', async () => {
    await steps.askForPerson('Ivo Prado', '5511970000012', owner, attendant)
    for (const page of [owner, attendant]) {
      await row(page, 'Ivo Prado').click()
      await thread(page, 'Ivo Prado').getByText('Na fila').waitFor()
    }
    await thread(owner, 'Ivo Prado').getByText('Júlia também está aqui').waitFor()
    await Promise.all([owner.keyboard.press('c'), attendant.keyboard.press('c')])
    const [ownerHas, attendantHas] = [owner, attendant].map((page) => replyBox(page, 'Ivo Prado'))
    await ownerHas?.or(thread(owner, 'Ivo Prado').getByText('Com Júlia').first()).first().waitFor()
    await attendantHas?.or(thread(attendant, 'Ivo Prado').getByText('Com Paula').first()).first().waitFor()
    await expect
      .poll(async () => ((await ownerHas?.count()) ?? 0) + ((await attendantHas?.count()) ?? 0), WAIT)
      .toBe(1)
  })

  it('catches up with what a customer wrote while the connection was cut', async () => {
    await steps.take(owner, 'Renata Araújo', '5511970000003')
    harness.proxy.cut()
    await owner.getByText('Sem conexão ao vivo').waitFor()
    await harness.demo.simulator.sendText('5511970000003', 'Ainda está aí?')
    harness.proxy.restore()
    await owner.getByRole('log').getByText('Ainda está aí?').waitFor()
    await owner.getByText('Sem conexão ao vivo').waitFor({ state: 'detached' })
  })

  it('gives a conversation back to the bot, which answers the next message', async () => {
    await steps.take(owner, 'Lia Moraes', '5511970000005')
    await owner.getByRole('button', { name: 'Mais ações' }).click()
    await owner.getByRole('menuitem', { name: 'Devolver ao robô' }).click()
    await thread(owner, 'Lia Moraes').getByText('Com o robô').waitFor()
    await harness.demo.simulator.sendText('5511970000005', 'Quais são os serviços?')
    await bubble(owner, 'serviços').nth(1).waitFor()
  })

  it('resolves only after the time to undo it', async () => {
    await steps.take(owner, 'Nara Reis', '5511970000006')
    await owner.keyboard.press('Escape')
    await owner.keyboard.press('e')
    await row(owner, 'Nara Reis').waitFor({ state: 'detached' })
    await owner.getByRole('button', { name: 'Desfazer' }).click()
    await row(owner, 'Nara Reis').waitFor()
    await row(owner, 'Nara Reis').click()
    await thread(owner, 'Nara Reis').getByText('Com você').waitFor()
    await owner.keyboard.press('e')
    await row(owner, 'Nara Reis').waitFor({ state: 'detached' })
    await steps.open(attendant, 'closed')
    await row(attendant, 'Nara Reis').waitFor({ timeout: 15_000 })
  })
})

describe('a new handoff', () => {
  it('is counted in the title, on the badge and on the tab, by the server', async () => {
    await steps.open(attendant, 'team')
    await attendant.getByRole('link', { name: /^Fila/ }).waitFor()
    await expect.poll(() => attendant.title(), WAIT).toMatch(/^agendou$/)
    await steps.askForPerson('Tais Melo', '5511970000007')
    await steps.askForPerson('Otto Vaz', '5511970000008')
    await expect.poll(() => attendant.title(), WAIT).toBe('(2) agendou')
    await attendant.getByRole('link', { name: 'Fila 2' }).waitFor()
    await attendant.getByRole('navigation', { name: 'Navegação principal' }).getByText('2').waitFor()
  })

  it('sounds once for each, and not when it is muted; the choice is remembered', async () => {
    const page = await harness.newPage()
    await page.addInitScript(`
      window.chimes = 0
      const Real = window.AudioContext
      window.AudioContext = class extends Real { constructor() { super(); window.chimes += 1 } }`)
    await harness.logIn(OWNER, page)
    const chimes = () => page.evaluate('window.chimes')
    await steps.open(page, 'bot')
    await page.getByRole('link', { name: 'Fila 2' }).waitFor()
    await steps.askForPerson('Gil Reis', '5511970000009')
    await expect.poll(chimes, WAIT).toBe(1)
    // A word of somebody who waits already is no new handoff.
    await harness.demo.simulator.sendText('5511970000009', 'Alô?')
    await page.getByRole('button', { name: 'Som de novo atendimento ligado' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Som de novo atendimento desligado' }).waitFor()
    await steps.askForPerson('Rui Sá', '5511970000010')
    await page.getByRole('link', { name: 'Fila 4' }).waitFor()
    expect(await chimes()).toBe(0)
    await page.context().close()
  })
})
