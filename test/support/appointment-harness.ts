import { z } from 'zod'
import { createTestDatabase } from './database.ts'
import {
  createCustomer,
  createTestClock,
  createTwoTenants,
  staffEntry,
  type TestTenant,
} from './factories.ts'
import { type Answer, loggedIn, type Send, testApp } from './http-harness.ts'

const EMAIL = 'dona@example.com'

/** Two studios, an owner of each who sends requests, and a customer of the first. */
export interface AppointmentSetting {
  readonly one: TestTenant
  readonly send: Send
  readonly other: Send
  readonly customer: { readonly id: string }
}

export async function createAppointmentHarness() {
  const database = await createTestDatabase()
  const app = await testApp(database.store, { clock: createTestClock() })
  return {
    store: database.store,
    async setUp(): Promise<AppointmentSetting> {
      const [one, two] = await createTwoTenants(database.store, { staff: [staffEntry(EMAIL)] })
      return {
        one,
        send: await loggedIn(app, one.slug, EMAIL),
        other: await loggedIn(app, two.slug, EMAIL),
        customer: { id: await createCustomer(database.store, one.id) },
      }
    },
    async close(): Promise<void> {
      await app.close()
      await database.close()
    },
  }
}

/** A wall time of the studios; by default on the Tuesday after the clock's Monday. */
export function at(time: string, date = '2026-12-01'): string {
  return `${date}T${time}:00-03:00`
}

export function codeOf({ body }: Answer): string {
  return z.string().parse(body['code'])
}

export function itemsOf({ body }: Answer): Record<string, unknown>[] {
  return z.array(z.record(z.string(), z.unknown())).parse(body['items'])
}
