/** The one place that other folders import the database from; Prisma itself stays behind it. */
export {
  classifyDatabaseError,
  type DatabaseFailure,
} from './classify-database-error.ts'
export { connectionSettings } from './connection-settings.ts'
export type { PrismaClient } from './generated/client.ts'
export type * from './generated/models.ts'
export type { Reader, SystemReader, SystemTx, Tx } from './handles.ts'
export { applyMigrations, pendingMigrations } from './migrations.ts'
export {
  assertDatabaseFit,
  createPrismaClient,
  pingDatabase,
} from './prisma-client.ts'
export {
  emptySql,
  type JsonInput,
  joinSql,
  jsonInput,
  rawSql,
  type Sql,
  sql,
} from './sql.ts'
export type { SqlReader, SqlTx } from './sql-transaction.ts'
export {
  createTenantStore,
  type TenantFunction,
  type TenantStore,
  type TransactOptions,
} from './tenant-store.ts'
