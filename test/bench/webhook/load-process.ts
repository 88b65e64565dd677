/**
 * Drives signed webhooks at a loopback server from a process of its own, over kept-alive connections with one
 * request under way on each. Latency counts from when a request was due, so a server that stalls is not
 * spared the requests that waited meanwhile. Bounded: it ends by itself after its seconds.
 */
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { signBody, textMessageUpdate, webhookBody } from '../../../src/demo/signed-webhook.ts'
import { type LoadPlan, type LoadResult, loadPlan, quantile } from './load-plan.ts'

const plan = loadPlan.parse(JSON.parse(process.argv[2] ?? ''))
/** Made before the clock runs; later rounds repeat them, the server cannot tell. */
const PREPARED = 4_000
const TICK_MS = 2

interface Lane {
  readonly socket: Socket
  dueAt: number
  received: string
}

console.log(JSON.stringify(await drive(plan)))
process.exit(0)

async function drive({ connections, perSecond, seconds, warmUpSeconds }: LoadPlan): Promise<LoadResult> {
  const requests = prepare()
  const startedAt = performance.now()
  const countFrom = startedAt + warmUpSeconds * 1_000
  const endsAt = countFrom + seconds * 1_000
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const free: Lane[] = []
  const due: number[] = []
  let next = 0
  const send = (lane: Lane, dueAt: number): void => {
    lane.dueAt = dueAt
    lane.received = ''
    const bytes = requests[next % requests.length]
    next += 1
    if (bytes !== undefined) lane.socket.write(bytes)
  }
  const answered = (lane: Lane, status: string): void => {
    const now = performance.now()
    if (lane.dueAt >= countFrom && now < endsAt + 10_000) {
      latencies.push(now - lane.dueAt)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    if (perSecond === null) {
      if (now < endsAt) send(lane, now)
      return
    }
    const waiting = due.shift()
    if (waiting === undefined) free.push(lane)
    else send(lane, waiting)
  }
  const lanes = await Promise.all(Array.from({ length: connections }, () => openLane(answered)))
  if (perSecond === null) {
    for (const lane of lanes) send(lane, performance.now())
    await delay(endsAt - performance.now())
  } else {
    free.push(...lanes)
    let made = 0
    while (performance.now() < endsAt) {
      const target = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond)
      for (; made < target; made += 1) {
        const dueAt = startedAt + (made / perSecond) * 1_000
        const lane = free.pop()
        if (lane === undefined) due.push(dueAt)
        else send(lane, dueAt)
      }
      await delay(TICK_MS)
    }
  }
  await delay(1_000)
  latencies.sort((a, b) => a - b)
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    statuses,
  }
}

function prepare(): Buffer[] {
  const { host, pathname } = new URL(plan.url)
  const number = { wabaId: '1', phoneNumberId: plan.phoneNumberId, displayPhoneNumber: '551130000000' }
  return Array.from({ length: PREPARED }, (_, index) => {
    const from = { name: 'Cliente', waId: `55119${String(10_000_000 + (index % plan.people))}` }
    const body = JSON.stringify(
      webhookBody(textMessageUpdate({ number, from, text: 'Quero marcar um corte' })),
    )
    const head =
      `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n` +
      `x-hub-signature-256: ${signBody(body, plan.appSecret)}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
    return Buffer.from(head + body)
  })
}

function openLane(answered: (lane: Lane, status: string) => void): Promise<Lane> {
  const { hostname, port } = new URL(plan.url)
  return new Promise((resolve, reject) => {
    const socket = new Socket()
    socket.setNoDelay(true)
    const lane: Lane = { socket, dueAt: 0, received: '' }
    socket.once('error', reject)
    socket.connect(Number(port), hostname, () => resolve(lane))
    socket.on('data', (chunk) => {
      lane.received += chunk.toString('latin1')
      const head = lane.received.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/content-length: (\d+)/i.exec(lane.received)?.[1] ?? 0)
      if (lane.received.length >= head + 4 + length) answered(lane, lane.received.slice(9, 12))
    })
  })
}
