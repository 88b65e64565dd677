import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { loginDtoSchema, type MeDto, meDtoSchema } from '../../contracts/session-api.ts'
import { ApiError, call, nothing } from '../api/client.ts'
import { ME_KEY } from '../api/query-client.ts'

export const MeContext = createContext<MeDto | null>(null)

/** Who is logged in. Only inside the pages behind the login. */
export function useMe(): MeDto {
  const me = useContext(MeContext)
  if (me === null) throw new Error('useMe needs a session around it')
  return me
}

export function useTenant(): MeDto['tenant'] {
  return useMe().tenant
}

/** Undefined while it is unknown, null when nobody is logged in. */
export function useMeQuery() {
  return useQuery({ queryKey: ME_KEY, queryFn: ({ signal }) => readMe(signal), staleTime: Infinity })
}

export interface Credentials {
  readonly tenant: string
  readonly email: string
  readonly password: string
}

export function useLogin(): (credentials: Credentials) => Promise<void> {
  const client = useQueryClient()
  return async (credentials) => {
    await call(loginDtoSchema, '/v1/auth/login', { method: 'POST', body: credentials })
    client.clear()
    await client.fetchQuery({ queryKey: ME_KEY, queryFn: ({ signal }) => readMe(signal) })
  }
}

export function useLogout(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await call(nothing, '/v1/auth/logout', { method: 'POST' })
    client.clear()
    client.setQueryData(ME_KEY, null)
  }
}

async function readMe(signal: AbortSignal): Promise<MeDto | null> {
  try {
    return await call(meDtoSchema, '/v1/me', { signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}
