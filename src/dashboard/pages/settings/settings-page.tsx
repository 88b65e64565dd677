import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link, Redirect } from 'wouter'
import { useSettings } from '../../api/settings.ts'
import { useMe } from '../../auth/session.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { LoadingState } from '../../components/loading-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/texts.ts'
import { isSectionName, SECTIONS } from './sections.ts'
import { SettingsEditor } from './settings-editor.tsx'
import { settingsTexts } from './settings-texts.ts'

/** What the owners of a business decide about it. */
export function SettingsPage({ params }: { params: { section?: string | undefined } }) {
  const texts = useTexts(settingsTexts)
  const common = useTexts(commonTexts)
  const { staff } = useMe()
  useEffect(() => {
    document.title = `${common.settings} · agendou`
  }, [common])
  if (staff.role !== 'owner') {
    return (
      <>
        <PageHeader title={common.settings} />
        <EmptyState
          icon={IconLock}
          title={texts.ownersOnly}
          hint={texts.ownersOnlyHint}
          action={
            <Button component={Link} href="/inbox/queue" variant="light" mt="sm">
              {texts.toInbox}
            </Button>
          }
        />
      </>
    )
  }
  if (!isSectionName(params.section)) return <Redirect to={`/settings/${SECTIONS[0].name}`} replace />
  return <LoadedSettings section={params.section} />
}

function LoadedSettings({ section }: { section: (typeof SECTIONS)[number]['name'] }) {
  const { data, error, refetch } = useSettings()
  if (data !== undefined) return <SettingsEditor loaded={data} section={section} />
  return error === null ? <LoadingState /> : <ErrorState error={error} onRetry={() => void refetch()} />
}
