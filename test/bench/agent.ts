/**
 * A run of four steps (three tool calls and the answer) against a loopback Messages API in a process of its
 * own: the loop with its guards on, beside the SDK driven by hand, the SDK's tool runner and the `ai` package.
 * One run of each in turn, so that all meet the same machine; times are medians of single runs, CPU is the mean
 * of this process.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type AgentRun, sdkByHand, sdkToolRunner, vercelAi } from './agent-others.ts'
import { loopInMemory, loopInPostgres } from './agent-ours.ts'

const API = fileURLToPath(new URL('../fixtures/bench-messages-api-process.ts', import.meta.url))
/** Runs of each before it counts: a server is warm, and so is what it is compared with. */
const WARM_UP = 1_200
const ROUNDS = 300
const REACH = 1.15

interface Measured {
  readonly name: string
  readonly run: AgentRun
  /** Before each run, not counted. */
  readonly prepare: () => Promise<void>
  readonly wallMs: number[]
  cpuMs: number
}

/** Prints the table; throws when a contender gives another answer. A reach that is missed sets the exit code. */
export async function bench(): Promise<void> {
  const api = await startApi()
  const postgres = await loopInPostgres(api.url)
  try {
    const contenders = [
      measured('SDK by hand', sdkByHand(api.url)),
      measured('agendou, store in memory', loopInMemory(api.url)),
      measured('agendou, steps in PostgreSQL', postgres.run, postgres.prepare),
      measured('SDK by hand, a row a step', postgres.rowAStep),
      measured('SDK toolRunner', sdkToolRunner(api.url)),
      measured('ai with @ai-sdk/anthropic', vercelAi(api.url)),
    ]
    for (let round = 0; round < WARM_UP; round += 1) {
      for (const contender of contenders) await measure(contender)
    }
    await postgres.settle()
    for (const contender of contenders) {
      contender.wallMs.length = 0
      contender.cpuMs = 0
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const contender of contenders) await measure(contender)
    }
    report(contenders)
  } finally {
    await postgres.close()
    await api.close()
  }
}

function measured(name: string, run: AgentRun, prepare = async () => {}): Measured {
  return { name, run, prepare, wallMs: [], cpuMs: 0 }
}

async function measure(contender: Measured): Promise<void> {
  await contender.prepare()
  const cpu = process.cpuUsage()
  const began = performance.now()
  const text = await contender.run()
  contender.wallMs.push(performance.now() - began)
  const used = process.cpuUsage(cpu)
  contender.cpuMs += (used.user + used.system) / 1_000
  if (text !== 'Tenho às 15:00 ou às 16:00.') throw new Error(`${contender.name} answered: ${text}`)
}

function report(contenders: readonly Measured[]): void {
  const rows = contenders.map(({ name, wallMs, cpuMs }) => ({
    name,
    wall: median(wallMs),
    cpu: cpuMs / wallMs.length,
  }))
  const [byHand, memory, stored, rowAStep, ...others] = rows
  if (byHand === undefined || memory === undefined || stored === undefined || rowAStep === undefined) {
    throw new Error('no contenders')
  }
  console.log(`agent: a run of four steps, ${ROUNDS} of each in turn`)
  for (const { name, wall, cpu } of rows) {
    const ratios = `${(wall / byHand.wall).toFixed(2)} / ${(cpu / byHand.cpu).toFixed(2)} of the SDK by hand`
    console.log(`  ${name.padEnd(30)} wall ${wall.toFixed(2)} ms, CPU ${cpu.toFixed(2)} ms: ${ratios}`)
  }
  const [wall, cpu] = [stored.wall / rowAStep.wall, stored.cpu / rowAStep.cpu]
  console.log(
    `  steps in PostgreSQL, of a row a step by hand: wall ${wall.toFixed(2)}, CPU ${cpu.toFixed(2)}`,
  )
  expectThat(
    memory.wall <= byHand.wall * REACH && memory.cpu <= byHand.cpu * REACH,
    `guards cost more than ${REACH}`,
  )
  for (const other of others) {
    expectThat(stored.wall < other.wall && stored.cpu < other.cpu, `behind ${other.name}`)
  }
}

function expectThat(reached: boolean, otherwise: string): void {
  if (reached) return
  console.log(`  MISSED: ${otherwise}`)
  process.exitCode = 1
}

async function startApi(): Promise<{ url: string; close(): Promise<void> }> {
  const child = spawn(process.execPath, ['--import', 'tsx', API], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [port] = await once(createInterface({ input: child.stdout }), 'line')
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      child.kill()
      await exited
    },
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
