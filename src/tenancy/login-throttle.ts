/**
 * Ten failed logins of one account in 15 minutes close it until the oldest of them is 15 minutes old. It
 * does not matter from where they came: ten from one address close it too, and other accounts are unharmed.
 *
 * A try is counted before its password is looked at and forgiven when that was right, so many guesses at
 * once cannot all slip through before the first is counted. So that as many right passwords at once are
 * not taken for guesses, tries of one account wait for each other within a process.
 *
 * Accounts that do not exist are counted the same: the throttle tells nobody which ones do.
 */
import { createHash } from 'node:crypto'
import { sql, type TenantStore } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import { TooManyAttemptsError } from './errors.ts'

export interface LoginAccount {
  readonly tenant: string
  /** Lower case. */
  readonly email: string
  readonly address: string
}

const MAX_FAILURES = 10
const WINDOW_MS = 15 * 60_000
const THROTTLE_SCOPE = 'failed logins belong to no tenant: it may not even exist'

const lastTryOf = new Map<string, Promise<unknown>>()

/**
 * Runs `check` when the account is open; null from it is a failure. One that throws looked at no password, and
 * is none.
 * @throws TooManyAttemptsError when the account is closed; `check` does not run then.
 */
export async function guardLogin<T>(
  store: TenantStore,
  account: LoginAccount,
  clock: Clock,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const digest = createHash('sha256')
    .update(JSON.stringify([account.tenant, account.email]))
    .digest()
  return inTurn(digest.toString('base64'), async () => {
    const failureId = await countFailure(store, Uint8Array.from(digest), account.address, clock.now())
    const forgive = () =>
      store.unsafeTransact(THROTTLE_SCOPE, (tx) => tx.loginFailure.deleteMany({ where: { id: failureId } }))
    const result = await check().catch(async (error: unknown) => {
      // What was thrown is what to tell, also when the database that threw it cannot forgive either.
      await forgive().catch(() => undefined)
      throw error
    })
    if (result !== null) await forgive()
    return result
  })
}

async function countFailure(
  store: TenantStore,
  account: Uint8Array<ArrayBuffer>,
  address: string,
  now: number,
): Promise<bigint> {
  const outcome = await store.unsafeTransact(THROTTLE_SCOPE, async (tx) => {
    await tx.$executeRaw(sql`select pg_advisory_xact_lock(hashtextextended(encode(${account}, 'hex'), 0))`)
    await tx.$executeRaw(sql`delete from login_failures where id in (
      select id from login_failures where failed_at <= ${new Date(now - WINDOW_MS)}
      order by failed_at limit 100 for update skip locked)`)
    const recent = await tx.loginFailure.findMany({
      where: { account, failedAt: { gt: new Date(now - WINDOW_MS) } },
      orderBy: { failedAt: 'desc' },
      take: MAX_FAILURES,
    })
    const oldest = recent.at(-1)
    if (recent.length >= MAX_FAILURES && oldest !== undefined) {
      return { closedForMs: oldest.failedAt.getTime() + WINDOW_MS - now }
    }
    return tx.loginFailure.create({
      data: { account, address, failedAt: new Date(now) },
      select: { id: true },
    })
  })
  if ('closedForMs' in outcome) throw new TooManyAttemptsError(Math.ceil(outcome.closedForMs / 1_000))
  return outcome.id
}

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = lastTryOf.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  lastTryOf.set(key, mine)
  try {
    return await mine
  } finally {
    if (lastTryOf.get(key) === mine) lastTryOf.delete(key)
  }
}
