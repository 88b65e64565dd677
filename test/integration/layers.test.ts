import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const ROOT = process.cwd()

/** The product's own rules on a small tree in which an import is planted the wrong way. */
describe('the layer check', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agendou-layers-'))
    await cp(join(ROOT, '.dependency-cruiser.cjs'), join(folder, '.dependency-cruiser.cjs'))
    await cp(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    await plant('src/shared/leaf.ts', 'export type Leaf = string\n')
    await plant(
      'src/db/store.ts',
      "import type { Leaf } from '../shared/leaf.ts'\nexport type Store = Leaf\n",
    )
    await plant(
      'src/booking/book.ts',
      "import type { Store } from '../db/store.ts'\nexport type Book = Store\n",
    )
    await plant(
      'src/demo/main.ts',
      "import type { Book } from '../booking/book.ts'\nexport type Main = Book\n",
    )
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('passes a tree that keeps the order', async () => {
    expect(await violations()).toEqual([])
  })

  it.each([
    [
      'a lower folder imports a higher one',
      'src/shared/bad.ts',
      "import type { Store } from '../db/store.ts'",
      'layers-shared',
    ],
    [
      'siblings of one rank see each other',
      'src/conversations/bad.ts',
      "import type { Book } from '../booking/book.ts'",
      'layers-conversations',
    ],
    [
      'the product imports the demo',
      'src/http/bad.ts',
      "import type { Main } from '../demo/main.ts'",
      'demo-is-not-product',
    ],
    [
      'another folder than db imports Prisma',
      'src/booking/bad.ts',
      "import type { Prisma } from '@prisma/client'",
      'only-db-sees-prisma',
    ],
    [
      'a folder has no rank',
      'src/helpers/bad.ts',
      "import type { Leaf } from '../shared/leaf.ts'",
      'unknown-folder',
    ],
  ])('fails when %s', async (_what, path, line, rule) => {
    await plant(path, `${line}\nexport type Bad = typeof import.meta\n`)
    try {
      expect(await violations()).toContain(rule)
    } finally {
      await rm(join(folder, path))
    }
  })

  async function plant(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }

  /** Names of the rules that are broken, as the command of `npm run check:layers` tells; its exit code agrees. */
  async function violations(): Promise<string[]> {
    const args = [
      join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err',
      'src',
    ]
    try {
      await run(process.execPath, args, { cwd: folder })
      return []
    } catch (error) {
      if (!(error instanceof Error) || !('stdout' in error)) throw error
      return [...String(error.stdout).matchAll(/error (\S+):/g)].flatMap((match) => match[1] ?? [])
    }
  }
})
