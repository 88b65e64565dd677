import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { loginDtoSchema, type MeDto, meDtoSchema } from '../../contracts/session-api.ts'
import { ApiError, call, nothing } from '../api/client.ts'
import { ME_KEY } from '../api/query-client.ts'
import { forgetDrafts } from '../pages/inbox/composer/drafts.ts'

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
    enterAs(client, await call(meDtoSchema, '/v1/me'))
  }
}

export function useLogout(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await call(nothing, '/v1/auth/logout', { method: 'POST' })
    enterAs(client, null)
  }
}

/** Whoever comes next sees nothing of whoever was here before. */
function enterAs(client: QueryClient, me: MeDto | null): void {
  forgetDrafts()
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME_KEY[0] })
  client.setQueryData(ME_KEY, me)
}

async function readMe(signal: AbortSignal): Promise<MeDto | null> {
  try {
    return await call(meDtoSchema, '/v1/me', { signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}
