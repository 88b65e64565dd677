import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { withSchemaEngine } from '../../src/db/schema-engine.ts'

const PRISMA_FOLDER = fileURLToPath(new URL('../../prisma/', import.meta.url))

/**
 * The SQL that would turn the database into what `schema.prisma` says; empty text when both say the same.
 * What Prisma cannot express (checks, policies, exclusion constraints, partial indexes) is not compared.
 */
export async function diffSchema(databaseUrl: string): Promise<string> {
  const path = `${PRISMA_FOLDER}schema.prisma`
  const files = [{ path, content: await readFile(path, 'utf8') }]
  const result = await withSchemaEngine(databaseUrl, '', (engine) =>
    engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: PRISMA_FOLDER },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  )
  const sql = result.stdout ?? ''
  return sql.includes('-- This is an empty migration.') ? '' : sql.trim()
}
