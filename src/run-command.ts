import { classifyDatabaseError } from './db/index.ts'
import { AppError } from './shared/app-error.ts'

/**
 * Runs a command-line command: one line for an error that says what to do, a stack only for what nobody
 * foresaw, and an exit code that is not 0 in both cases.
 */
export async function runCommand(command: (print: (line: string) => void) => Promise<void>): Promise<void> {
  try {
    await command((line) => console.log(line))
  } catch (error) {
    console.error(messageOf(error))
    process.exitCode = 1
  }
}

/** What an operator reads of an error that ends the process. */
export function messageOf(error: unknown): unknown {
  if (error instanceof AppError) return error.message
  if (classifyDatabaseError(error).kind === 'connection') {
    return `DATABASE_URL: cannot connect to the database: ${reasonOf(error)}`
  }
  return error
}

/** A host of several addresses that all refuse has a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const line = error.message.split('\n').at(-1) ?? ''
  return line === '' && 'code' in error ? String(error.code) : line
}
