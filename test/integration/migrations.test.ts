import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { applyMigrations, assertDatabaseFit } from '../../src/db/index.ts'
import { pendingMigrations } from '../../src/db/migrations.ts'
import { createTestDatabase, runAsSuperuser, type TestDatabase } from '../support/database.ts'
import { diffSchema } from '../support/diff-schema.ts'

const PRISMA_FOLDER = new URL('../../prisma/', import.meta.url).pathname
const log = () => undefined

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
  folder = await mkdtemp(join(tmpdir(), 'agendou-migrations-'))
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

describe('the migrations', () => {
  it('give what schema.prisma says, what Prisma cannot express aside', async () => {
    await applyMigrations(database.url, { log })
    // To Prisma the expression of a generated column is a default.
    const generated = 'ALTER TABLE "reservations" ALTER COLUMN "blocked" DROP DEFAULT;'
    const statements = (await diffSchema(database.url)).split('\n').filter((line) => !/^(--.*)?$/.test(line))
    expect(statements.filter((statement) => statement !== generated)).toEqual([])
  })

  it('are seen to differ when they do', async () => {
    await applyMigrations(database.url, { log })
    await query('alter table customers drop column phone cascade, add column fax text')
    const sql = await diffSchema(database.url)
    expect(sql).toContain('DROP COLUMN "fax"')
    expect(sql).toContain('ADD COLUMN     "phone"')
  })

  it('applied again change nothing', async () => {
    const names = await pendingMigrations(database.url)
    expect(names.length).toBeGreaterThan(0)
    expect(await applyMigrations(database.url, { log })).toEqual(names)
    expect(await applyMigrations(database.url, { log })).toEqual([])
    expect(await pendingMigrations(database.url)).toEqual([])
  })

  it('applied by two processes at once are applied once, and both succeed', async () => {
    const results = await Promise.all([
      migrateInProcess(),
      migrateInProcess(),
      applyMigrations(database.url, { log }),
    ])
    const [first, second, own] = results
    expect([first, second]).toMatchObject([{ code: 0 }, { code: 0 }])
    expect(Array.isArray(own)).toBe(true)
    const rows = await query('select migration_name from _prisma_migrations group by 1 having count(*) > 1')
    expect(rows).toEqual([])
    expect(await pendingMigrations(database.url)).toEqual([])
  })

  it('need no more than a plain role that owns the database', async () => {
    await applyMigrations(database.url, { log })
    const rows = await query(
      'select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user',
    )
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false }])
  })

  it('protect every table that has a tenant by a policy that its owner obeys too', async () => {
    await applyMigrations(database.url, { log })
    const open = await query(`select relname from pg_class c
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> '_prisma_migrations'
        and not (relrowsecurity and relforcerowsecurity
          and exists (select from pg_policy where polrelid = c.oid))`)
    expect(open).toEqual([])
  })
})

describe('a migration', () => {
  it('is one transaction, with functions and semicolons left whole; a failure leaves nothing and can be repeated', async () => {
    await copyWith(
      '30000101000000_broken',
      `create table half (id int);
       create function two() returns int language plpgsql as $$ begin perform 1; return 2; end $$;
       select 1 / 0;`,
    )
    const failed = applyMigrations(database.url, { log, prismaFolder: folder })
    await expect(failed).rejects.toMatchObject({
      code: 'migration_failed',
      message: /30000101000000_broken.*zero/,
    })
    expect(await query(`select to_regclass('half')::text as half`)).toEqual([{ half: null }])
    await copyWith(
      '30000101000000_broken',
      'create function two() returns int language sql as $$ select 2; $$;',
    )
    expect(await applyMigrations(database.url, { log, prismaFolder: folder })).toEqual([
      '30000101000000_broken',
    ])
    expect(await query('select two()')).toEqual([{ two: 2 }])
  })

  it('whose process was killed after its commit counts as applied, before it as not applied', async () => {
    const names = await applyMigrations(database.url, { log })
    const last = names.at(-1) ?? ''
    await query('update _prisma_migrations set finished_at = null where migration_name = $1', [last])
    expect(await applyMigrations(database.url, { log })).toEqual([])
    expect(await pendingMigrations(database.url)).toEqual([])
    await copyWith('30000101000000_next', 'create table next (id int)')
    await query(`insert into _prisma_migrations (id, checksum, migration_name)
      values (gen_random_uuid(), '', '30000101000000_next')`)
    expect(await applyMigrations(database.url, { log, prismaFolder: folder })).toEqual([
      '30000101000000_next',
    ])
  })
})

describe('the check at start', () => {
  it('names what is wrong and how to mend it: pending migrations, superuser, BYPASSRLS', async () => {
    await expect(assertDatabaseFit(database.url)).rejects.toThrow(/not applied.*npm run db:migrate/)
    await applyMigrations(database.url, { log })
    await assertDatabaseFit(database.url)
    await expect(assertDatabaseFit(database.superuserUrl)).rejects.toThrow(/superuser.*plain role/)
    const role = new URL(database.url).username
    await runAsSuperuser(`alter role ${role} bypassrls`)
    await expect(assertDatabaseFit(database.url)).rejects.toThrow(/NOBYPASSRLS/)
    await runAsSuperuser(`alter role ${role} nobypassrls`)
  })

  it('names a session zone other than UTC', async () => {
    // What is left of the connection when a pooler drops the start-up options.
    const zoned = new URL(database.url)
    zoned.searchParams.set('options', '-c search_path=public')
    await applyMigrations(zoned.href, { log })
    await assertDatabaseFit(zoned.href)
    const pooler = await startOptionDroppingProxy(database.url)
    await query(`alter role current_user set timezone to 'America/Sao_Paulo'`)
    await expect(assertDatabaseFit(pooler.url)).rejects.toThrow(
      /America.Sao_Paulo and must be UTC.*ALTER ROLE/,
    )
    await query(`alter role current_user reset timezone`)
    pooler.close()
  })
})

async function query(text: string, values: readonly string[] = []): Promise<unknown[]> {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows
  } finally {
    await client.end()
  }
}

/** The product's migrations and one more, in the test's own folder. */
async function copyWith(name: string, script: string): Promise<void> {
  await cp(PRISMA_FOLDER, folder, { recursive: true })
  await mkdir(join(folder, 'migrations', name), { recursive: true })
  await writeFile(join(folder, 'migrations', name, 'migration.sql'), script)
}

function migrateInProcess(): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/migrate-cli.ts'], {
      env: { ...process.env, DATABASE_URL: database.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.on('close', (code) => resolve({ code, output }))
  })
}

/** A loopback proxy that blanks the start-up options, as connection poolers do. */
async function startOptionDroppingProxy(databaseUrl: string): Promise<{ url: string; close(): void }> {
  const target = new URL(databaseUrl)
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    client.once('data', (startup) => {
      const kept = startup.toString('latin1').replace('-c timezone=UTC', '               ')
      upstream.write(Buffer.from(kept, 'latin1'))
      client.pipe(upstream).pipe(client)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0)
  return { url: url.href, close: () => server.close() }
}
