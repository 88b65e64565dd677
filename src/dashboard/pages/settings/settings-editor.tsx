import { Alert, Button, Group } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconUsersGroup } from '@tabler/icons-react'
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '../../api/client.ts'
import type { VersionedSettings } from '../../api/settings.ts'
import { LoadingState } from '../../components/loading-state.tsx'
import { notifyDone, notifyFailure } from '../../components/notify.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/texts.ts'
import { useNavigationGuard } from '../../layout/navigation-guard.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { SettingsFormContext } from './draft/settings-form.tsx'
import { useSettingsDraft } from './draft/use-settings-draft.ts'
import { SaveBar } from './save-bar.tsx'
import { AssistantSection } from './sections/assistant-section.tsx'
import { BusinessSection } from './sections/business-section.tsx'
import { ExceptionsSection } from './sections/exceptions-section.tsx'
import { HandoffSection } from './sections/handoff-section.tsx'
import { ProfessionalsSection } from './sections/professionals-section.tsx'
import { RulesSection } from './sections/rules-section.tsx'
import { ServicesSection } from './sections/services-section.tsx'
import { type SectionName, sectionOf } from './sections.ts'
import classes from './settings.module.css'
import { SettingsNav } from './settings-nav.tsx'
import { settingsTexts } from './settings-texts.ts'

const AREA = '/dashboard/settings'
const VIEWS: Readonly<Record<SectionName, ComponentType>> = {
  services: ServicesSection,
  professionals: ProfessionalsSection,
  exceptions: ExceptionsSection,
  rules: RulesSection,
  handoff: HandoffSection,
  assistant: AssistantSection,
  business: BusinessSection,
  replies: lazy(async () => ({
    default: (await import('./sections/replies-section.tsx')).RepliesSection,
  })),
  whatsapp: lazy(async () => ({
    default: (await import('./sections/whatsapp-section.tsx')).WhatsappSection,
  })),
  staff: lazy(async () => ({ default: (await import('./sections/staff-section.tsx')).StaffSection })),
}

/** One form over all sections: edits stay when somebody looks at another, until they are saved or discarded. */
export function SettingsEditor({ loaded, section }: { loaded: VersionedSettings; section: SectionName }) {
  const texts = useTexts(settingsTexts)
  const common = useTexts(commonTexts)
  const [, navigate] = useLocation()
  const form = useSettingsDraft(loaded)
  const held = useNavigationGuard(form.isDirty, AREA)
  const [isDiscarding, setIsDiscarding] = useState(false)
  useFocus(form.focus, section)
  const goTo = (path: string) => {
    const target = sectionOf(path)
    if (target !== null && target !== section) navigate(`/settings/${target}`)
  }
  const save = async () => {
    if (form.isSaving || !form.isDirty) return
    const result = await form.save()
    if (result.kind === 'saved') notifyDone(texts.saved)
    if (result.kind === 'invalid') goTo(result.first)
    if (result.kind === 'failed') {
      const isOffline = result.error instanceof ApiError && result.error.status === 0
      notifyFailure(texts.notSaved, result.error, () => (isOffline ? texts.offline : undefined))
    }
  }
  useHotkeys([['mod+S', () => void save()]], [], true)
  const View = VIEWS[section]
  return (
    <SettingsFormContext value={form}>
      <div className={classes.page}>
        <PageHeader title={common.settings} />
        {form.newer !== null && (
          <NewerBanner
            onRebase={() => {
              form.rebase()
              notifyDone(texts.rebased)
            }}
            onTakeTheirs={form.discard}
          />
        )}
        <div className={classes.columns}>
          <SettingsNav current={section} faultsIn={form.faultsIn} />
          <div className={classes.scroll} key={section}>
            <section className={classes.section} aria-label={texts.sections[section]}>
              <h2 className={classes.title}>{texts.sections[section]}</h2>
              <Suspense fallback={<LoadingState />}>
                <View />
              </Suspense>
            </section>
          </div>
        </div>
        <SaveBar
          form={form}
          onSave={() => void save()}
          onDiscard={() => setIsDiscarding(true)}
          onShow={(path) => {
            form.show(path)
            goTo(path)
          }}
        />
      </div>
      <AskDialog
        isOpen={held !== null}
        title={texts.leaveTitle}
        hint={texts.leaveHint}
        no={texts.stay}
        yes={texts.leave}
        onNo={() => held?.stay()}
        onYes={() => held?.leave()}
      />
      <AskDialog
        isOpen={isDiscarding}
        title={texts.discardTitle}
        hint={texts.discardHint}
        no={texts.stay}
        yes={texts.discard}
        onNo={() => setIsDiscarding(false)}
        onYes={() => {
          form.discard()
          setIsDiscarding(false)
        }}
      />
    </SettingsFormContext>
  )
}

function NewerBanner({ onRebase, onTakeTheirs }: { onRebase: () => void; onTakeTheirs: () => void }) {
  const texts = useTexts(settingsTexts)
  return (
    <Alert
      className={classes.banner}
      color="orange"
      icon={<IconUsersGroup />}
      title={texts.newer}
      role="alert"
      styles={{ title: { color: 'var(--app-warn)' } }}
    >
      {texts.newerHint}
      <Group gap="sm" mt="sm">
        <Button size="compact-sm" onClick={onRebase}>
          {texts.rebase}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onTakeTheirs}>
          {texts.takeTheirs}
        </Button>
      </Group>
    </Alert>
  )
}

/** Puts the cursor where it was asked for, once what shows the place is there. */
function useFocus(focus: { readonly path: string } | null, section: SectionName): void {
  const done = useRef<object | null>(null)
  useEffect(() => {
    if (focus === null || done.current === focus || sectionOf(focus.path) !== section) return
    const place = placeOf(focus.path)
    if (place === null) return
    done.current = focus
    place.focus()
    place.scrollIntoView({ block: 'center' })
  })
}

/** The input at a path, or what it is a part of. */
function placeOf(path: string): HTMLElement | null {
  const parts = path.split('.')
  for (let length = parts.length; length > 0; length -= 1) {
    const place = document.querySelector(`[data-path="${parts.slice(0, length).join('.')}"]`)
    if (place instanceof HTMLElement) return place
  }
  return null
}
