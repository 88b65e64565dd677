import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type Config, ConfigError, loadConfig } from '../config/config.ts'
import { BLOCKED_PORTS } from './blocked-ports.ts'

const secretsSchema = z.object({
  ENCRYPTION_KEY: z.string(),
  SESSION_SECRET: z.string(),
  ADMIN_TOKEN: z.string(),
  WHATSAPP_APP_SECRET: z.string(),
  WHATSAPP_VERIFY_TOKEN: z.string(),
})

/**
 * What the environment may decide. Not the database and not the channel: beside the configuration of a real
 * deployment the demo would write its tenant there, and send real customers' messages to its own phone.
 */
const MAY_BE_SET =
  /^(HOST|PORT|LOG_LEVEL|ANTHROPIC_.*|AGENT_.*|TENANT_DAILY_COST_USD|TOOL_TIMEOUT_MS|INBOUND_DEBOUNCE_MS|WORKER_CONCURRENCY)$/

/**
 * The configuration of the demo: what the environment says, and for the rest secrets of its own, made at the
 * first start and kept beside the data, so that sessions and stored tokens survive a restart. It listens on
 * this machine only, unless HOST says otherwise: its login is printed in the README.
 * @throws ConfigError, also for a PORT that no browser opens.
 */
export async function demoConfig(
  env: NodeJS.ProcessEnv,
  options: { graphUrl: string; port?: number },
): Promise<Config> {
  const dataDir = env['DATA_DIR'] === undefined || env['DATA_DIR'] === '' ? '.data' : env['DATA_DIR']
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== '' && MAY_BE_SET.test(name)),
  )
  const config = loadConfig({
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    INBOUND_DEBOUNCE_MS: '600',
    ...(await demoSecrets(dataDir)),
    ...given,
    DATA_DIR: dataDir,
    ROLE: 'all',
    WHATSAPP_GRAPH_URL: options.graphUrl,
    ...(options.port === undefined ? {} : { PORT: String(options.port) }),
  })
  if (BLOCKED_PORTS.has(config.port)) {
    throw new ConfigError(`PORT: browsers refuse to connect to ${config.port}, choose another (3000, 8080)`)
  }
  return config
}

async function demoSecrets(dataDir: string): Promise<z.infer<typeof secretsSchema>> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, 'demo-secrets.json')
  const made = {
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ADMIN_TOKEN: randomBytes(24).toString('hex'),
    WHATSAPP_APP_SECRET: randomBytes(24).toString('hex'),
    WHATSAPP_VERIFY_TOKEN: randomBytes(24).toString('hex'),
  }
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(`${JSON.stringify(made, null, 2)}\n`)
    await file.close()
    return made
  } catch (error) {
    if (!isFileExists(error)) throw error
    const stored = secretsSchema.safeParse(parseJson(await readFile(path, 'utf8')))
    if (stored.success) return stored.data
    throw new Error(`${path} does not hold the demo's secrets: remove it and start again`)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isFileExists(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
