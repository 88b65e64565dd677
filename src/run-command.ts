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
    return `DATABASE_URL: cannot connect to the database: ${error instanceof Error ? error.message.split('\n').at(-1) : ''}`
  }
  return error
}
