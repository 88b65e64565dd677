import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardCustomer, dashboardCustomer } from '../support/dashboard-customer.ts'
import { type DashboardHarness, OWNER, startDashboard } from '../support/dashboard-harness.ts'
import { bubble, type DashboardSteps, dashboardSteps, replyBox } from '../support/dashboard-steps.ts'
import { WAIT } from '../support/queue-harness.ts'
import { sampleAudio, samplePdf, samplePng } from '../support/sample-files.ts'
import { seriousViolations } from '../support/serious-violations.ts'

const NAME = 'Beatriz Nogueira'
const PHONE = '5511970000001'

let harness: DashboardHarness
let steps: DashboardSteps
let page: Page
let customer: DashboardCustomer

beforeAll(async () => {
  harness = await startDashboard()
  steps = dashboardSteps(harness)
  page = await harness.logIn(OWNER)
  customer = dashboardCustomer(harness.demo, NAME, PHONE)
  await steps.take(page, NAME, PHONE)
}, 120_000)

afterAll(() => harness.close())

const log = () => page.getByRole('log')

describe('the thread', () => {
  it('shows a photo when it has arrived, and enlarges it', async () => {
    const file = { bytes: samplePng(640, 480), mimeType: 'image/png' }
    await customer.sendFile('image', file, { caption: 'Assim, mais ou menos' })
    const photo = bubble(page, 'Assim, mais ou menos').getByRole('img', { name: 'Foto' })
    await photo.waitFor()
    const width = () => page.evaluate(`document.querySelector('[role=log] img').naturalWidth`)
    await expect.poll(width, WAIT).toBe(640)
    await page.getByRole('button', { name: 'Ampliar foto' }).click()
    await page.getByRole('dialog').getByRole('img', { name: 'Foto' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('hands out a document under its own name', async () => {
    const file = { bytes: samplePdf(), mimeType: 'application/pdf' }
    await customer.sendFile('document', file, { filename: 'exame.pdf' })
    const link = log().getByRole('link', { name: 'Baixar exame.pdf' })
    await link.waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(download.suggestedFilename()).toBe('exame.pdf')
  })

  it('plays a voice message', async () => {
    await customer.sendFile('audio', { bytes: sampleAudio(), mimeType: 'audio/mpeg' }, { voice: true })
    const player = log().getByLabel('Mensagem de voz')
    await player.waitFor()
    const plays = () => page.evaluate(`document.querySelector('[role=log] audio').duration > 0`)
    await expect.poll(plays, WAIT).toBe(true)
  })

  it('says why a file will not come', async () => {
    const file = { bytes: Buffer.from('MZ\x90\x00 a program'), mimeType: 'application/pdf' }
    await customer.sendFile('document', file, { filename: 'fatura.pdf' })
    await bubble(page, 'fatura.pdf').getByText('por segurança').waitFor()
  })

  it('shows places, cards, orders and what nobody can show', async () => {
    await customer.send('location', { latitude: -23.5, longitude: -46.6, name: 'Casa', address: 'Rua A, 1' })
    await bubble(page, 'Rua A, 1').getByRole('link', { name: 'Ver no mapa' }).waitFor()
    const card = { name: { formatted_name: 'Lúcia' }, phones: [{ phone: '+55 11 97777-6666' }] }
    await customer.send('contacts', [card])
    await bubble(page, 'Lúcia').getByText('+55 11 97777-6666').waitFor()
    await customer.send('order', { catalog_id: '1', product_items: [{}, {}], text: 'Reserva?' })
    await bubble(page, 'Reserva?').getByText('2 itens no carrinho').waitFor()
    await customer.send('something_new', { any: 'thing' })
    await bubble(page, 'Mensagem que não é possível mostrar').waitFor()
  })

  it('follows what changes afterwards: edits, what was taken back, reactions', async () => {
    const edited = await customer.send('text', { body: 'quero quinta' })
    await bubble(page, 'quero quinta').waitFor()
    const content = { type: 'text', text: { body: 'quero sexta' } }
    await customer.send('edit', { original_message_id: edited, message: content })
    await bubble(page, 'quero sexta').getByText('editada').waitFor()
    await customer.send('reaction', { message_id: edited, emoji: '❤️' })
    await bubble(page, 'quero sexta').getByLabel('Reação do cliente: ❤️').waitFor()
    const revoked = await customer.send('text', { body: 'isto não' })
    await bubble(page, 'isto não').waitFor()
    await customer.send('revoke', { original_message_id: revoked })
    await bubble(page, 'Apagada pelo cliente').waitFor()
    expect(await bubble(page, 'isto não').count()).toBe(0)
  })

  it('tells what a message answers, that it was passed on, and the ad it came from', async () => {
    const first = await customer.send('text', { body: 'a primeira' })
    await bubble(page, 'a primeira').waitFor()
    await customer.send('text', { body: 'a resposta' }, { replyTo: first })
    await bubble(page, 'a resposta').getByText('a primeira').waitFor()
    await customer.send('text', { body: 'olha isso' }, { fields: { context: { forwarded: true } } })
    await bubble(page, 'olha isso').getByText('Encaminhada').waitFor()
    const referral = { source_url: 'https://fb.me/a', headline: 'Corte e escova', body: 'Só esta semana' }
    await customer.send('text', { body: 'vi o anúncio' }, { fields: { referral } })
    const ad = bubble(page, 'vi o anúncio')
    await ad.getByText('Veio de um anúncio').waitFor()
    expect(await ad.getByRole('link', { name: 'Corte e escova' }).getAttribute('href')).toBe(
      'https://fb.me/a',
    )
  })

  it('says what became of a message that did not arrive, what Meta said, and what to do', async () => {
    harness.demo.graph.script({ kind: 'error', code: 131026, details: 'Message undeliverable' })
    await replyBox(page, NAME).fill('Esta não chega')
    await replyBox(page, NAME).press('Enter')
    const failed = bubble(page, 'Esta não chega')
    await failed.getByText('Não entregue').waitFor()
    await failed.getByText('Tente por telefone').waitFor()
    await failed.getByText('código 131026').waitFor()
    harness.demo.graph.script({ kind: 'reset' })
    await replyBox(page, NAME).fill('Desta não se sabe')
    await replyBox(page, NAME).press('Enter')
    await bubble(page, 'Desta não se sabe').getByText('Sem confirmação do WhatsApp').first().waitFor()
  })

  it('of all this has no serious accessibility violation, by day and by night, wide and narrow', async () => {
    for (const size of [
      { width: 1366, height: 768 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await seriousViolations(page), `${size.width} ${colorScheme}`).toEqual([])
      }
    }
  })
})
