import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_LOGIN } from '../../src/demo/demo-tenant.ts'
import { type Demo, startDemo } from '../../src/demo/start-demo.ts'
import { launchBrowser } from '../support/browser.ts'

/** The demo as `npm run demo` starts it, in a folder of the test's, used with a browser. */
describe('the simulated phone', () => {
  let dataDir: string
  let demo: Demo
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'agendou-demo-'))
    const env = {
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      INBOUND_DEBOUNCE_MS: '50',
      PORT: '0',
    }
    demo = await startDemo(env, { once: false, print: () => {} })
    browser = await launchBrowser()
    page = await browser.newPage({ viewport: { width: 1100, height: 820 } })
  })
  afterAll(async () => {
    await browser.close()
    await demo.stop()
    await rm(dataDir, { recursive: true })
  })

  it('books by a typed message, a tapped time and a tapped yes', async () => {
    await page.goto(`${demo.address}/simulator`)
    await page.getByText('Marina Alves').first().click()
    await write('quero marcar corte na próxima sexta com a Ana')
    await page.getByText('Ver opções').last().click()
    await page
      .getByRole('dialog')
      .getByText(/^\d\d:\d\d com Ana/)
      .first()
      .click()
    await page.getByRole('button', { name: 'Sim' }).last().click()
    await page.getByText('está marcado').last().waitFor()
    const { body } = await staff('GET', '/v1/appointments')
    expect(body).toMatchObject({
      items: [{ service: { key: 'corte' }, professional: { key: 'ana' }, source: 'customer' }],
    })
  })

  it('is handed to a person, who answers over the API, and comes back to the bot', async () => {
    await write('quero falar com uma pessoa')
    await page.getByText('o atendimento por aqui').last().waitFor()
    const queued = await staff('GET', '/v1/conversations?status=queued')
    const id = firstId(queued.body)
    expect((await staff('POST', `/v1/conversations/${id}/claim`)).status).toBe(200)
    await staff('POST', `/v1/conversations/${id}/messages`, { text: 'Oi Marina, aqui é a Paula!' })
    await page.getByText('aqui é a Paula').last().waitFor()
    expect((await staff('POST', `/v1/conversations/${id}/return-to-bot`)).status).toBe(200)
    await write('meus horários')
    await page
      .getByText(/Corte de cabelo/)
      .last()
      .waitFor()
  })

  async function write(text: string): Promise<void> {
    const box = page.getByPlaceholder('Mensagem')
    await box.fill(text)
    await box.press('Enter')
  }

  let token: string | null = null
  async function staff(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: unknown }> {
    if (token === null && path !== '/v1/auth/login') {
      const login = await staff('POST', '/v1/auth/login', DEMO_LOGIN)
      token = tokenOf(login.body)
    }
    const response = await fetch(`${demo.address}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
})

function tokenOf(body: unknown): string {
  if (typeof body === 'object' && body !== null && 'token' in body) return String(body.token)
  throw new Error('no token')
}

function firstId(body: unknown): string {
  const match = /"id":"([^"]+)"/.exec(JSON.stringify(body))
  if (match?.[1] === undefined) throw new Error('the queue is empty')
  return match[1]
}
