import { Button, Text } from '@mantine/core'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/texts.ts'
import type { SettingsDraftState } from './draft/use-settings-draft.ts'
import { sectionOf } from './sections.ts'
import classes from './settings.module.css'
import { settingsTexts } from './settings-texts.ts'

export interface SaveBarProps {
  readonly form: SettingsDraftState
  readonly onSave: () => void
  readonly onDiscard: () => void
  readonly onShow: (path: string) => void
}

/** At the foot while something is not saved: what is wrong, and the two ways on. */
export function SaveBar({ form, onSave, onDiscard, onShow }: SaveBarProps) {
  const texts = useTexts(settingsTexts)
  const common = useTexts(commonTexts)
  const { issues, isDirty, isSaving } = form
  if (!isDirty && issues.length === 0) return null
  const first = issues[0]
  const homeless = issues.filter(({ path }) => sectionOf(path) === null)
  return (
    <section className={classes.bar} aria-label={texts.unsaved}>
      <div className={classes.barText} role="status">
        {first === undefined ? (
          <Text size="sm">{texts.unsaved}</Text>
        ) : (
          <Text size="sm" c="var(--app-danger)" fw={600}>
            {texts.issues(issues.length)}{' '}
            <Button variant="subtle" size="compact-sm" onClick={() => onShow(first.path)}>
              {texts.showFirst}
            </Button>
          </Text>
        )}
        {homeless.map(({ path, fault }) => (
          <Text key={path} size="xs" c="var(--app-danger)">
            {`${texts.elsewhere}: ${path} ${texts.fault(fault)}`}
          </Text>
        ))}
      </div>
      <Button variant="default" onClick={onDiscard} disabled={isSaving}>
        {texts.discard}
      </Button>
      <Button onClick={onSave} loading={isSaving}>
        {common.save}
      </Button>
    </section>
  )
}
