import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { InfrastructureError } from '../../shared/app-error.ts'
import { processIdentity } from './process-identity.ts'

const POLL_MS = 50
const WAIT_MS = 90_000

let serial = 0

/**
 * Runs `work` while no other process (and no other call in this one) runs work under the same folder's
 * lock. The lock is a file that names its holder; that of a process that died is taken over. Node has no
 * flock(2), which would free itself.
 * @throws InfrastructureError `folder_locked` after 90 s of waiting.
 */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const path = join(folder, 'lock')
  await acquire(path)
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function acquire(path: string): Promise<void> {
  serial += 1
  const mine = `${path}.${process.pid}.${serial}`
  await writeFile(mine, processIdentity(process.pid) ?? `${process.pid}:`)
  try {
    for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += POLL_MS) {
      // A link appears with its content, so nobody ever reads a lock that is still empty.
      if (await linked(mine, path)) return
      await removeIfStale(path, `${mine}.stale`)
      await delay(POLL_MS)
    }
  } finally {
    await rm(mine, { force: true })
  }
  const message = `${path} is held by another process; stop it, or remove the file if there is none`
  throw new InfrastructureError('folder_locked', message)
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function removeIfStale(path: string, aside: string): Promise<void> {
  const holder = await readHolder(path)
  if (holder === null || isAlive(holder)) return
  // Two may find the same stale lock: moving it aside succeeds once. Whoever moved a younger lock by
  // accident (the first taker's) puts it back.
  try {
    await rename(path, aside)
  } catch {
    return
  }
  const moved = await readHolder(aside)
  if (moved !== null && isAlive(moved)) await linked(aside, path)
  await rm(aside, { force: true })
}

async function readHolder(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}

function isAlive(holder: string): boolean {
  return processIdentity(Number.parseInt(holder, 10)) === holder
}
