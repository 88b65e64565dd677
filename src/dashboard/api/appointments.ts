import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { catalogDtoSchema, customerProfileDtoSchema } from '../../contracts/dashboard-api.ts'
import {
  type AppointmentDto,
  appointmentDtoSchema,
  availabilityItemSchema,
  pageSchema,
} from '../../contracts/staff-api.ts'
import { call } from './client.ts'
import { keys } from './keys.ts'

/** Services and professionals, for choices and columns. */
export function useCatalog() {
  return useQuery({
    queryKey: keys.catalog,
    queryFn: ({ signal }) => call(catalogDtoSchema, '/v1/catalog', { signal }),
  })
}

export function useCustomer(id: string | undefined) {
  return useQuery({
    queryKey: keys.customer(id ?? ''),
    queryFn: ({ signal }) => call(customerProfileDtoSchema, `/v1/customers/${id}`, { signal }),
    enabled: id !== undefined,
  })
}

export interface AvailabilityQuery {
  readonly service: string
  readonly professional?: string | undefined
  /** Local dates of the tenant, both included. */
  readonly from: string
  readonly to: string
}

const availabilityPage = pageSchema(availabilityItemSchema)

/** The free starts, without the notice and horizon that hold for customers; nothing is asked for null. */
export function useAvailability(query: AvailabilityQuery | null) {
  return useQuery({
    queryKey: [...keys.availability, query],
    queryFn: ({ signal }) =>
      call(availabilityPage, '/v1/availability', { query: { ...query, actor: 'staff' }, signal }),
    enabled: query !== null,
    staleTime: 15_000,
  })
}

const SOON_DAYS = 30
const DAY_MS = 86_400_000

/** The first free start in the month after the query's day; null when there is none. */
export function useFirstFree(query: AvailabilityQuery) {
  const to = new Date(Date.parse(`${query.to}T12:00:00Z`) + SOON_DAYS * DAY_MS).toISOString().slice(0, 10)
  return useQuery({
    queryKey: [...keys.availability, 'first', query],
    queryFn: async ({ signal }) => {
      const range = { ...query, from: query.to, to, actor: 'staff', limit: 1 }
      const { items } = await call(availabilityPage, '/v1/availability', { query: range, signal })
      return items[0] ?? null
    },
    staleTime: 15_000,
  })
}

export interface Booking {
  readonly service: string
  readonly professional?: string
  readonly startsAt: string
  readonly customer: { readonly id: string } | { readonly name: string; readonly phone: string }
  readonly forName?: string
}

/** Books once, however often the same key is sent. */
export function useBook() {
  return useChange(({ key, ...body }: Booking & { readonly key: string }) =>
    call(appointmentDtoSchema, '/v1/appointments', {
      method: 'POST',
      headers: { 'idempotency-key': key },
      body,
    }),
  )
}

export interface Move {
  readonly code: string
  readonly startsAt?: string
  readonly professional?: string
  /** Outside the hours and on closed days too. */
  readonly force?: boolean
}

export function useMove() {
  return useChange(({ code, ...body }: Move) =>
    call(appointmentDtoSchema, `/v1/appointments/${code}`, { method: 'PATCH', body }),
  )
}

export function useCancel() {
  return useChange(({ code, reason }: { readonly code: string; readonly reason: string }) =>
    call(appointmentDtoSchema, `/v1/appointments/${code}/cancel`, {
      method: 'POST',
      body: reason === '' ? {} : { reason },
    }),
  )
}

/** After any change, and after a refusal, what is shown of the calendar is read anew. */
function useChange<Input>(change: (input: Input) => Promise<AppointmentDto>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      for (const queryKey of [keys.appointments, keys.customers, keys.availability]) {
        void client.invalidateQueries({ queryKey })
      }
    },
  })
}
