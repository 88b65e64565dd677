import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { migrateQueue } from '../../src/queue/migrate-queue.ts'
import { waitForDatabase } from '../../src/wait-for-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createTwoTenants } from '../support/factories.ts'
import { spawnProduct } from '../support/product-process.ts'
import { silentLog, WAIT } from '../support/queue-harness.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

const AWAY = 'DATABASE_URL: cannot connect to the database: connect ECONNREFUSED'
const never = new Promise<void>(() => undefined)

describe('a process that starts while its database is away', () => {
  let database: TestDatabase
  let proxy: TcpProxy
  const children: ChildProcess[] = []

  beforeAll(async () => {
    database = await createTestDatabase()
    await migrateQueue({ databaseUrl: database.url, log: silentLog })
    await createTwoTenants(database.store)
    proxy = await startTcpProxy(database.url)
  })
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  })
  afterAll(async () => {
    await proxy.close()
    await database.close()
  })

  it('waits, a line a try, and is up when the database is', async () => {
    await proxy.cut()
    const { child, output } = start()
    await expect.poll(output, WAIT).toMatch(/trying again in 1 s/)
    expect(output().split('\n')[0]).toContain(AWAY)
    expect(child.exitCode).toBeNull()
    await proxy.mend()
    await expect.poll(output, WAIT).toMatch(/"listening":/)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('ends with 0 at SIGTERM while it waits', async () => {
    await proxy.cut()
    const { child, output } = start()
    await expect.poll(output, WAIT).toMatch(/trying again/)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    await proxy.mend()
  })

  it('gives up after its time with one line that says so', async () => {
    await proxy.cut()
    const lines: string[] = []
    const waiting = waitForDatabase(proxy.through(database.url), {
      limitMs: 1_200,
      stopAsked: never,
      print: (line) => lines.push(line),
    })
    await expect(waiting).rejects.toMatchObject({
      code: 'database_away',
      message: expect.stringMatching(
        /^DATABASE_URL: cannot connect .*ECONNREFUSED.* \(gave up after 1.2 s\)$/,
      ),
    })
    expect(lines).toEqual([expect.stringContaining(`${AWAY} 127.0.0.1`)])
    await proxy.mend()
  })

  it('does not wait for a server that is there and refuses it', async () => {
    const print = (line: string) => expect(line).toBe('nothing')
    const wrong = { password: 'wrong', pathname: '/no_such_database' }
    for (const [property, value] of Object.entries(wrong)) {
      const url = Object.assign(new URL(database.url), { [property]: value })
      const waiting = waitForDatabase(url.href, { limitMs: 60_000, stopAsked: never, print })
      await expect(waiting, property).rejects.toMatchObject({
        code: expect.stringMatching(/^(28P01|3D000)$/),
      })
    }
  })

  function start() {
    const child = spawnProduct({ DATABASE_URL: proxy.through(database.url) })
    children.push(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
    }
    return { child, output: () => text }
  }
})
