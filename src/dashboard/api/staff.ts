import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { type StaffMemberDto, staffMemberDtoSchema } from '../../contracts/dashboard-api.ts'
import { call, nothing } from './client.ts'
import { keys } from './keys.ts'
import { ME_KEY } from './query-client.ts'

const staffPage = z.object({ items: z.array(staffMemberDtoSchema) })

export interface NewStaff {
  readonly email: string
  readonly name: string
  readonly role: StaffMemberDto['role']
  readonly password: string
}
export interface StaffChange {
  readonly id: string
  readonly change: {
    readonly name?: string
    readonly role?: StaffMemberDto['role']
    readonly password?: string
    readonly active?: boolean
  }
}

/** Who works here, with the sessions that are open now. */
export function useStaff() {
  return useQuery({
    queryKey: keys.staff,
    queryFn: async ({ signal }) => (await call(staffPage, '/v1/staff', { signal })).items,
    staleTime: 0,
  })
}

export function useCreateStaff() {
  return useStaffMutation((person: NewStaff) =>
    call(staffMemberDtoSchema, '/v1/staff', { method: 'POST', body: person }),
  )
}

export function useChangeStaff() {
  return useStaffMutation(({ id, change }: StaffChange) =>
    call(staffMemberDtoSchema, `/v1/staff/${id}`, { method: 'PATCH', body: change }),
  )
}

export function useLogoutStaff() {
  return useStaffMutation((id: string) => call(nothing, `/v1/staff/${id}/logout`, { method: 'POST' }))
}

function useStaffMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: keys.staff })
      // It may have been the one who looks.
      void client.invalidateQueries({ queryKey: ME_KEY })
    },
  })
}
