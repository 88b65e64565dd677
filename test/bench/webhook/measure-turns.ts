import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { createContext } from '../../../src/context.ts'
import { tenantDocumentSchema } from '../../../src/contracts/tenant-document.ts'
import { demoTenant } from '../../../src/demo/demo-tenant.ts'
import { startService } from '../../../src/service.ts'
import { applyTenantDocument } from '../../../src/tenancy/apply-tenant-document.ts'
import { type BenchDatabase, benchConfig } from './bench-server.ts'
import { type TurnsPlan, turnsResult } from './load-plan.ts'

const SHAPE = { perSecond: 50, seconds: 20, warmUpSeconds: 3 }
const DEBOUNCE_MS = 1_500

/** The whole product, server and worker in one process as `npm start` runs it. */
export async function measureTurns(database: BenchDatabase): Promise<void> {
  const script = fileURLToPath(new URL('turns-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value))
  const { graphUrl } = z.object({ graphUrl: z.string() }).parse(await read())
  const config = benchConfig(database.url, {
    WHATSAPP_GRAPH_URL: graphUrl,
    INBOUND_DEBOUNCE_MS: String(DEBOUNCE_MS),
  })
  const context = createContext(config, database.url)
  // What the webhook measure left is of no number here.
  await context.store.unsafeTransact('bench', async (tx) => {
    await tx.$executeRaw`delete from graphile_worker._private_jobs`
    await tx.$executeRaw`delete from webhook_events`
  })
  await applyTenantDocument(context.store, tenantDocumentSchema.parse(demoTenant), {
    encryptionKey: config.encryptionKey,
    clock: context.clock,
  })
  const service = await startService(context)
  try {
    const plan: TurnsPlan = {
      ...SHAPE,
      url: `${service.address}/webhooks/whatsapp`,
      appSecret: config.whatsapp.appSecret,
      phoneNumberId: demoTenant.channel.phoneNumberId,
      debounceMs: DEBOUNCE_MS,
    }
    child.stdin.write(`${JSON.stringify(plan)}\n`)
    const { turns, answered, p50Ms, p99Ms } = turnsResult.parse(await read())
    console.log(`turns, ${SHAPE.perSecond} a second, ${turns} customers, past the debounce, no model time`)
    console.log(
      `  answered ${answered}, p50 ${p50Ms?.toFixed(0) ?? '—'} ms, p99 ${p99Ms?.toFixed(0) ?? '—'} ms`,
    )
  } finally {
    child.kill()
    await service.stop()
  }
}
