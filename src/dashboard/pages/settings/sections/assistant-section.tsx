import { Select, Text, Textarea } from '@mantine/core'
import { useChannel } from '../../../api/channel.ts'
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
      <div className={classes.panel}>
        <ReopenTemplate />
      </div>
    </>
  )
}

/** One of the templates that WhatsApp approved; the one that is set already is offered in any case. */
function ReopenTemplate() {
  const { assistant: texts } = useTexts(documentTexts)
  const { draft, change } = useSettingsForm()
  const channel = useChannel()
  const chosen = draft.texts?.reopenTemplate ?? null
  const approved = (channel.data?.templates ?? []).filter(({ status }) => status === 'APPROVED')
  const offered = new Map(
    [...approved, ...(chosen === null ? [] : [chosen])].map((each) => [idOf(each), each]),
  )
  return (
    <Select
      {...useField()('texts.reopenTemplate', texts.reopenHint)}
      label={texts.reopen}
      placeholder={texts.reopenNone}
      clearable
      data={[...offered].map(([value, { name, language }]) => ({ value, label: `${name} (${language})` }))}
      value={chosen === null ? null : idOf(chosen)}
      onChange={(value) => {
        const template = value === null ? undefined : offered.get(value)
        if (template === undefined) change({ texts: undefined })
        else change({ texts: { reopenTemplate: { name: template.name, language: template.language } } })
      }}
    />
  )
}

function idOf({ name, language }: { readonly name: string; readonly language: string }): string {
  return `${name} ${language}`
}
