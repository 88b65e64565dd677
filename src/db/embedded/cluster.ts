import { chown, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { InfrastructureError } from '../../shared/app-error.ts'
import type { PostgresBinaries } from './binaries.ts'
import { servesDataFolder } from './process-identity.ts'
import { type RunAs, runProgram } from './run-program.ts'

/** One data folder, the programs for it and the user that owns it. */
export interface Cluster {
  /** Holds `data` and `server.log`; belongs to the server's user. */
  readonly folder: string
  readonly binaries: PostgresBinaries
  readonly as: RunAs
  /** Extra settings, `name=value`. */
  readonly settings: readonly string[]
}

const STATE_POLL_MS = 50
const STATE_WAIT_MS = 60_000
const START_TRIES = 5

/**
 * Makes the data folder when there is none, with a superuser `postgres` of this password.
 * @throws InfrastructureError `embedded_postgres_version` when it was made by another major version.
 */
export async function ensureDataFolder(cluster: Cluster, superuserPassword: string): Promise<void> {
  const { folder, binaries, as } = cluster
  const data = join(folder, 'data')
  const found = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => null)
  if (found !== null) {
    if (Number.parseInt(found, 10) === binaries.majorVersion) return
    const message =
      `${data} was made by PostgreSQL ${found.trim()} and this is ${binaries.majorVersion}: ` +
      'move the folder away, or set DATABASE_URL to a server that holds its data'
    throw new InfrastructureError('embedded_postgres_version', message)
  }
  // Made beside and moved when complete: a process killed in between leaves nothing that looks finished.
  const draft = join(folder, 'data.new')
  const passwordFile = join(folder, 'password.tmp')
  await rm(draft, { recursive: true, force: true })
  await writeFile(passwordFile, superuserPassword, { mode: 0o600 })
  if (as !== null) await chown(passwordFile, as.uid, as.gid)
  const made = await runProgram(
    binaries.initdb,
    [
      `--pgdata=${draft}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The same order and case rules on every system, whatever locales it has.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      ...(cluster.settings.includes('fsync=off') ? ['--no-sync'] : []),
    ],
    { as, cwd: folder },
  )
  await rm(passwordFile, { force: true })
  if (made.code !== 0) {
    throw new InfrastructureError('embedded_postgres_initdb', `initdb failed: ${made.output}`)
  }
  await rename(draft, data)
}

/** The port of the server that runs on the data folder, once it takes connections; null when none runs. */
export async function runningPort({ folder }: Cluster): Promise<number | null> {
  const data = join(folder, 'data')
  const realData = await realpath(data)
  for (let waitedMs = 0; waitedMs < STATE_WAIT_MS; waitedMs += STATE_POLL_MS) {
    // https://www.postgresql.org/docs/current/storage-file-layout.html: pid, folder, start, port, …, state.
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
    const pid = Number.parseInt(lines[0] ?? '', 10)
    if (!servesDataFolder(pid, realData)) {
      // PostgreSQL looks only whether the number is taken by any process, and would refuse to start.
      await rm(join(data, 'postmaster.pid'), { force: true })
      return null
    }
    const port = Number.parseInt(lines[3] ?? '', 10)
    if (lines[7]?.trim() === 'ready' && port > 0) return port
    await delay(STATE_POLL_MS)
  }
  const message = `the PostgreSQL on ${data} neither starts nor stops: see ${join(folder, 'server.log')}`
  throw new InfrastructureError('embedded_postgres_stuck', message)
}

/** Starts the server on a free port of the loopback interface and gives the port. */
export async function startServer(cluster: Cluster): Promise<number> {
  let output = ''
  for (let attempt = 0; attempt < START_TRIES; attempt += 1) {
    const port = await freePort()
    const started = await pgCtl(
      cluster,
      ['start', '-w', '-t', '60', '-l', join(cluster.folder, 'server.log')],
      port,
    )
    if (started.code === 0) return port
    output = started.output
    // Somebody took the port in between, or workers of a server killed with -9 still hold its memory.
    await delay(100 * (attempt + 1))
  }
  const message = `PostgreSQL does not start: ${output} (see ${join(cluster.folder, 'server.log')})`
  throw new InfrastructureError('embedded_postgres_start', message)
}

/** Stops the server: open transactions are rolled back, everything committed is on disk. */
export async function stopServer(cluster: Cluster): Promise<void> {
  if ((await runningPort(cluster)) === null) return
  const stopped = await pgCtl(cluster, ['stop', '-m', 'fast', '-w', '-t', '60'])
  if (stopped.code !== 0 && (await runningPort(cluster)) !== null) {
    throw new InfrastructureError('embedded_postgres_stop', `PostgreSQL does not stop: ${stopped.output}`)
  }
}

/** Makes the folder of a cluster, given to the server's user. */
export async function makeClusterFolder(folder: string, as: RunAs): Promise<void> {
  await mkdir(folder, { recursive: true })
  if (as !== null) await chown(folder, as.uid, as.gid)
}

function pgCtl(cluster: Cluster, args: readonly string[], port?: number) {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...cluster.settings]
  const options = [`-p ${port}`, ...settings.map((setting) => `-c ${setting}`)].join(' ')
  return runProgram(
    cluster.binaries.pgCtl,
    ['-D', join(cluster.folder, 'data'), ...(port === undefined ? [] : ['-o', options]), ...args],
    { as: cluster.as, cwd: cluster.folder },
  )
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port)
        else reject(new Error('no port'))
      })
    })
  })
}
