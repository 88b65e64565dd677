import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { metricsOverviewSchema } from '../../src/contracts/dashboard-api.ts'
import { tenantDocumentSchema } from '../../src/contracts/tenant-document.ts'
import { demoTenant } from '../../src/demo/demo-tenant.ts'
import { applyTenantDocument } from '../../src/tenancy/apply-tenant-document.ts'
import { type DashboardHarness, OWNER, startDashboard } from '../support/dashboard-harness.ts'
import { seedConversation } from '../support/seed-figures.ts'
import { seriousViolations } from '../support/serious-violations.ts'

let harness: DashboardHarness
let page: Page

const SPAN = 'from=2025-10-06&to=2025-10-09'

beforeAll(async () => {
  harness = await startDashboard()
  await seed()
  page = await harness.logIn(OWNER)
}, 120_000)

afterAll(() => harness.close())

describe('the figures', () => {
  it('say what was seeded, and what the API says', async () => {
    await open(SPAN)
    const answer = await page.request.get(`${harness.proxy.url}/v1/metrics/overview?${SPAN}`)
    const { totals } = metricsOverviewSchema.parse(await answer.json())
    expect(totals).toMatchObject({ conversations: 4, solvedByBot: 2, handoffs: 3, rehandoffs: 1 })
    expect(await tiles('No período')).toEqual({
      'Só com o robô': '50%2 de 4 conversas',
      'Foram para a equipe': '3',
      'Voltaram em um dia': '1foram de novo para a equipe',
      Agendamentos: '0',
      'Custo do robô': 'US$ 0,06em 3 respostas',
    })
  })

  it('tell how long people waited, half of them and nine in ten', async () => {
    await open(SPAN)
    await card('Tempo até a primeira resposta').getByText('metade até 5 min · 9 em 10 até 20 min').waitFor()
    await card('Tempo até resolver').getByText('metade até 30 min · 9 em 10 até 2 h 00').waitFor()
  })

  it('show each chart as a table too, day by day with its reasons', async () => {
    await open(SPAN)
    expect(await tableOf('Por que foram para a equipe')).toEqual([
      ['Dia', 'O cliente pediu uma pessoa', 'Passos demais sem chegar ao fim', 'Total'],
      ['06/10', '1', '0', '1'],
      ['07/10', '1', '1', '2'],
      ['08/10', '0', '0', '0'],
      ['09/10', '0', '0', '0'],
      ['Total', '2', '1', '3'],
    ])
    expect(await tableOf('Conversas por dia')).toEqual([
      ['Dia', 'Só com o robô', 'Com a equipe', 'Parte só com o robô'],
      ['06/10', '1', '1', '50%'],
      ['07/10', '1', '2', '33%'],
      ['08/10', '0', '0', '—'],
      ['09/10', '0', '0', '—'],
      ['Total', '2', '2', '50%'],
    ])
    expect((await tableOf('Custo por dia')).slice(1, 3)).toEqual([
      ['06/10', 'US$ 0,03'],
      ['07/10', 'US$ 0,03'],
    ])
  })

  it('draw a bar for each reason of a day', async () => {
    await open(SPAN)
    const chart = page.getByRole('img', { name: 'Por que foram para a equipe' })
    await chart.locator('.recharts-bar-rectangle path').first().waitFor()
    expect(await chart.locator('.recharts-bar').count()).toBe(2)
    expect(await chart.getAttribute('aria-label')).toContain('O cliente pediu uma pessoa: 2')
  })

  it('keep the period in the address', async () => {
    await open(SPAN)
    await page.getByText('90 dias', { exact: true }).click()
    await page.waitForURL(/\?days=90$/)
    await page.reload()
    expect(await page.getByRole('radio', { name: '90 dias' }).isChecked()).toBe(true)
    await page.getByText('Escolher', { exact: true }).click()
    await page.waitForURL(/\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/)
  })

  it('say so when there was nothing', async () => {
    await page.goto(`${harness.proxy.url}/dashboard/figures?from=2025-01-01&to=2025-01-31`)
    await page.getByText('Nada neste período').waitFor()
    expect(await page.getByRole('img', { name: /Custo/ }).count()).toBe(0)
  })

  it('say that the server cannot be reached, and come back when it can', async () => {
    await page.goto(`${harness.proxy.url}/dashboard/inbox/queue`)
    await page.getByRole('link', { name: 'Números' }).waitFor()
    await page.route('**/v1/metrics/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Números' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Sem conexão com o servidor').waitFor({ timeout: 20_000 })
    await page.unroute('**/v1/metrics/**')
    await alert.getByRole('button', { name: 'Tentar de novo' }).click()
    await page.getByRole('region', { name: 'Agora' }).waitFor()
  })

  it('count who waits now, and for how long', async () => {
    await harness.demo.simulator.sendText('5511970000021', 'Quero falar com uma pessoa', 'Rute Prado')
    await page.goto(`${harness.proxy.url}/dashboard/inbox/queue`)
    await page.locator('[data-conversation]', { hasText: 'Rute Prado' }).waitFor()
    await open('days=7')
    const now = await tiles('Agora')
    expect(now).toMatchObject({ 'Na fila': '1', Atrasadas: '0', 'Com a equipe': '0' })
    expect(now['Maior espera']).toMatch(/^\d+ (s|min)$/)
  })

  it('have no serious accessibility violation, as charts and as tables, by day and by night', async () => {
    await open(SPAN)
    await card('Por que foram para a equipe').locator('.recharts-bar-rectangle path').first().waitFor()
    expect(await seriousViolations(page)).toEqual([])
    await inScheme('dark')
    expect(await seriousViolations(page)).toEqual([])
    await tableOf('Por que foram para a equipe')
    expect(await seriousViolations(page)).toEqual([])
    await inScheme('light')
    expect(await seriousViolations(page)).toEqual([])
  })
})

async function inScheme(colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
}

async function open(search: string): Promise<void> {
  await page.goto(`${harness.proxy.url}/dashboard/figures?${search}`)
  await page.getByRole('region', { name: 'No período' }).waitFor()
}

function card(title: string) {
  return page.getByRole('region', { name: title, exact: true }).first()
}

/** The figures of a group by name, each with its hint behind it. */
async function tiles(group: string): Promise<Record<string, string>> {
  const region = page.getByRole('region', { name: group, exact: true })
  const names = await region.locator('dt').allTextContents()
  const values = await region
    .locator('dl > div')
    .evaluateAll((all) =>
      all.map((tile) =>
        [...tile.querySelectorAll('dd')]
          .map(({ textContent }) => textContent.replaceAll('\u00a0', ' '))
          .join(''),
      ),
    )
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
}

async function tableOf(title: string): Promise<string[][]> {
  await page.getByRole('button', { name: `${title}: ver tabela` }).click()
  const rows = card(title).getByRole('row')
  await rows.first().waitFor()
  return rows.evaluateAll((all) =>
    all.map((row) =>
      [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent.replaceAll('\u00a0', ' ')),
    ),
  )
}

/** Two weekdays in the hours of the team; the same of another tenant must not count. */
async function seed(): Promise<void> {
  const { store, clock } = harness.demo.context
  const { encryptionKey } = harness.demo.config
  const neighbour = tenantDocumentSchema.parse({
    ...demoTenant,
    slug: 'neighbour',
    channel: { ...demoTenant.channel, phoneNumberId: '200000000000001' },
  })
  await applyTenantDocument(store, neighbour, { encryptionKey, clock })
  const tenants = await store.unsafeRead('test', (reader) => reader.tenant.findMany())
  const idOf = (slug: string) => tenants.find((tenant) => tenant.slug === slug)?.id ?? ''
  const ours = idOf('studio-aurora')
  await seedConversation(store, ours, {
    name: 'Answered by the bot',
    runs: [{ at: new Date('2025-10-06T10:00:00-03:00'), costMicroUsd: 30_000n }],
  })
  await seedConversation(store, ours, {
    name: 'Answered by the bot late in the evening, the next day in UTC',
    runs: [{ at: new Date('2025-10-07T23:30:00-03:00'), costMicroUsd: 20_000n }],
  })
  await seedConversation(store, ours, {
    name: 'To people, and once more the next day',
    handoffs: [
      {
        at: new Date('2025-10-06T15:00:00-03:00'),
        reason: 'customer_request',
        firstReplyAfter: 60,
        endedAfter: 7_200,
      },
      {
        at: new Date('2025-10-07T10:00:00-03:00'),
        reason: 'step_limit',
        firstReplyAfter: 300,
        endedAfter: 600,
      },
    ],
  })
  await seedConversation(store, ours, {
    name: 'The bot began, people ended',
    runs: [{ at: new Date('2025-10-07T11:00:00-03:00'), costMicroUsd: 10_000n }],
    handoffs: [
      {
        at: new Date('2025-10-07T11:01:00-03:00'),
        reason: 'customer_request',
        firstReplyAfter: 1_200,
        endedAfter: 1_800,
      },
    ],
  })
  await seedConversation(store, idOf('neighbour'), {
    name: 'Of the neighbour',
    runs: [{ at: new Date('2025-10-06T10:00:00-03:00'), costMicroUsd: 5_000_000n }],
    handoffs: [{ at: new Date('2025-10-06T11:00:00-03:00'), reason: 'model_error' }],
  })
}
