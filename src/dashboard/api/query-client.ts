import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/** Caches what the API said; live events keep it fresh, so nothing is read anew without a reason. */
export function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    // The session has ended: the login page takes the place of everything.
    if (isUnauthorized(error)) client.setQueryData(ME_KEY, null)
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => isWorthRetrying(error) && failures < 3,
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}

export const ME_KEY = ['me'] as const

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code === 'unauthorized'
}

function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}
