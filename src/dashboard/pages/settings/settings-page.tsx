import { PageHeader } from '../../components/page-header.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/texts.ts'

export function SettingsPage() {
  const texts = useTexts(commonTexts)
  return <PageHeader title={texts.settings} />
}
