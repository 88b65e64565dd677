import { Button, Group, Modal, PasswordInput, Select, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { StaffMemberDto } from '../../../../contracts/dashboard-api.ts'
import { tenantDocumentSchema } from '../../../../contracts/tenant-document.ts'
import { ApiError } from '../../../api/client.ts'
import { useChangeStaff, useCreateStaff } from '../../../api/staff.ts'
import { notifyDone, notifyFailure } from '../../../components/notify.ts'
import { commonTexts } from '../../../i18n/common-texts.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { peopleTexts } from '../people-texts.ts'

/** The same rules as in the tenant document. */
const rules = tenantDocumentSchema.shape.staff.unwrap().element.shape
const FIELDS = ['name', 'email', 'password'] as const
type Field = (typeof FIELDS)[number]

/** Adds somebody, or changes who is there; the e-mail is who they are, and stays. */
export function StaffDialog({ member, onClose }: { member: StaffMemberDto | null; onClose: () => void }) {
  const { staff: texts } = useTexts(peopleTexts)
  const common = useTexts(commonTexts)
  const { values, set, faults, role, setRole, submit, isBusy } = useStaffForm(member, onClose)
  const input = (field: Field) => ({
    name: field,
    value: values[field],
    error: faults[field],
    autoComplete: field === 'password' ? 'new-password' : 'off',
    onChange: (event: { currentTarget: { value: string } }) => set(field, event.currentTarget.value),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={member === null ? texts.add : texts.editTitle(member.name)}
      centered
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput {...input('name')} label={texts.name} data-autofocus />
          <TextInput
            {...input('email')}
            type="email"
            label={texts.email}
            readOnly={member !== null}
            variant={member === null ? 'default' : 'filled'}
          />
          <Select
            label={texts.role}
            description={texts.roleHint}
            data={(['attendant', 'owner'] as const).map((value) => ({ value, label: common.role[value] }))}
            value={role}
            allowDeselect={false}
            onChange={(value) => setRole(value === 'owner' ? 'owner' : 'attendant')}
          />
          <PasswordInput
            {...input('password')}
            label={member === null ? texts.password : texts.newPassword}
            description={member === null ? texts.passwordHint : texts.newPasswordHint}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={isBusy}>
              {common.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function useStaffForm(member: StaffMemberDto | null, onClose: () => void) {
  const all = useTexts(peopleTexts)
  const texts = all.staff
  const create = useCreateStaff()
  const change = useChangeStaff()
  const [values, setValues] = useState({ name: member?.name ?? '', email: member?.email ?? '', password: '' })
  const [role, setRole] = useState(member?.role ?? 'attendant')
  const [faults, setFaults] = useState<Partial<Record<Field, string>>>({})
  const set = (field: Field, value: string) => {
    setValues((before) => ({ ...before, [field]: value }))
    setFaults(({ [field]: _mended, ...others }) => others)
  }
  const judge = (): Partial<Record<Field, string>> => {
    const keepsPassword = member !== null && values.password === ''
    const isGood: Record<Field, boolean> = {
      name: rules.name.safeParse(values.name).success,
      email: member !== null || rules.email.safeParse(values.email).success,
      password: keepsPassword || rules.password.unwrap().safeParse(values.password).success,
    }
    const words = { name: texts.nameInvalid, email: texts.emailInvalid, password: texts.passwordInvalid }
    return Object.fromEntries(FIELDS.filter((field) => !isGood[field]).map((field) => [field, words[field]]))
  }
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.code === 'email_taken') {
      setFaults({ email: all.problem(error.code) ?? error.message })
    } else {
      notifyFailure(texts.failed, error, all.problem)
    }
  }
  const done = (message: string) => {
    notifyDone(message)
    onClose()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = judge()
    setFaults(found)
    const first = FIELDS.find((field) => found[field] !== undefined)
    if (first !== undefined) {
      event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
      return
    }
    const { name, email, password } = values
    if (member === null) {
      create.mutate({ name, email, role, password }, { onError, onSuccess: () => done(texts.created(name)) })
      return
    }
    const changes = { name, role, ...(password === '' ? {} : { password }) }
    change.mutate({ id: member.id, change: changes }, { onError, onSuccess: () => done(texts.changed(name)) })
  }
  return { values, set, faults, role, setRole, submit, isBusy: create.isPending || change.isPending }
}
