import { isIP } from 'node:net'
import { z } from 'zod'
import { AppError } from '../shared/app-error.ts'

/**
 * The environment, read once and turned into one nested object. A variable that is wrong, or a group that
 * is half set, is a `ConfigError` of one line that names the variable. A feature that is off is `null`.
 */
export interface Config {
  readonly host: string
  readonly port: number
  /** Addresses and CIDR blocks whose `X-Forwarded-For` is believed; empty: nobody's. */
  readonly trustedProxies: readonly string[]
  readonly role: Role
  readonly logLevel: string
  readonly database: DatabaseConfig
  /** 32 bytes; null: channel tokens are refused. */
  readonly encryptionKey: Buffer | null
  /** null: `/v1/admin` answers 404. */
  readonly adminToken: string | null
  readonly sessionSecret: string
  readonly whatsapp: {
    readonly appSecret: string
    readonly verifyToken: string
    readonly graphUrl: string
    readonly graphVersion: string
  }
  /** null: the guided model answers. */
  readonly anthropic: { readonly apiKey: string; readonly baseUrl: string | null } | null
  readonly agent: AgentConfig
  /** An OpenAI-compatible endpoint that writes down voice notes; null: customers are asked to write. */
  readonly transcriber: { readonly url: string; readonly apiKey: string; readonly model: string } | null
  readonly inboundDebounceMs: number
  readonly workerConcurrency: number
  /** null: `/metrics` is open. */
  readonly metricsToken: string | null
}

export type Role = 'all' | 'web' | 'worker'

export interface DatabaseConfig {
  /** null: embedded PostgreSQL in `dataDir`. */
  readonly url: string | null
  readonly dataDir: string
}

export interface AgentConfig {
  readonly model: string
  readonly maxSteps: number
  readonly maxInputTokens: number
  readonly maxCostUsd: number
  readonly maxDurationMs: number
  readonly maxOutputTokens: number
  readonly tenantDailyCostUsd: number
  readonly toolTimeoutMs: number
}

/** A variable of the environment is missing or wrong; the message is one line that names it. */
export class ConfigError extends AppError {
  constructor(message: string) {
    super('config', message)
  }
}

const port = z.coerce.number().int().min(0).max(65_535)
const positiveInt = z.coerce.number().int().positive()
/** What ends in a timer. A longer one than this fires at once: https://nodejs.org/api/timers.html */
const LONGEST_TIMER_MS = 2_147_483_647
const timerMs = z.coerce.number().int().min(0).max(LONGEST_TIMER_MS)
const positiveUsd = z.coerce.number().positive()
const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
/**
 * libpq's forms: with a server, or without one and the folder of its socket in `host`. A URL of the web cannot
 * hold a name before an empty host, so that gets node-postgres's own default, which `host` overrides.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
const postgresUrl = z
  .string()
  .transform((url) => url.replace(/^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)(?=[/:?]|$)/, '$1localhost'))
  .pipe(z.url({ protocol: /^postgres(ql)?$/ }))
const text = z.string().min(1)

const databaseVariables = {
  DATABASE_URL: postgresUrl.optional(),
  DATA_DIR: text.default('.data'),
}

const variables = z.object({
  HOST: text.default('0.0.0.0'),
  PORT: port.default(3000),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((value) => value.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
    .refine((parts) => parts.every(isAddressOrBlock), 'must be addresses or CIDR blocks with commas between'),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  ...databaseVariables,
  ENCRYPTION_KEY: z
    .string()
    .transform((value, context) => {
      const key = Buffer.from(value, 'base64')
      // Buffer.from drops what is not base64; written back it must be what was given.
      if (key.length === 32 && key.toString('base64').replace(/=+$/, '') === value.replace(/=+$/, ''))
        return key
      context.addIssue({ code: 'custom', message: 'must be 32 bytes in base64 (openssl rand -base64 32)' })
      return z.NEVER
    })
    .optional(),
  ADMIN_TOKEN: text.optional(),
  SESSION_SECRET: text,
  WHATSAPP_APP_SECRET: text,
  WHATSAPP_VERIFY_TOKEN: text,
  WHATSAPP_GRAPH_URL: httpUrl.default('https://graph.facebook.com'),
  WHATSAPP_GRAPH_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must look like v25.0')
    .default('v25.0'),
  ANTHROPIC_API_KEY: text.optional(),
  ANTHROPIC_BASE_URL: httpUrl.optional(),
  TRANSCRIBER_URL: httpUrl.optional(),
  TRANSCRIBER_API_KEY: text.optional(),
  TRANSCRIBER_MODEL: text.optional(),
  AGENT_MODEL: text.default('claude-haiku-5-5'),
  AGENT_MAX_STEPS: positiveInt.default(8),
  AGENT_MAX_INPUT_TOKENS: positiveInt.default(60_000),
  AGENT_MAX_COST_USD: positiveUsd.default(0.25),
  AGENT_MAX_DURATION_MS: timerMs.positive().default(60_000),
  AGENT_MAX_OUTPUT_TOKENS: positiveInt.default(2_048),
  TENANT_DAILY_COST_USD: positiveUsd.default(20),
  TOOL_TIMEOUT_MS: timerMs.positive().default(10_000),
  INBOUND_DEBOUNCE_MS: timerMs.default(1_500),
  WORKER_CONCURRENCY: positiveInt.default(10),
  METRICS_TOKEN: text.optional(),
})

/**
 * Reads the whole configuration.
 * @throws ConfigError naming the first variable that is missing or wrong.
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const values = parse(variables, env)
  if (values.ANTHROPIC_BASE_URL !== undefined && values.ANTHROPIC_API_KEY === undefined) {
    throw new ConfigError('ANTHROPIC_API_KEY: is required when ANTHROPIC_BASE_URL is set')
  }
  return {
    host: values.HOST,
    port: values.PORT,
    trustedProxies: values.TRUSTED_PROXIES,
    role: values.ROLE,
    logLevel: values.LOG_LEVEL,
    database: { url: values.DATABASE_URL ?? null, dataDir: values.DATA_DIR },
    encryptionKey: values.ENCRYPTION_KEY ?? null,
    adminToken: values.ADMIN_TOKEN ?? null,
    sessionSecret: values.SESSION_SECRET,
    whatsapp: {
      appSecret: values.WHATSAPP_APP_SECRET,
      verifyToken: values.WHATSAPP_VERIFY_TOKEN,
      graphUrl: values.WHATSAPP_GRAPH_URL,
      graphVersion: values.WHATSAPP_GRAPH_VERSION,
    },
    anthropic:
      values.ANTHROPIC_API_KEY === undefined
        ? null
        : { apiKey: values.ANTHROPIC_API_KEY, baseUrl: values.ANTHROPIC_BASE_URL ?? null },
    agent: {
      model: values.AGENT_MODEL,
      maxSteps: values.AGENT_MAX_STEPS,
      maxInputTokens: values.AGENT_MAX_INPUT_TOKENS,
      maxCostUsd: values.AGENT_MAX_COST_USD,
      maxDurationMs: values.AGENT_MAX_DURATION_MS,
      maxOutputTokens: values.AGENT_MAX_OUTPUT_TOKENS,
      tenantDailyCostUsd: values.TENANT_DAILY_COST_USD,
      toolTimeoutMs: values.TOOL_TIMEOUT_MS,
    },
    transcriber: transcriberOf(values),
    inboundDebounceMs: values.INBOUND_DEBOUNCE_MS,
    workerConcurrency: values.WORKER_CONCURRENCY,
    metricsToken: values.METRICS_TOKEN ?? null,
  }
}

/** `10.0.0.7`, `10.0.0.0/8`, `fd00::/8`. A block of all addresses would believe anybody. */
function isAddressOrBlock(part: string): boolean {
  const [address = '', bits, ...rest] = part.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128)
}

/** All three variables or none. */
function transcriberOf(values: z.infer<typeof variables>): Config['transcriber'] {
  const group = {
    TRANSCRIBER_URL: values.TRANSCRIBER_URL,
    TRANSCRIBER_API_KEY: values.TRANSCRIBER_API_KEY,
    TRANSCRIBER_MODEL: values.TRANSCRIBER_MODEL,
  }
  const { TRANSCRIBER_URL: url, TRANSCRIBER_API_KEY: apiKey, TRANSCRIBER_MODEL: model } = group
  if (url !== undefined && apiKey !== undefined && model !== undefined) return { url, apiKey, model }
  const given = Object.entries(group).find(([, value]) => value !== undefined)?.[0]
  const missing = Object.entries(group).find(([, value]) => value === undefined)?.[0]
  if (given === undefined) return null
  throw new ConfigError(`${missing}: is required when ${given} is set`)
}

/** What the commands that only touch the database need. @throws ConfigError */
export function loadDatabaseConfig(env: NodeJS.ProcessEnv): DatabaseConfig {
  const values = parse(z.object(databaseVariables), env)
  return { url: values.DATABASE_URL ?? null, dataDir: values.DATA_DIR }
}

/** The key that the tenant command encrypts channel tokens with, or null. @throws ConfigError */
export function loadEncryptionKey(env: NodeJS.ProcessEnv): Buffer | null {
  return parse(variables.pick({ ENCRYPTION_KEY: true }), env).ENCRYPTION_KEY ?? null
}

function parse<T extends z.ZodType>(schema: T, env: NodeJS.ProcessEnv): z.infer<T> {
  // `NAME=` in an .env file means "not set".
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const name = issue?.path.join('.') ?? 'environment'
  const missing = !(name in given)
  throw new ConfigError(`${name}: ${missing ? 'is required and not set' : (issue?.message ?? 'is invalid')}`)
}
