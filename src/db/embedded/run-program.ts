import { spawn } from 'node:child_process'

/** The user a program runs as; null is the user of this process. */
export type RunAs = { readonly uid: number; readonly gid: number } | null

export interface ProgramResult {
  /** Exit code; null when it could not be started or was ended by a signal. */
  readonly code: number | null
  /** Both output streams, trimmed; or why it could not be started. */
  readonly output: string
}

/** Runs a program to its end. Never rejects: a program that cannot be started is a result as well. */
export function runProgram(
  file: string,
  args: readonly string[],
  { as, cwd }: { as: RunAs; cwd: string },
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    // Messages are read for "is already in use": the C locale keeps them English.
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], ...as })
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk.toString('utf8')
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', (error) => resolve({ code: null, output: error.message }))
    child.on('close', (code) => resolve({ code, output: output.trim() }))
  })
}
