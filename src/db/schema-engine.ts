/**
 * Prisma's own schema engine, as WebAssembly: it runs without the native binary, which would have to be
 * downloaded. Its entry module needs `--experimental-wasm-modules`, so the `.wasm` beside it is
 * instantiated by hand.
 *
 * Two things of the adapter for node-postgres are mended, because they break migrations:
 *
 * - It splits a script at every `;`, also inside a function's body, and runs the pieces one by one. Here a
 *   script goes to the server as one simple query, which PostgreSQL runs in one transaction.
 * - It does not know the type "char", in which the engine asks for kinds and actions of constraints as soon as there
 *   is a foreign key, a check, an exclusion or (PostgreSQL 18) a not-null constraint.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  DriverAdapterError,
} from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import { DatabaseError, Pool } from 'pg'
import { unlimitedConnectionSettings } from './connection-settings.ts'

// Node has it; the type is only in TypeScript's DOM library.
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Readonly<Record<string, object>>,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>
}

type EngineModule = typeof import('@prisma/schema-engine-wasm/schema_engine_bg')

let loading: Promise<EngineModule> | null = null

/**
 * Runs `work` with an engine on the database. `beforeCommit` is SQL that runs in the same transaction as
 * each script, after it.
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  beforeCommit: string,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  loading ??= load()
  const { SchemaEngine: Engine } = await loading
  // Freeing the engine does not close the connections of its adapter, so the pool is ours to end.
  const pool = new Pool({ ...unlimitedConnectionSettings(databaseUrl), max: 2 })
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new MigrationPg(pool, beforeCommit))
    const engine = await Engine.new({ datamodels: undefined }, () => undefined, adapter)
    try {
      return await work(engine)
    } finally {
      engine.free()
    }
  } finally {
    await pool.end()
  }
}

async function load(): Promise<EngineModule> {
  const name = '@prisma/schema-engine-wasm/schema_engine_bg'
  const module: EngineModule = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const folder = dirname(createRequire(import.meta.url).resolve(name))
  const bytes = await readFile(join(folder, 'schema_engine_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': module })
  module.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return module
}

/** The columns of type "char" that the engine selects when it describes constraints and foreign keys. */
const CHAR_COLUMNS = /\bconstr\.contype(?= AS)|\bcon\.conf(?:del|upd)type(?=,)/g
const CHAR_RESULTS = new Set(['constraint_type', 'confdeltype', 'confupdtype'])

class MigrationPg extends PrismaPg {
  readonly #pool: Pool
  readonly #beforeCommit: string

  constructor(pool: Pool, beforeCommit: string) {
    super(pool)
    this.#pool = pool
    this.#beforeCommit = beforeCommit
  }

  override async connect() {
    const adapter = await super.connect()
    const queryRaw = adapter.queryRaw.bind(adapter)
    adapter.queryRaw = async (query) => {
      const castSql = query.sql.replace(CHAR_COLUMNS, '$&::text')
      const result = await queryRaw({ ...query, sql: castSql })
      if (castSql === query.sql) return result
      const columnTypes = result.columnTypes.map((type, index) =>
        CHAR_RESULTS.has(result.columnNames[index] ?? '') ? ColumnTypeEnum.Character : type,
      )
      return { ...result, columnTypes }
    }
    adapter.executeScript = (script) => runScript(this.#pool, `${script}\n;${this.#beforeCommit}`)
    return adapter
  }
}

async function runScript(pool: Pool, script: string): Promise<void> {
  try {
    await pool.query(script)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    // Without the detail, which may hold values of rows.
    throw new DriverAdapterError({
      kind: 'postgres',
      code: error.code ?? 'XX000',
      severity: error.severity ?? 'ERROR',
      message: error.message,
      detail: undefined,
      column: error.column,
      hint: error.hint,
    })
  }
}
