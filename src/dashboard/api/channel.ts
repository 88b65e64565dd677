import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { channelSendsDtoSchema } from '../../contracts/dashboard-api.ts'
import { channelDtoSchema } from '../../contracts/staff-api.ts'
import { call } from './client.ts'
import { keys } from './keys.ts'

const EVERY_MS = 30_000

/** What WhatsApp has said of the number. */
export function useChannel() {
  return useQuery({
    queryKey: keys.channel,
    queryFn: ({ signal }) => call(channelDtoSchema, '/v1/channel', { signal }),
    staleTime: 0,
  })
}

/** Whether messages leave; no live event tells, so it is asked for while it is shown. */
export function useChannelSends() {
  return useQuery({
    queryKey: keys.channelSends,
    queryFn: ({ signal }) => call(channelSendsDtoSchema, '/v1/channel/sends', { signal }),
    staleTime: 0,
    refetchInterval: EVERY_MS,
  })
}

export function useResumeSends() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(channelSendsDtoSchema, '/v1/channel/resume', { method: 'POST' }),
    onSuccess: (sends) => client.setQueryData(keys.channelSends, sends),
  })
}
