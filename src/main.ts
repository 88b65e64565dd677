import { loadConfig } from './config/config.ts'
import { readEnvironment } from './config/env-file.ts'
import { createContext } from './context.ts'
import { migrateDatabase, openDatabase } from './open-database.ts'
import { runCommand } from './run-command.ts'
import { startService } from './service.ts'
import { onStopSignal } from './stop-signal.ts'
import { waitForDatabase } from './wait-for-database.ts'

/** A database of the same system comes up within this, or something is wrong that a person has to look at. */
const DATABASE_WAIT_MS = 60_000

/**
 * `npm start`: one process of the product. A database that DATABASE_URL names must be migrated before
 * (`npm run db:migrate`); the embedded one is ours alone and is migrated here. One that is away is waited for.
 */
await runCommand(async (print) => {
  const stopAsked = onStopSignal()
  const config = loadConfig(readEnvironment())
  const database = await openDatabase(config.database, print)
  try {
    if (config.database.url === null) await migrateDatabase(database.url, print)
    const wait = { limitMs: DATABASE_WAIT_MS, stopAsked, print }
    if (!(await waitForDatabase(database.url, wait))) return
    const service = await startService(createContext(config, database.url))
    await stopAsked
    await service.stop()
  } finally {
    await database.close()
  }
})
