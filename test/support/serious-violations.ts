import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { z } from 'zod'

/**
 * A change of the colour scheme reaches the page a frame or two later, and its colours then move for a while. A
 * transition that is cut short has ended as well.
 */
const SETTLED = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  const moving = () => document.getAnimations().filter((each) => each instanceof CSSTransition)
  await frame()
  await frame()
  while (moving().length > 0) {
    await Promise.all(moving().map(({ finished }) => finished.catch(() => null)))
    await frame()
  }
})()`

const axeResult = z.array(z.string())

/** What axe-core calls serious or critical on the page once its colours have settled, with where it is. */
export async function seriousViolations(page: Page): Promise<string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.evaluate(SETTLED)
  await page.evaluate(source)
  const found: unknown = await page.evaluate(`axe.run().then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`)
  return axeResult.parse(found)
}
