import { existsSync } from 'node:fs'
import { env, loadEnvFile } from 'node:process'

/** The environment, with what `.env` of the working folder adds to it; what is set already stays. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) loadEnvFile('.env')
  return env
}
