/**
 * The customers' side of the turn bench, in a process of its own: posts one message each for many customers
 * at a steady rate, and is the Graph API that the answers reach. Protocol: it prints the API's address; reads
 * the plan as one line; prints the result.
 */
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { startLoopbackGraphApi } from '../../../src/demo/graph-api.ts'
import { postWebhook, textMessageUpdate, webhookBody } from '../../../src/demo/signed-webhook.ts'
import { quantile, type TurnsResult, turnsPlan } from './load-plan.ts'

/** For the last answers to come. */
const LINGER_MS = 15_000

const graph = await startLoopbackGraphApi()
console.log(JSON.stringify({ graphUrl: graph.url }))
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const plan = turnsPlan.parse(JSON.parse(String((await lines.next()).value)))
const sentAt = new Map<string, number>()
const answeredAfter = new Map<string, number>()
graph.onAccepted((send) => {
  const from = send.phone === null ? undefined : sentAt.get(send.phone)
  if (send.phone === null || from === undefined || answeredAfter.has(send.phone)) return
  answeredAfter.set(send.phone, performance.now() - from - plan.debounceMs)
})

const number = { wabaId: '1', phoneNumberId: plan.phoneNumberId, displayPhoneNumber: '551130000000' }
const turns = plan.perSecond * plan.seconds
const startedAt = performance.now()
const posts: Promise<unknown>[] = []
for (let turn = 0; turn < turns; turn += 1) {
  await delay(Math.max(startedAt + (turn / plan.perSecond) * 1_000 - performance.now(), 0))
  const waId = `55119${String(70_000_000 + turn)}`
  const update = textMessageUpdate({ number, from: { name: 'Cliente', waId }, text: 'Oi' })
  sentAt.set(waId, performance.now())
  posts.push(postWebhook(plan.url, plan.appSecret, webhookBody(update)))
}
await Promise.all(posts)
const giveUpAt = performance.now() + LINGER_MS
while (answeredAfter.size < turns && performance.now() < giveUpAt) await delay(50)
/** The first second warms code and connections up. */
const delays = [...answeredAfter.values()].slice(plan.perSecond * plan.warmUpSeconds).sort((a, b) => a - b)
const result: TurnsResult = {
  turns,
  answered: answeredAfter.size,
  p50Ms: quantile(delays, 0.5),
  p99Ms: quantile(delays, 0.99),
}
console.log(JSON.stringify(result))
await graph.close()
process.exit(0)
