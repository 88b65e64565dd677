import { PageHeader } from '../../components/page-header.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/texts.ts'

export interface InboxPageProps {
  readonly view: string | undefined
  readonly conversationId: string | undefined
}

export function InboxPage(_props: InboxPageProps) {
  const texts = useTexts(commonTexts)
  return <PageHeader title={texts.inbox} />
}
