/**
 * The PostgreSQL that comes along, for a start without configuration.
 *
 * A folder holds one server: its data, its log, its passwords, a lock, and a lease of every process that
 * uses it. All that follows happens under the lock, so of two processes that start at once one starts the
 * server and the other adopts it.
 *
 * - start: a server that runs on the data folder already (left behind by a process killed with -9, or
 *   started by another one) is adopted; a `postmaster.pid` that names no such server is removed; else the
 *   server is started. It is a daemon of its own session, so Ctrl-C in a terminal does not end it before
 *   the process that uses it has drained.
 * - stop: gives the lease back, and stops the server when nobody else has one. Leases of dead processes
 *   do not count.
 *
 * As root the server runs as another user. When that user cannot enter the data folder's parents (a
 * checkout under a closed `/root`), the folder lies under the system's state folder instead, kept apart by
 * the path it stands for.
 */
import { access, constants, lstat, mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { InfrastructureError } from '../shared/app-error.ts'
import { findBinaries } from './embedded/binaries.ts'
import {
  type Cluster,
  ensureDataFolder,
  makeClusterFolder,
  runningPort,
  startServer,
  stopServer,
} from './embedded/cluster.ts'
import { ensureRoleAndDatabase, readCredentials, serverUrl } from './embedded/credentials.ts'
import { withFolderLock } from './embedded/folder-lock.ts'
import { isLeased, takeLease } from './embedded/leases.ts'
import { canEnter, serverUser } from './embedded/server-user.ts'
import { pathKey, stateRoot } from './embedded/state-root.ts'

export interface EmbeddedPostgresOptions {
  /** The server lives in `postgres` under this folder, relative to the working folder. */
  readonly dataDir: string
  /** Takes one line for each thing an operator should know; none holds a password. */
  readonly log: (line: string) => void
  /** What `stop` does with a server that nobody else uses: `stop` it (the default) or `leave` it running. */
  readonly onExit?: 'stop' | 'leave'
  /** Further server settings, `name=value`. */
  readonly settings?: readonly string[]
}

export interface EmbeddedPostgres {
  /** Of the plain role `agendou`, which owns the database and nothing more. */
  readonly url: string
  /** Of the superuser: for tests that make databases, never for the product. */
  readonly superuserUrl: string
  /** True when the server was running already. */
  readonly adopted: boolean
  /** Gives the server back; safe to call twice. */
  stop(): Promise<void>
}

/**
 * Starts or adopts the server of `dataDir`.
 * @throws InfrastructureError with one line that says what to do: package missing, data of another major
 *   version, folder of another user, server that does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, onExit = 'stop', settings = [] } = options
  const folder = await serverFolder(resolve(options.dataDir), log)
  return withFolderLock(folder, async () => {
    const cluster = await openCluster(folder, settings, log)
    const passwords = await readCredentials(folder)
    await ensureDataFolder(cluster, passwords.superuser)
    const found = await runningPort(cluster)
    if (found !== null) log(`adopted the PostgreSQL that runs on ${folder}, port ${found}`)
    const port = found ?? (await startServer(cluster))
    await ensureRoleAndDatabase(passwords, port)
    const giveBack = await takeLease(folder)
    let stopped: Promise<void> | null = null
    return {
      url: serverUrl('agendou', passwords, port),
      superuserUrl: serverUrl('postgres', passwords, port),
      adopted: found !== null,
      stop() {
        stopped ??= withFolderLock(folder, async () => {
          await giveBack()
          if (onExit === 'stop' && !(await isLeased(folder))) await stopServer(cluster)
        })
        return stopped
      },
    }
  })
}

/** Stops the server of `folder` (as {@link startEmbeddedPostgres} made it), whoever may use it. */
export async function stopAbandonedServer(folder: string, log: (line: string) => void): Promise<void> {
  await withFolderLock(folder, async () => stopServer(await openCluster(folder, [], log)))
}

async function openCluster(
  folder: string,
  settings: readonly string[],
  log: (line: string) => void,
): Promise<Cluster> {
  const home = join(folder, 'cluster')
  const as = await serverUser(join(home, 'data'), log)
  await makeClusterFolder(home, as)
  return { folder: await realpath(home), binaries: await findBinaries(as, log), as, settings }
}

async function serverFolder(dataDir: string, log: (line: string) => void): Promise<string> {
  const natural = join(dataDir, 'postgres')
  await makeWritable(natural)
  const as = await serverUser(join(natural, 'cluster', 'data'), log)
  const hasData = await lstat(join(natural, 'cluster', 'data')).then(
    () => true,
    () => false,
  )
  // Data that are there already stay where they are: the way to them may have been opened or closed since.
  if (hasData || (await canEnter(natural, as))) return natural
  const folder = join(await stateRoot(), `postgres-${pathKey(natural)}`)
  await mkdir(folder, { recursive: true })
  log(`PostgreSQL runs as another user than root, who cannot enter ${dataDir}: its data are in ${folder}`)
  return folder
}

async function makeWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (cause) {
    const message = `${folder} cannot be written: run as the user who owns it, or set DATA_DIR to another folder`
    throw new InfrastructureError('embedded_postgres_folder', message, { cause })
  }
}
