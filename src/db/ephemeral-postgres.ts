import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processIdentity } from './embedded/process-identity.ts'
import { stateRoot } from './embedded/state-root.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres, stopAbandonedServer } from './embedded-postgres.ts'

/** Durability is given up for speed: the data end with the server. */
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=200',
  'autovacuum=off',
]

/**
 * A PostgreSQL for tests, in a folder of its own that `stop` removes. Servers of earlier runs whose
 * process is gone (killed with -9) are found by their folder, stopped and removed first.
 */
export async function startEphemeralPostgres(options: {
  readonly log: (line: string) => void
}): Promise<EmbeddedPostgres> {
  const root = join(await stateRoot(), 'ephemeral')
  await mkdir(root, { recursive: true })
  await sweep(root, options.log)
  const folder = await mkdtemp(join(root, `${process.pid}-`))
  // Made for this user alone, but the server may have to run as another one.
  await chmod(folder, 0o755)
  await writeFile(ownerFile(folder), processIdentity(process.pid) ?? '')
  const server = await startEmbeddedPostgres({ dataDir: folder, log: options.log, settings: SETTINGS })
  return {
    ...server,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function sweep(root: string, log: (line: string) => void): Promise<void> {
  for (const name of await readdir(root)) {
    const folder = join(root, name)
    const owner = await readFile(ownerFile(folder), 'utf8').catch(() => '')
    // Without the file yet, the folder is that of a process between two steps, named in the folder's name.
    const pid = Number.parseInt(owner === '' ? name : owner, 10)
    const identity = processIdentity(pid)
    if (identity !== null && (owner === '' || owner === identity)) continue
    const server = join(folder, 'postgres')
    const hasServer = await readdir(join(server, 'cluster', 'data')).catch(() => [])
    if (hasServer.length > 0) {
      log(`stopping the PostgreSQL that an earlier run left in ${folder}`)
      await stopAbandonedServer(server, log)
    }
    await rm(folder, { recursive: true, force: true })
  }
}

function ownerFile(folder: string): string {
  return join(folder, 'owner')
}
