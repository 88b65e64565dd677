import { Alert, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { type Credentials, useLogin } from '../../auth/session.ts'
import { useTexts } from '../../i18n/texts.ts'
import classes from './login-page.module.css'
import { loginTexts } from './login-texts.ts'

const REMEMBERED_TENANT = 'agendou.tenant'
const FIELDS = ['tenant', 'email', 'password'] as const

/** The one page without a session. It says what is wrong beside the form, and never which part of the three. */
export function LoginPage() {
  const texts = useTexts(loginTexts)
  const { values, setValue, missing, failure, isBusy, submit, form } = useLoginForm()
  useEffect(() => {
    document.title = `${texts.title} · agendou`
  }, [texts])
  return (
    <main className={classes.page}>
      <section className={classes.card}>
        <div className={classes.brand}>
          <img src="/dashboard/icon.svg" alt="" width={52} height={52} />
          <div>
            <Title order={1} size={26} lh={1.1}>
              agendou
            </Title>
            <Text c="dimmed" size="sm">
              {texts.lead}
            </Text>
          </div>
        </div>
        <form ref={form} onSubmit={submit} noValidate>
          <Stack gap="md">
            {failure !== null && (
              <Alert color="red" icon={<IconAlertCircle />} role="alert">
                {messageOf(failure, texts)}
              </Alert>
            )}
            <TextInput
              name="tenant"
              label={texts.tenant}
              description={texts.tenantHint}
              size="md"
              autoComplete="organization"
              autoCapitalize="none"
              value={values.tenant}
              onChange={(event) => setValue('tenant', event.currentTarget.value)}
              error={missing.includes('tenant') && texts.required}
            />
            <TextInput
              name="email"
              type="email"
              label={texts.email}
              size="md"
              autoComplete="username"
              value={values.email}
              onChange={(event) => setValue('email', event.currentTarget.value)}
              error={missing.includes('email') && texts.required}
            />
            <PasswordInput
              name="password"
              label={texts.password}
              size="md"
              autoComplete="current-password"
              value={values.password}
              onChange={(event) => setValue('password', event.currentTarget.value)}
              error={missing.includes('password') && texts.required}
            />
            <Button type="submit" size="md" loading={isBusy} mt="xs">
              {texts.submit}
            </Button>
          </Stack>
        </form>
      </section>
      <p className={classes.claim}>{texts.claim}</p>
    </main>
  )
}

function useLoginForm() {
  const login = useLogin()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<Credentials>(() => ({
    tenant: localStorage.getItem(REMEMBERED_TENANT) ?? '',
    email: '',
    password: '',
  }))
  const [wasSent, setWasSent] = useState(false)
  const [failure, setFailure] = useState<Error | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const empty = FIELDS.filter((field) => values[field].trim() === '')
  const focus = (field: string) => form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus()

  const send = async () => {
    setIsBusy(true)
    setFailure(null)
    try {
      await login({ tenant: values.tenant.trim(), email: values.email.trim(), password: values.password })
      localStorage.setItem(REMEMBERED_TENANT, values.tenant.trim())
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)))
      focus('password')
    } finally {
      setIsBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setWasSent(true)
    const [first] = empty
    if (first !== undefined) focus(first)
    else void send()
  }
  const setValue = (field: keyof Credentials, value: string) =>
    setValues((current) => ({ ...current, [field]: value }))
  return { values, setValue, missing: wasSent ? empty : [], failure, isBusy, submit, form }
}

function messageOf(error: Error, texts: (typeof loginTexts)['en']): string {
  if (!(error instanceof ApiError)) return texts.other
  switch (error.code) {
    case 'invalid_credentials':
      return texts.invalid_credentials
    case 'too_many_attempts':
      return texts.too_many_attempts
    case 'network':
      return texts.network
    default:
      return texts.other
  }
}
