import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * A word for the process `pid` that a later process with the same number does not share (number and start
 * time), or null when no such process runs. A zombie counts as not running: it holds no file and no port.
 */
export function processIdentity(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  if (!existsSync('/proc/self/stat')) return identityByPs(pid)
  try {
    // proc(5): the command, in parentheses, may hold anything; state and start time are the 1st and 20th after.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, startTime] = [fields[0], fields[19]]
    return state === 'Z' || state === 'X' || startTime === undefined ? null : `${pid}:${startTime}`
  } catch {
    return null
  }
}

/** True when `pid` runs a PostgreSQL server whose data folder is `realDataDir` (symbolic links resolved). */
export function servesDataFolder(pid: number, realDataDir: string): boolean {
  if (processIdentity(pid) === null) return false
  try {
    // The server makes its data folder the working folder.
    return readlinkSync(`/proc/${pid}/cwd`) === realDataDir
  } catch {
    return commandLine(pid)?.includes('postgres') ?? false
  }
}

function identityByPs(pid: number): string | null {
  const line = ps('state=,lstart=', pid)
  return line === null || line.startsWith('Z') ? null : `${pid}:${line.split(/\s+/).slice(1).join('-')}`
}

function commandLine(pid: number): string | null {
  return ps('args=', pid)
}

function ps(format: string, pid: number): string | null {
  try {
    const args = ['-o', format, '-p', String(pid)]
    const line = execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    return line === '' ? null : line
  } catch {
    return null
  }
}
