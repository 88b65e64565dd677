import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXIT, runTenantCommand } from '../../src/tenancy/apply-tenant-cli.ts'
import { getTenantDocument } from '../../src/tenancy/apply-tenant-document.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createTestClock, studioDocument, TEST_ENCRYPTION_KEY } from '../support/factories.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'agendou-tenant-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await database.close()
})

async function run(args: readonly string[]) {
  const out: string[] = []
  const err: string[] = []
  let opened = false
  const exitCode = await runTenantCommand({
    args,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    withStore: (work) => {
      opened = true
      return work(database.store)
    },
    dependencies: () => ({ encryptionKey: TEST_ENCRYPTION_KEY, clock: createTestClock() }),
  })
  return { exitCode, out, err, opened }
}

async function fileOf(content: string): Promise<string> {
  const file = join(folder, `${Math.random()}.json`)
  await writeFile(file, content)
  return file
}

describe('the tenant command', () => {
  it('applies two documents from files and says each in one line', async () => {
    for (const input of [studioDocument(), studioDocument()]) {
      const { exitCode, out, err } = await run(['apply', await fileOf(JSON.stringify(input))])
      expect({ exitCode, err }).toEqual({ exitCode: EXIT.done, err: [] })
      expect(out).toEqual([
        `applied ${String(input['slug'])} (Studio Aurora): 2 service(s), 2 professional(s), 0 of the staff`,
      ])
      expect(await getTenantDocument(database.store, String(input['slug']))).not.toBeNull()
    }
  })

  it('names every path that is wrong, and does not even open the database', async () => {
    const input = studioDocument({ timeZone: 'Nowhere', services: [{ key: 'corte', name: 'Corte' }] })
    const { exitCode, err, opened } = await run(['apply', await fileOf(JSON.stringify(input))])
    expect(exitCode).toBe(EXIT.invalidDocument)
    expect(opened).toBe(false)
    expect(err.join('\n')).toContain('  timeZone: ')
    expect(err.join('\n')).toContain('  services.0.durationMinutes: ')
  })

  it('says what is wrong with the file or the call', async () => {
    expect(await run(['apply', join(folder, 'absent.json')])).toMatchObject({ exitCode: EXIT.failed })
    expect(await run(['apply', await fileOf('{')])).toMatchObject({ exitCode: EXIT.invalidDocument })
    for (const args of [[], ['apply'], ['remove', 'x'], ['apply', 'a', 'b']]) {
      expect(await run(args)).toMatchObject({ exitCode: EXIT.usage })
    }
  })
})
