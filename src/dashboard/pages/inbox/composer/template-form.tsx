import { Alert, Autocomplete, Button, Group, Select, Textarea } from '@mantine/core'
import { IconClockOff } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { notifyDone } from '../../../components/notify.ts'
import { useLocale, useTexts } from '../../../i18n/texts.ts'
import { threadTexts } from '../thread/thread-texts.ts'
import classes from './composer.module.css'
import { useApprovedTemplates } from './use-approved-templates.ts'
import { type Template, useSend } from './use-send.ts'

const LAST_TEMPLATE = 'agendou.template'
/** As WhatsApp names them. */
const LANGUAGES = [
  { value: 'pt_BR', label: 'Português (BR)' },
  { value: 'es', label: 'Español' },
  { value: 'es_MX', label: 'Español (MX)' },
  { value: 'es_AR', label: 'Español (AR)' },
  { value: 'en', label: 'English' },
  { value: 'en_US', label: 'English (US)' },
]
const OWN_LANGUAGE = { 'pt-BR': 'pt_BR', es: 'es', en: 'en' } as const

/** In place of the reply box when the 24-hour window is closed: an approved template by its name. */
export function TemplateForm({ conversationId }: { conversationId: string }) {
  const texts = useTexts(threadTexts)
  const { locale } = useLocale()
  const [name, setName] = useState(() => localStorage.getItem(LAST_TEMPLATE) ?? '')
  const [language, setLanguage] = useState<string>(OWN_LANGUAGE[locale])
  const [variables, setVariables] = useState('')
  const send = useSend(conversationId, () => {})
  const templates = useApprovedTemplates()
  const isNamed = /^[a-z0-9_]{1,512}$/.test(name)
  const chooseName = (typed: string) => {
    setName(typed.trim())
    const known = templates.filter((template) => template.name === typed)
    const [first] = known
    if (first !== undefined && !known.some((template) => template.language === language)) {
      setLanguage(first.language)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isNamed) return
    localStorage.setItem(LAST_TEMPLATE, name)
    const template = templateOf(name, language, variables)
    send.mutate(
      { outgoing: { kind: 'template', template }, key: crypto.randomUUID() },
      { onSuccess: () => notifyDone(texts.window.sent) },
    )
  }
  return (
    <form className={classes.template} onSubmit={submit}>
      <Alert color="orange" variant="light" icon={<IconClockOff />} p="xs">
        <strong>{texts.window.closed}.</strong> {texts.window.hint}
      </Alert>
      <div className={classes.templateRow}>
        <Autocomplete
          label={texts.window.templateName}
          description={texts.window.templateNameHint}
          placeholder="retomar_conversa"
          autoCapitalize="none"
          value={name}
          onChange={chooseName}
          data={[...new Set(templates.map((template) => template.name))]}
          comboboxProps={{ position: 'top-start' }}
          error={name !== '' && !isNamed}
        />
        <Select
          label={texts.window.language}
          data={languageChoices(language)}
          comboboxProps={{ position: 'top-start' }}
          value={language}
          onChange={(value) => setLanguage(value ?? OWN_LANGUAGE[locale])}
          allowDeselect={false}
        />
      </div>
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <Textarea
          flex={1}
          label={texts.window.variables}
          placeholder={texts.window.variablesHint}
          autosize
          minRows={1}
          maxRows={4}
          value={variables}
          onChange={(event) => setVariables(event.currentTarget.value)}
        />
        <Button type="submit" loading={send.isPending} disabled={!isNamed}>
          {texts.window.sendTemplate}
        </Button>
      </Group>
    </form>
  )
}

/** The usual ones, and the one that is chosen. */
function languageChoices(chosen: string) {
  return LANGUAGES.some(({ value }) => value === chosen)
    ? LANGUAGES
    : [...LANGUAGES, { value: chosen, label: chosen }]
}

function templateOf(name: string, language: string, variables: string): Template {
  const values = variables
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (values.length === 0) return { name, language }
  const parameters = values.map((text) => ({ type: 'text', text }))
  return { name, language, components: [{ type: 'body', parameters }] }
}
