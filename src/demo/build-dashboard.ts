import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCES = ['../dashboard', '../contracts'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
const CONFIG = fileURLToPath(new URL('../dashboard/vite.config.ts', import.meta.url))
const BUILT = fileURLToPath(new URL('../../dist/dashboard/index.html', import.meta.url))

/** Builds the dashboard into `dist/dashboard`, unless what is there is newer than its sources. */
export async function buildDashboard(print: (line: string) => void): Promise<void> {
  const builtAt = await modifiedAt(BUILT)
  if (builtAt > (await newestOf(SOURCES))) return
  print('Building the dashboard …')
  const { build } = await import('vite')
  await build({ configFile: CONFIG, logLevel: 'warn' })
}

async function newestOf(folders: readonly string[]): Promise<number> {
  const times = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile())
      const all = await Promise.all(files.map((file) => modifiedAt(join(file.parentPath, file.name))))
      return Math.max(0, ...all)
    }),
  )
  return Math.max(...times)
}

/** Epoch milliseconds; 0 when there is no such file. */
async function modifiedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs
  } catch {
    return 0
  }
}
