import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { buildDashboard } from '../../src/demo/build-dashboard.ts'
import { DEMO_LOGIN } from '../../src/demo/demo-tenant.ts'
import { type Demo, startDemo } from '../../src/demo/start-demo.ts'
import { launchBrowser } from './browser.ts'
import { type CuttableProxy, startCuttableProxy } from './cuttable-proxy.ts'

export const OWNER = DEMO_LOGIN.email
export const ATTENDANT = 'recepcao@example.com'

/** The whole product with its simulated phones, and a browser; each page goes through a proxy that can be cut. */
export interface DashboardHarness {
  readonly demo: Demo
  readonly proxy: CuttableProxy
  /** A browser of its own for each person, so that their sessions do not mix. */
  logIn(email: string, page?: Page): Promise<Page>
  newPage(): Promise<Page>
  close(): Promise<void>
}

export async function startDashboard(): Promise<DashboardHarness> {
  await buildDashboard(() => {})
  const dataDir = await mkdtemp(join(tmpdir(), 'agendou-dashboard-'))
  const demo = await startDemo(
    { DATA_DIR: dataDir, LOG_LEVEL: 'silent', INBOUND_DEBOUNCE_MS: '50' },
    { once: true, print: () => {} },
  )
  const proxy = await startCuttableProxy(demo.address)
  const browser = await launchBrowser()
  const newPage = async () => {
    const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, locale: 'pt-BR' })
    context.setDefaultTimeout(10_000)
    return context.newPage()
  }
  return {
    demo,
    proxy,
    newPage,
    logIn: async (email, given) => {
      const page = given ?? (await newPage())
      await page.goto(`${proxy.url}/dashboard/`)
      await page.fill('[name=tenant]', DEMO_LOGIN.tenant)
      await page.fill('[name=email]', email)
      await page.fill('[name=password]', DEMO_LOGIN.password)
      await page.click('button[type=submit]')
      await page.getByRole('navigation', { name: 'Navegação principal' }).waitFor()
      return page
    },
    close: async () => {
      await browser.close()
      await proxy.close()
      await demo.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
