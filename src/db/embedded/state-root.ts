import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InfrastructureError } from '../../shared/app-error.ts'

/**
 * A folder that every user can enter and only this one can write, outside the checkout: `/var/lib/agendou`
 * for root, else (or when that cannot be made) under the system's temporary folder.
 */
export async function stateRoot(): Promise<string> {
  const uid = process.getuid?.() ?? 0
  if (uid === 0 && (await made('/var/lib/agendou'))) return '/var/lib/agendou'
  const path = join(tmpdir(), `agendou-${uid}`)
  if (await made(path)) return path
  throw new InfrastructureError(
    'state_folder',
    `${path} belongs to somebody else or cannot be made: remove it`,
  )
}

/** A short name for a path, the same every time, for folders kept apart by checkout. */
export function pathKey(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12)
}

async function made(path: string): Promise<boolean> {
  try {
    await mkdir(path).catch(() => undefined)
    // In a shared temporary folder somebody else may have made it first, or put a link there.
    const found = await lstat(path)
    if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== process.getuid())) return false
    await chmod(path, 0o755)
    return true
  } catch {
    return false
  }
}
