import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { TEST_ENCRYPTION_KEY } from './factories.ts'
import { APP_SECRET, SESSION_SECRET, VERIFY_TOKEN } from './http-harness.ts'
import type { KillPoint } from './kill-points.ts'

const SCRIPT = fileURLToPath(new URL('../fixtures/turn-worker-process.ts', import.meta.url))

/** A worker process that stands still at one point of a turn (see `fixtures/turn-worker-process.ts`). */
export interface TurnWorker {
  /** Starts its work. */
  start(point: KillPoint): Promise<void>
  /** Resolves when it stands at the point. @throws Error with its output when it ends before. */
  reached(): Promise<void>
  kill(): Promise<void>
}

export function spawnTurnWorker(env: NodeJS.ProcessEnv): TurnWorker {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT], {
    env: {
      PATH: process.env['PATH'],
      ROLE: 'worker',
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'warn',
      INBOUND_DEBOUNCE_MS: '50',
      SESSION_SECRET,
      WHATSAPP_APP_SECRET: APP_SECRET,
      WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('base64'),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const waiting = new Map<string, () => void>()
  const said = new Set<string>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`
    said.add(line)
    waiting.get(line)?.()
  })
  const heard = async (line: string): Promise<void> => {
    if (said.has(line)) return
    const spoken = new Promise<'spoken'>((resolve) => {
      waiting.set(line, () => resolve('spoken'))
    })
    if ((await Promise.race([spoken, exited])) === 'spoken') return
    throw new Error(`the worker ended before it said "${line}":\n${output}`)
  }
  return {
    start: async (point) => {
      await heard('ready')
      child.stdin.write(`${point}\n`)
    },
    reached: () => heard('reached'),
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
