import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_LOGIN } from '../../src/demo/demo-tenant.ts'
import { type DashboardHarness, OWNER, startDashboard } from '../support/dashboard-harness.ts'
import { type DashboardSteps, dashboardSteps, row, thread } from '../support/dashboard-steps.ts'
import { seriousViolations } from '../support/serious-violations.ts'

const SIZES = [
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
]

let harness: DashboardHarness
let steps: DashboardSteps
let owner: Page

beforeAll(async () => {
  harness = await startDashboard()
  steps = dashboardSteps(harness)
  owner = await harness.logIn(OWNER)
}, 120_000)

afterAll(() => harness.close())

describe('the login', () => {
  it('says what is wrong, and not which part of it; after ten failures, to wait', async () => {
    const page = await harness.newPage()
    await page.goto(`${harness.proxy.url}/dashboard/`)
    const submit = async (password: string) => {
      await page.fill('[name=tenant]', DEMO_LOGIN.tenant)
      await page.fill('[name=email]', 'recepcao@example.com')
      await page.fill('[name=password]', password)
      await Promise.all([page.waitForResponse('**/v1/auth/login'), page.click('button[type=submit]')])
    }
    await submit('not the password')
    await page.getByRole('alert').getByText('não conferem').waitFor()
    expect(await seriousViolations(page)).toEqual([])
    for (let tried = 1; tried < 10; tried += 1) await submit('not the password')
    await submit(DEMO_LOGIN.password)
    await page.getByRole('alert').getByText('Muitas tentativas. Espere 15 minutos').waitFor()
    await page.context().close()
  })
})

describe('the inbox', () => {
  it('tells what an empty list, a list on its way and a list that cannot be read are', async () => {
    await steps.open(owner, 'closed')
    await owner.getByText('Nada fechado ainda').waitFor()
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await owner.route('**/v1/conversations?*', async (route) => {
      await held
      await route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{}' })
    })
    await owner.reload()
    await owner.getByRole('status', { name: 'Carregando…' }).waitFor()
    release()
    const retry = owner.getByRole('button', { name: 'Tentar de novo' })
    await retry.waitFor({ timeout: 20_000 })
    await owner.unroute('**/v1/conversations?*')
    await retry.click()
    await owner.getByText('Nada fechado ainda').waitFor()
  })

  it('leads on a phone from the list to the thread, to the customer, and back', async () => {
    await owner.setViewportSize({ width: 390, height: 844 })
    await steps.askForPerson('Yara Lins', '5511970000030', owner)
    await row(owner, 'Yara Lins').click()
    await thread(owner, 'Yara Lins').waitFor()
    expect(await row(owner, 'Yara Lins').isVisible()).toBe(false)
    await owner.getByRole('button', { name: 'Dados do cliente' }).click()
    await owner.getByRole('dialog').getByText('Próximos horários').waitFor()
    await owner.keyboard.press('Escape')
    await owner.getByRole('button', { name: 'Voltar à lista' }).click()
    await row(owner, 'Yara Lins').waitFor()
  })

  it('has no serious accessibility violation in list and thread, by day and by night, wide and narrow', async () => {
    for (const size of SIZES) {
      await owner.setViewportSize(size)
      await steps.askForPerson('Yara Lins', '5511970000030', owner)
      for (const colorScheme of ['light', 'dark'] as const) {
        await owner.emulateMedia({ colorScheme })
        expect(await seriousViolations(owner), `list ${size.width} ${colorScheme}`).toEqual([])
      }
      await row(owner, 'Yara Lins').click()
      await thread(owner, 'Yara Lins').getByRole('log').waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await owner.emulateMedia({ colorScheme })
        expect(await seriousViolations(owner), `thread ${size.width} ${colorScheme}`).toEqual([])
      }
    }
  })
})
