import type { Locator, Page } from 'playwright-core'
import type { DashboardHarness } from './dashboard-harness.ts'

export const ASK = 'Quero falar com uma pessoa, por favor'

/** What the front desk does over and over, in the browser. */
export interface DashboardSteps {
  /** A customer who asks for a person stands in the queue of whoever looks. */
  askForPerson(name: string, phone: string, ...pages: readonly Page[]): Promise<void>
  /** Opens the conversation from the queue, and claims it by key. */
  claim(page: Page, name: string): Promise<void>
  /** A customer asks for a person and is claimed. */
  take(page: Page, name: string, phone: string): Promise<void>
  open(page: Page, view: 'queue' | 'mine' | 'team' | 'bot' | 'closed'): Promise<void>
}

export function dashboardSteps(harness: DashboardHarness): DashboardSteps {
  const open: DashboardSteps['open'] = async (page, view) => {
    await page.goto(`${harness.proxy.url}/dashboard/inbox/${view}`)
  }
  const askForPerson: DashboardSteps['askForPerson'] = async (name, phone, ...pages) => {
    await harness.demo.simulator.sendText(phone, ASK, name)
    for (const page of pages) {
      await open(page, 'queue')
      await row(page, name).waitFor()
    }
  }
  const claim: DashboardSteps['claim'] = async (page, name) => {
    await row(page, name).click()
    await thread(page, name).getByText('Na fila').waitFor()
    await page.keyboard.press('c')
    await replyBox(page, name).waitFor()
  }
  return {
    askForPerson,
    claim,
    open,
    take: async (page, name, phone) => {
      await askForPerson(name, phone, page)
      await claim(page, name)
    },
  }
}

/** The conversation in the list. */
export function row(page: Page, name: string): Locator {
  return page.locator('[data-conversation]', { hasText: name })
}

export function thread(page: Page, name: string): Locator {
  return page.getByRole('region', { name: `Conversa com ${name}` })
}

export function replyBox(page: Page, name: string): Locator {
  return page.getByLabel(`Responder a ${name}`)
}

export function bubble(page: Page, text: string): Locator {
  return page.getByRole('article').filter({ hasText: text })
}
