import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { loadDatabaseConfig } from '../../src/config/config.ts'
import { pathKey } from '../../src/db/embedded/state-root.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts'
import { startEphemeralPostgres } from '../../src/db/ephemeral-postgres.ts'
import { assertDatabaseFit, createPrismaClient } from '../../src/db/prisma-client.ts'
import { migrateDatabase, openDatabase } from '../../src/open-database.ts'

const announcement = z.object({ url: z.string(), adopted: z.boolean() })
const isRoot = process.getuid?.() === 0

let dataDir: string
let lines: string[]
let started: EmbeddedPostgres[]
let children: ChildProcess[]
const log = (line: string) => lines.push(line)

beforeEach(async () => {
  lines = []
  started = []
  children = []
  dataDir = await mkdtemp(join(tmpdir(), 'agendou-embedded-'))
  await chmod(dataDir, 0o755)
})
afterEach(async () => {
  await Promise.all(children.filter((child) => child.exitCode === null && child.signalCode === null).map(end))
  await Promise.all(started.map((server) => server.stop()))
  await rm(dataDir, { recursive: true, force: true })
})

describe('the embedded server', () => {
  it('gives a plain role that owns its database and may create btree_gist, on the loopback interface alone', async () => {
    const server = await start()
    expect(await query(server.url, 'create extension btree_gist')).toEqual([])
    const [facts] = await query(
      server.url,
      `select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
        current_setting('listen_addresses') as listens,
        current_setting('password_encryption') as passwords, current_setting('server_encoding') as encoding
       from pg_roles where rolname = current_user`,
    )
    expect(facts).toEqual({
      rolname: 'agendou',
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      listens: '127.0.0.1',
      passwords: 'scram-sha-256',
      encoding: 'UTF8',
    })
    await server.stop()
  })

  it('keeps its data over a stop and a start, and its passwords in a file of the owner alone', async () => {
    const first = await start()
    await query(first.url, `create table kept as select 'here' as what`)
    await first.stop()
    await first.stop()
    expect((await stat(join(dataDir, 'postgres', 'passwords.json'))).mode & 0o777).toBe(0o600)
    const second = await start()
    expect(second.adopted).toBe(false)
    expect(await query(second.url, 'select what from kept')).toEqual([{ what: 'here' }])
    await second.stop()
    for (const line of lines) expect(line).not.toContain(new URL(first.url).password)
  })

  it('refuses the data of another major version, and says what to do', async () => {
    await mkdir(join(dataDir, 'postgres', 'cluster', 'data'), { recursive: true })
    await writeFile(join(dataDir, 'postgres', 'cluster', 'data', 'PG_VERSION'), '12\n')
    const attempt = start()
    await expect(attempt).rejects.toMatchObject({
      message: /PostgreSQL 12 and this is \d+: move .* or set DATABASE_URL/,
    })
  })
})

describe('a process killed with -9', () => {
  it('leaves a server that the next start adopts, with the data, and stops when it is done', async () => {
    const child = startChild(dataDir)
    const { url } = await child.announced
    await query(url, `create table kept as select 'here' as what`)
    await kill(child.process)
    const next = await start()
    expect(next).toMatchObject({ adopted: true, url })
    expect(await query(next.url, 'select what from kept')).toEqual([{ what: 'here' }])
    await next.stop()
    await expect(query(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  })

  it('together with its server leaves a postmaster.pid that does not stop the next start', async () => {
    const child = startChild(dataDir)
    const { url } = await child.announced
    await kill(child.process)
    process.kill(await serverPid(dataDir), 'SIGKILL')
    await vi.waitFor(() => expect(query(url, 'select 1')).rejects.toThrow(), { timeout: 10_000 })
    const next = await start()
    expect(next.adopted).toBe(false)
    await next.stop()
  })

  it('leaves an ephemeral server that the next ephemeral start stops and removes', async () => {
    const child = startChild()
    const { url } = await child.announced
    await kill(child.process)
    const [row] = await query(url, `select 1 as alive`)
    expect(row).toEqual({ alive: 1 })
    const next = await start(startEphemeralPostgres({ log }))
    await expect(query(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
    const folder = lines.map((line) => /left in (\S+)/.exec(line)?.[1]).find((found) => found !== undefined)
    await expect(lstat(folder ?? '')).rejects.toThrow(/ENOENT/)
    await next.stop()
  })
})

describe('a postmaster.pid of another process', () => {
  it('is removed when that process is no server of this folder', async () => {
    await (await start()).stop()
    const data = join(dataDir, 'postgres', 'cluster', 'data')
    await writeFile(
      join(data, 'postmaster.pid'),
      `${process.pid}\n${data}\n1\n5432\n\n127.0.0.1\n\nready   \n`,
    )
    const server = await start()
    expect(server.adopted).toBe(false)
    await server.stop()
  })
})

describe('two processes that start at once', () => {
  it('share one server, which ends with the last of them', async () => {
    const processes = [startChild(dataDir), startChild(dataDir), startChild(dataDir)]
    const told = await Promise.all(processes.map((child) => child.announced))
    expect(new Set(told.map((one) => one.url)).size).toBe(1)
    expect(told.filter((one) => !one.adopted)).toHaveLength(1)
    const url = told[0]?.url ?? ''
    const [first, second, third] = processes
    await end(first?.process)
    expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }])
    await end(second?.process)
    await end(third?.process)
    await expect(query(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  })
})

describe('a server that listens on a socket in a folder', () => {
  it('is migrated, found fit and used, with and without a name before the empty host', async () => {
    const settings = [`unix_socket_directories=${dataDir}`]
    await chmod(dataDir, 0o777)
    const server = await start(startEmbeddedPostgres({ dataDir, log, settings }))
    const { username, password, port, pathname } = new URL(server.url)
    const where = `host=${encodeURIComponent(dataDir)}&port=${port}`
    for (const given of [
      `postgresql://${username}:${password}@${pathname}?${where}`,
      `postgresql://${pathname}?${where}&user=${username}&password=${password}`,
      `postgres://${username}:${password}@:${port}${pathname}?host=${dataDir}&options=-c%20work_mem%3D8MB`,
      `postgres://${username}:${password}@${encodeURIComponent(dataDir)}:${port}${pathname}`,
    ]) {
      const { url } = await openDatabase(loadDatabaseConfig({ DATABASE_URL: given }), log)
      await migrateDatabase(url, log)
      await assertDatabaseFit(url)
      const prisma = createPrismaClient({ databaseUrl: url })
      expect(await prisma.$queryRaw`select inet_server_addr() as address`).toEqual([{ address: null }])
      await prisma.$disconnect()
    }
    await server.stop()
  })
})

describe.runIf(isRoot)('as root', () => {
  it('runs the server as another user, and moves the data when that user cannot enter the folder', async () => {
    const closed = join(dataDir, 'closed')
    await mkdir(closed, { mode: 0o700 })
    const server = await start(startEmbeddedPostgres({ dataDir: join(closed, '.data'), log }))
    const folder = lines
      .map((line) => /its data are in (\S+)/.exec(line)?.[1])
      .find((found) => found !== undefined)
    expect(folder).toContain(pathKey(join(closed, '.data', 'postgres')))
    expect((await stat(join(folder ?? '', 'cluster', 'data'))).uid).not.toBe(0)
    expect(await query(server.url, 'select 1 as alive')).toEqual([{ alive: 1 }])
    await server.stop()
    await rm(folder ?? '', { recursive: true })
  })
})

async function start(starting = startEmbeddedPostgres({ dataDir, log })): Promise<EmbeddedPostgres> {
  const server = await starting
  started.push(server)
  return server
}

interface Child {
  readonly process: ChildProcess
  readonly announced: Promise<z.infer<typeof announcement>>
}

function startChild(...args: string[]): Child {
  const script = ['--import', 'tsx', 'test/support/embedded-child.ts']
  const child = spawn(process.execPath, [...script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const announced = once(createInterface(child.stdout), 'line').then(([line]) =>
    announcement.parse(JSON.parse(z.string().parse(line))),
  )
  return { process: child, announced }
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined) throw new Error('no such child')
  const gone = once(child, 'exit')
  child.stdin?.end()
  expect(await gone).toEqual([0, null])
}

async function serverPid(dir: string): Promise<number> {
  const text = await readFile(join(dir, 'postgres', 'cluster', 'data', 'postmaster.pid'), 'utf8')
  return Number.parseInt(text, 10)
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
