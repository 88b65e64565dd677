import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { TEST_ENCRYPTION_KEY } from './factories.ts'
import { APP_SECRET, SESSION_SECRET, VERIFY_TOKEN } from './http-harness.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const START_TIMEOUT_MS = 30_000

/** The product as a process of its own, `src/main.ts`, for tests that kill it. */
export interface ProductProcess {
  readonly child: ChildProcess
  readonly address: string
  /** Sends the signal and gives the exit code, or null when the signal ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** Resolves once it says that it is up. @throws Error with its output when it ends or takes too long before. */
export async function startProductProcess(env: NodeJS.ProcessEnv): Promise<ProductProcess> {
  const child = spawnProduct(env)
  const exited = once(child, 'exit')
  const address = await addressOf(child)
  return {
    child,
    address,
    async end(signal) {
      child.kill(signal)
      await exited
      return child.exitCode
    },
  }
}

/** The process as it begins; its output can be read. */
export function spawnProduct(env: NodeJS.ProcessEnv): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, ['--import', 'tsx', MAIN], {
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      INBOUND_DEBOUNCE_MS: '50',
      SESSION_SECRET,
      WHATSAPP_APP_SECRET: APP_SECRET,
      WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('base64'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (why: string) => reject(new Error(`the product process ${why}:\n${output}`))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail('did not start in time')
    }, START_TIMEOUT_MS)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /"listening":"([^"]+)"/.exec(output)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', () => {
      clearTimeout(timer)
      fail('ended')
    })
  })
}
