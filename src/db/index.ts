/** The one place that other folders import the database from; Prisma itself stays behind it. */
export { classifyDatabaseError } from './classify-database-error.ts'
export { connectionSettings } from './connection-settings.ts'
export type * from './generated/models.ts'
export type { Reader, SystemReader, SystemTx, Tx } from './handles.ts'
export { type Listener, listen } from './listen.ts'
export { applyMigrations } from './migrations.ts'
export {
  assertDatabaseFit,
  createPrismaClient,
  pingDatabase,
} from './prisma-client.ts'
export {
  conversationColumns,
  emptySql,
  type JsonInput,
  joinSql,
  jsonInput,
  nullableJsonInput,
  rawSql,
  type Sql,
  sql,
} from './sql.ts'
export type { SqlReader, SqlTx } from './sql-transaction.ts'
export { openSystemSql, type SystemSql } from './system-sql.ts'
export {
  createTenantStore,
  type TenantStore,
} from './tenant-store.ts'
