import { randomBytes } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { InfrastructureError } from '../../shared/app-error.ts'

const credentials = z.object({ superuser: z.string().min(1), application: z.string().min(1) })

/** Passwords of the superuser `postgres` and of the plain role `agendou`. */
export type Credentials = z.infer<typeof credentials>

/** The passwords of the server in `folder`: random, made once, in a file that only its owner can read. */
export async function readCredentials(folder: string): Promise<Credentials> {
  const path = join(folder, 'passwords.json')
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    const message = `${path} cannot be read: run as the user who made ${folder}, or set DATA_DIR to another folder`
    throw new InfrastructureError('embedded_postgres_passwords', message, { cause: error })
  })
  if (text !== null) return credentials.parse(JSON.parse(text))
  const made = { superuser: randomBytes(24).toString('hex'), application: randomBytes(24).toString('hex') }
  await writeFile(`${path}.new`, JSON.stringify(made), { mode: 0o600 })
  await chmod(`${path}.new`, 0o600)
  await rename(`${path}.new`, path)
  return made
}

/** Connection URL of a role of a server on the loopback interface. */
export function serverUrl(role: 'postgres' | 'agendou', passwords: Credentials, port: number): string {
  const password = role === 'postgres' ? passwords.superuser : passwords.application
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${role}`
}

/** Makes the plain role `agendou` and the database it owns, when missing. */
export async function ensureRoleAndDatabase(passwords: Credentials, port: number): Promise<void> {
  const client = new Client({ connectionString: serverUrl('postgres', passwords, port) })
  await client.connect()
  try {
    const roles = await client.query(`select 1 from pg_roles where rolname = 'agendou'`)
    if (roles.rowCount === 0) {
      const password = client.escapeLiteral(passwords.application)
      await client.query(
        `create role agendou login nosuperuser nocreatedb nocreaterole nobypassrls password ${password}`,
      )
    }
    const databases = await client.query(`select 1 from pg_database where datname = 'agendou'`)
    if (databases.rowCount === 0) await client.query('create database agendou owner agendou')
  } finally {
    await client.end()
  }
}
