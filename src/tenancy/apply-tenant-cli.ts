import { readFile } from 'node:fs/promises'
import type { TenantDocument } from '../contracts/tenant-document.ts'
import type { TenantStore } from '../db/index.ts'
import { AppError } from '../shared/app-error.ts'
import { type ApplyDependencies, applyTenantDocument } from './apply-tenant-document.ts'
import { InvalidDocumentError } from './errors.ts'
import { parseTenantDocument } from './parse-tenant-document.ts'

export const EXIT = { done: 0, failed: 1, usage: 2, invalidDocument: 3 } as const

export interface TenantCommand {
  /** What follows the command: `apply FILE.json`. */
  readonly args: readonly string[]
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** Opens the database; called only when the document is valid. */
  readonly withStore: <T>(work: (store: TenantStore) => Promise<T>) => Promise<T>
  readonly dependencies: () => ApplyDependencies
}

/** `tenant apply FILE.json`: prints each path that is wrong, or one line of summary. Gives the exit code. */
export async function runTenantCommand(command: TenantCommand): Promise<number> {
  const { args, out, err } = command
  const [verb, file, ...rest] = args
  if (verb !== 'apply' || file === undefined || rest.length > 0) {
    err('usage: npm run tenant -- apply FILE.json')
    return EXIT.usage
  }
  try {
    const document = await readDocument(file)
    const stored = await command.withStore((store) =>
      applyTenantDocument(store, document, command.dependencies()),
    )
    const counts = `${stored.services.length} service(s), ${stored.professionals.length} professional(s)`
    out(`applied ${stored.slug} (${stored.name}): ${counts}, ${stored.staff.length} of the staff`)
    return EXIT.done
  } catch (error) {
    if (error instanceof InvalidDocumentError) {
      err(`${file} is not valid; nothing was changed:`)
      for (const { path, message } of error.issues)
        err(path === '' ? `  ${message}` : `  ${path}: ${message}`)
      return EXIT.invalidDocument
    }
    if (!(error instanceof AppError)) throw error
    err(error.message)
    return EXIT.failed
  }
}

async function readDocument(file: string): Promise<TenantDocument> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new AppError('file_unreadable', `cannot read ${file}`, { cause: error })
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InvalidDocumentError([{ path: '', message: `is not JSON: ${String(error)}` }])
  }
  return parseTenantDocument(value)
}
