import type { NewCustomer } from '../booking/book.ts'
import { resolveCustomer } from '../conversations/customers.ts'
import { findIdentities } from '../conversations/identities.ts'
import { AppError } from '../shared/app-error.ts'
import { isId } from '../shared/ids.ts'
import { canonicalPhone } from '../whatsapp/phone.ts'

/** For whom the staff books: somebody known already, or a name and a number, see {@link isPhone}. */
type BookingCustomer = { readonly id: string } | { readonly name: string; readonly phone: string }

/**
 * The customer as booking takes it. Somebody who wrote from that number is the same customer, and keeps the
 * form of the number that they wrote from: answers go to it. Who is new is kept only if they are booked.
 * @throws AppError `not_found` for what is no id.
 */
export function bookingCustomer(customer: BookingCustomer): string | NewCustomer {
  if ('id' in customer) {
    if (!isId(customer.id)) throw new AppError('not_found', 'there is no such customer')
    return customer.id
  }
  const { name } = customer
  const phone = digitsOf(customer.phone)
  return {
    claim: { name, phone },
    async resolve(tx) {
      const typed = { kind: 'phone', value: canonicalPhone(phone), address: phone } as const
      const [known] = await findIdentities(tx, [typed])
      const { id } = await resolveCustomer(tx, [{ ...typed, address: known?.address ?? phone }], name)
      return id
    },
  }
}

/** Whether a text is an international number (E.164), with or without plus and punctuation. */
export function isPhone(text: string): boolean {
  return /^[1-9]\d{7,14}$/.test(digitsOf(text))
}

function digitsOf(phone: string): string {
  return phone.replace(/[\s().-]/g, '').replace(/^\+/, '')
}
