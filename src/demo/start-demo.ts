import { join } from 'node:path'
import { Client } from 'pg'
import type { Config } from '../config/config.ts'
import { type Context, createContext } from '../context.ts'
import { tenantDocumentSchema } from '../contracts/tenant-document.ts'
import { startEphemeralPostgres } from '../db/ephemeral-postgres.ts'
import { assertDatabaseFit } from '../db/prisma-client.ts'
import { migrateDatabase, type OpenDatabase, openDatabase } from '../open-database.ts'
import { type Service, startService } from '../service.ts'
import { AppError } from '../shared/app-error.ts'
import { applyTenantDocument } from '../tenancy/apply-tenant-document.ts'
import { buildDashboard } from './build-dashboard.ts'
import { demoConfig } from './demo-config.ts'
import { DEMO_PHONE_NUMBER_ID, DEMO_WABA_ID, demoTenant } from './demo-tenant.ts'
import { startLoopbackGraphApi } from './graph-api.ts'
import type { LoopbackGraphApi } from './graph-api-types.ts'
import { createSimulator } from './simulator/simulator.ts'
import type { Simulator } from './simulator/simulator-contract.ts'

export interface Demo {
  readonly address: string
  readonly config: Config
  readonly context: Context
  readonly simulator: Simulator
  /** What stands in for WhatsApp's servers. */
  readonly graph: LoopbackGraphApi
  stop(): Promise<void>
}

/**
 * The whole product with no configuration: its database, its server and worker as they are, the demo tenant,
 * and in place of WhatsApp a phone of our own that speaks Meta's protocol over loopback.
 * @param options.once an instance of its own beside a demo that may run already: any free port.
 */
export async function startDemo(
  env: NodeJS.ProcessEnv,
  options: { once: boolean; print: (line: string) => void },
): Promise<Demo> {
  const { once, print } = options
  const closers: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  }
  try {
    if (!once) await buildDashboard(print)
    const graph = await startLoopbackGraphApi({ phoneNumberIds: [DEMO_PHONE_NUMBER_ID] })
    closers.push(() => graph.close())
    const config = await demoConfig(env, { graphUrl: graph.url, ...(once ? { port: 0 } : {}) })
    const database = await ownDatabase(config, once, print)
    closers.push(() => database.close())
    await migrateDatabase(database.url, print)
    await assertDatabaseFit(database.url)
    const context = createContext(config, database.url)
    const { encryptionKey } = config
    await applyTenantDocument(context.store, tenantDocumentSchema.parse(demoTenant), {
      encryptionKey,
      clock: context.clock,
    })
    const { service, simulator } = await serve(context, graph)
    closers.push(
      () => service.stop(),
      () => simulator.close(),
    )
    return { address: service.address, config, context, simulator, graph, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The simulator posts to the address that the server gets, which is known only once it listens. */
async function serve(
  context: Context,
  graph: LoopbackGraphApi,
): Promise<{ service: Service; simulator: Simulator }> {
  const address = { webhook: '' }
  const simulator = createSimulator({
    webhookUrl: () => address.webhook,
    appSecret: context.config.whatsapp.appSecret,
    phoneNumberId: DEMO_PHONE_NUMBER_ID,
    wabaId: DEMO_WABA_ID,
    displayPhoneNumber: demoTenant.channel.displayPhoneNumber,
    businessName: demoTenant.name,
    graph,
  })
  const service = await startService(context, {
    extraPlugins: [
      async (app) => {
        await app.register(simulator.plugin)
      },
    ],
  })
  address.webhook = `${service.address}/webhooks/whatsapp`
  return { service, simulator }
}

/** Any number; held for as long as a demo uses a database. */
const DEMO_LOCK = 730_211_019

/**
 * The database of the configuration, held for this demo alone: the worker of another one would send this
 * one's messages to its own simulated phone. One that plays once then takes a database for itself.
 */
async function ownDatabase(
  config: Config,
  once: boolean,
  print: (line: string) => void,
): Promise<OpenDatabase> {
  const database = await openDatabase(config.database, print)
  const release = await tryHold(database.url)
  if (release !== null) {
    return {
      url: database.url,
      close: async () => {
        await release()
        await database.close()
      },
    }
  }
  await database.close()
  if (!once) {
    throw new AppError(
      'demo_running',
      `another demo uses ${where(config)}: stop it, or set DATA_DIR to another folder`,
    )
  }
  print('Another demo is running; playing on a database of its own.')
  const own = await startEphemeralPostgres({ log: print })
  return { url: own.url, close: () => own.stop() }
}

function where(config: Config): string {
  return config.database.url === null
    ? join(config.database.dataDir, 'postgres')
    : 'the database of DATABASE_URL'
}

async function tryHold(databaseUrl: string): Promise<(() => Promise<void>) | null> {
  const client = new Client({ connectionString: databaseUrl })
  // A server that goes away takes the lock with it; whoever needs the database will say so.
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
    DEMO_LOCK,
  ])
  if (rows[0]?.held === true) return () => client.end()
  await client.end()
  return null
}
