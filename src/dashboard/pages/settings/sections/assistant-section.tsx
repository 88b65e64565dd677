import { Text, Textarea } from '@mantine/core'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { documentTexts } from '../document-texts.ts'
import { useSettingsForm } from '../draft/settings-form.tsx'
import { useField } from '../fields/use-field.tsx'
import classes from '../settings.module.css'

/** As the tenant document bounds it. */
const MOST = 4_000

/** How the assistant speaks. */
export function AssistantSection() {
  const { assistant: texts } = useTexts(documentTexts)
  const format = useFormat()
  const { draft, change } = useSettingsForm()
  const field = useField()
  const { length } = draft.instructions
  return (
    <>
      <p className={classes.lead}>{texts.lead}</p>
      <div className={classes.panel}>
        <Textarea
          {...field('instructions')}
          label={texts.instructions}
          autosize
          minRows={8}
          maxRows={20}
          value={draft.instructions}
          onChange={(event) => change({ instructions: event.currentTarget.value })}
        />
        <Text size="xs" ta="right" mt={6} c={length > MOST ? 'var(--app-danger)' : 'dimmed'}>
          {texts.used(format.number(length), format.number(MOST))}
        </Text>
      </div>
    </>
  )
}
