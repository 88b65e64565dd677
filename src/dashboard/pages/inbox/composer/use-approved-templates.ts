import { useChannel } from '../../../api/channel.ts'

/** The templates that WhatsApp is known to have approved; any other may still be typed. */
export function useApprovedTemplates(): readonly { readonly name: string; readonly language: string }[] {
  const { data } = useChannel()
  return (data?.templates ?? []).filter(({ status }) => status === 'APPROVED')
}
