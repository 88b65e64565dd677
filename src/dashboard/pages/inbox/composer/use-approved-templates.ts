import { useQuery } from '@tanstack/react-query'
import { channelDtoSchema } from '../../../../contracts/staff-api.ts'
import { call } from '../../../api/client.ts'
import { keys } from '../../../api/keys.ts'

/** The templates that WhatsApp is known to have approved; any other may still be typed. */
export function useApprovedTemplates(): readonly { readonly name: string; readonly language: string }[] {
  const { data } = useQuery({
    queryKey: keys.channel,
    queryFn: ({ signal }) => call(channelDtoSchema, '/v1/channel', { signal }),
  })
  return (data?.templates ?? []).filter(({ status }) => status === 'APPROVED')
}
