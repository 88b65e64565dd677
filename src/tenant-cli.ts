import { loadDatabaseConfig, loadEncryptionKey } from './config/config.ts'
import { readEnvironment } from './config/env-file.ts'
import { createPrismaClient, createTenantStore, type TenantStore } from './db/index.ts'
import { migrateDatabase, openDatabase } from './open-database.ts'
import { runCommand } from './run-command.ts'
import { systemClock } from './shared/clock.ts'
import { runTenantCommand } from './tenancy/apply-tenant-cli.ts'

/** `npm run tenant -- apply FILE.json`, on DATABASE_URL or the embedded PostgreSQL. */
await runCommand(async (print) => {
  const env = readEnvironment()
  process.exitCode = await runTenantCommand({
    args: process.argv.slice(2),
    out: print,
    err: (line) => console.error(line),
    withStore: (work) => withStore(env, work),
    dependencies: () => ({ encryptionKey: loadEncryptionKey(env), clock: systemClock }),
  })
})

async function withStore<T>(env: NodeJS.ProcessEnv, work: (store: TenantStore) => Promise<T>): Promise<T> {
  const config = loadDatabaseConfig(env)
  const database = await openDatabase(config, (line) => console.error(line))
  try {
    // The embedded database is nobody's to migrate but ours; another one is migrated by db:migrate.
    if (config.url === null) await migrateDatabase(database.url, (line) => console.error(line))
    const prisma = createPrismaClient({ databaseUrl: database.url })
    try {
      return await work(createTenantStore({ prisma }))
    } finally {
      await prisma.$disconnect()
    }
  } finally {
    await database.close()
  }
}
