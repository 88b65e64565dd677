import { loadDatabaseConfig } from './config/config.ts'
import { readEnvironment } from './config/env-file.ts'
import { migrateDatabase, openDatabase } from './open-database.ts'
import { runCommand } from './run-command.ts'

/** `npm run db:migrate`: DATABASE_URL, or the embedded PostgreSQL without it. */
await runCommand(async (print) => {
  const database = await openDatabase(loadDatabaseConfig(readEnvironment()), print)
  try {
    const applied = await migrateDatabase(database.url, print)
    if (applied.length === 0) print('no migration is pending')
  } finally {
    await database.close()
  }
})
