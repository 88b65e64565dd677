import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processIdentity } from './process-identity.ts'

let serial = 0

/** Notes that this process uses the server of `folder`; returns the function that takes the note away. */
export async function takeLease(folder: string): Promise<() => Promise<void>> {
  const leases = join(folder, 'leases')
  await mkdir(leases, { recursive: true })
  serial += 1
  const path = join(leases, `${process.pid}-${serial}`)
  await writeFile(path, processIdentity(process.pid) ?? '')
  return () => rm(path, { force: true })
}

/** True while any process that runs has a lease; notes of processes that died are removed. */
export async function isLeased(folder: string): Promise<boolean> {
  const leases = join(folder, 'leases')
  const names = await readdir(leases).catch(() => [])
  let leased = false
  for (const name of names) {
    const path = join(leases, name)
    const identity = await readFile(path, 'utf8').catch(() => '')
    if (identity !== '' && processIdentity(Number.parseInt(identity, 10)) === identity) leased = true
    else await rm(path, { force: true })
  }
  return leased
}
