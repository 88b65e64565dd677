import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Config, loadConfig } from '../../../src/config/config.ts'
import { startEmbeddedPostgres } from '../../../src/db/embedded-postgres.ts'
import { migrateDatabase } from '../../../src/open-database.ts'
import { type LoadPlan, type LoadResult, loadResult } from './load-plan.ts'

export interface BenchDatabase {
  readonly url: string
  stop(): Promise<void>
}

/** A PostgreSQL as in production, with its fsync: what is measured is durable. */
export async function startBenchDatabase(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agendou-bench-'))
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  await migrateDatabase(server.url, () => undefined)
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export function benchConfig(databaseUrl: string, more: NodeJS.ProcessEnv = {}): Config {
  return loadConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    SESSION_SECRET: randomBytes(32).toString('hex'),
    WHATSAPP_APP_SECRET: 'bench app secret',
    WHATSAPP_VERIFY_TOKEN: 'bench verify token',
    ...more,
  })
}

/** Runs the load in its own process and reads its result. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const script = fileURLToPath(new URL('load-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8')
  })
  await once(child, 'close')
  return loadResult.parse(JSON.parse(output))
}
