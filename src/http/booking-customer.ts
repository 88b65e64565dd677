import { resolveCustomer } from '../conversations/customers.ts'
import { findIdentities } from '../conversations/identities.ts'
import type { TenantStore } from '../db/index.ts'
import { AppError } from '../shared/app-error.ts'
import { isId } from '../shared/ids.ts'
import { canonicalPhone } from '../whatsapp/phone.ts'

/** For whom the staff books: somebody known already, or a name and a number with its country code. */
export type BookingCustomer = { readonly id: string } | { readonly name: string; readonly phone: string }

/**
 * The customer's id. Somebody who wrote from that number is the same customer, and keeps the form of the
 * number that they wrote from: answers go to it.
 * @throws AppError `not_found` for what is no id.
 */
export async function bookingCustomer(
  store: TenantStore,
  tenantId: string,
  customer: BookingCustomer,
): Promise<string> {
  if ('id' in customer) {
    if (!isId(customer.id)) throw new AppError('not_found', 'there is no such customer')
    return customer.id
  }
  const { name } = customer
  const phone = phoneDigits(customer.phone)
  return store.transact(tenantId, async (tx) => {
    const typed = { kind: 'phone', value: canonicalPhone(phone), address: phone } as const
    const [known] = await findIdentities(tx, [typed])
    const { id } = await resolveCustomer(tx, [{ ...typed, address: known?.address ?? phone }], name)
    return id
  })
}

/** The digits of a number as people write it. */
export function phoneDigits(written: string): string {
  return written.replace(/[\s().-]/g, '').replace(/^\+/, '')
}
