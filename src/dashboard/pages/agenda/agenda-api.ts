import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { catalogDtoSchema } from '../../../contracts/dashboard-api.ts'
import {
  type AppointmentDto,
  appointmentDtoSchema,
  availabilityItemSchema,
  pageSchema,
} from '../../../contracts/staff-api.ts'
import { call } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'

const appointmentPage = pageSchema(appointmentDtoSchema)
const availabilityPage = pageSchema(availabilityItemSchema)

/** Local dates of the tenant, both included. */
export interface DateSpan {
  readonly from: string
  readonly to: string
}

export function useCatalog() {
  return useQuery({
    queryKey: keys.catalog,
    queryFn: ({ signal }) => call(catalogDtoSchema, '/v1/catalog', { signal }),
  })
}

/** All appointments that start on these dates, cancelled ones too. */
export function useAppointments(span: DateSpan) {
  return useQuery({
    queryKey: [...keys.appointments, span],
    queryFn: async ({ signal }) => {
      const items: AppointmentDto[] = []
      let cursor: string | undefined
      do {
        const query = { ...span, limit: 100, cursor }
        const page = await call(appointmentPage, '/v1/appointments', { query, signal })
        items.push(...page.items)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      return items
    },
    // Another week shows what it has while the next one is read.
    placeholderData: (previous) => previous,
  })
}

/** Free starts of one day; null asks for nothing. */
export function useFreeTimes(
  wish: { readonly service: string; readonly professional: string | undefined; readonly date: string } | null,
) {
  return useQuery({
    queryKey: [...keys.availability, wish],
    queryFn: async ({ signal }) => {
      const { date = '', service, professional } = wish ?? {}
      const query = { service, professional, from: date, to: date, actor: 'staff' }
      return (await call(availabilityPage, '/v1/availability', { query, signal })).items
    },
    enabled: wish !== null,
  })
}

export interface Booking {
  readonly service: string
  readonly professional?: string
  readonly startsAt: string
  readonly customer: { readonly name: string; readonly phone: string }
  readonly forName?: string
  readonly force?: boolean
}

/** @param idempotencyKey the same for a form that is sent twice, so that it books once. */
export function useBook() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ booking, idempotencyKey }: { booking: Booking; idempotencyKey: string }) =>
      call(appointmentDtoSchema, '/v1/appointments', {
        method: 'POST',
        body: booking,
        headers: { 'idempotency-key': idempotencyKey },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.appointments }),
  })
}

export interface Move {
  readonly code: string
  readonly startsAt: string
  readonly endsAt: string
  readonly professional: AppointmentDto['professional']
  readonly force?: boolean
}

/** Shows the appointment at its new place at once, and puts it back when the server refuses. */
export function useMove() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ code, startsAt, professional, force }: Move) =>
      call(appointmentDtoSchema, `/v1/appointments/${code}`, {
        method: 'PATCH',
        body: { startsAt, professional: professional.key, ...(force === true ? { force } : {}) },
      }),
    onMutate: async ({ code, startsAt, endsAt, professional }) => {
      await client.cancelQueries({ queryKey: keys.appointments })
      const before = client.getQueriesData<AppointmentDto[]>({ queryKey: keys.appointments })
      client.setQueriesData<AppointmentDto[]>({ queryKey: keys.appointments }, (items) =>
        items?.map((item) => (item.code === code ? { ...item, startsAt, endsAt, professional } : item)),
      )
      return { before }
    },
    onError: (_error, _move, context) => {
      for (const [key, items] of context?.before ?? []) client.setQueryData(key, items)
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.appointments }),
  })
}

export type AppointmentStep = 'confirm' | 'complete' | 'no-show' | 'cancel'

export function useAppointmentStep() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ code, step, reason }: { code: string; step: AppointmentStep; reason?: string }) =>
      call(appointmentDtoSchema, `/v1/appointments/${code}/${step}`, {
        method: 'POST',
        ...(reason === undefined || reason === '' ? {} : { body: { reason } }),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.appointments }),
  })
}
