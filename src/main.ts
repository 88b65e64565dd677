import { loadConfig } from './config/config.ts'
import { readEnvironment } from './config/env-file.ts'
import { createContext } from './context.ts'
import { assertDatabaseFit } from './db/prisma-client.ts'
import { migrateDatabase, openDatabase } from './open-database.ts'
import { runCommand } from './run-command.ts'
import { startService } from './service.ts'
import { onStopSignal } from './stop-signal.ts'

/**
 * `npm start`: one process of the product. A database that DATABASE_URL names must be migrated before
 * (`npm run db:migrate`); the embedded one is ours alone and is migrated here.
 */
await runCommand(async (print) => {
  const stopAsked = onStopSignal()
  const config = loadConfig(readEnvironment())
  const database = await openDatabase(config.database, print)
  try {
    if (config.database.url === null) await migrateDatabase(database.url, print)
    await assertDatabaseFit(database.url)
    const service = await startService(createContext(config, database.url))
    await stopAsked
    await service.stop()
  } finally {
    await database.close()
  }
})
