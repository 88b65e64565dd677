import { ActionIcon, Badge, Button, Menu } from '@mantine/core'
import { IconDots, IconLogout, IconPencil, IconPlus, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { useState } from 'react'
import type { StaffMemberDto } from '../../../../contracts/dashboard-api.ts'
import { useChangeStaff, useLogoutStaff, useStaff } from '../../../api/staff.ts'
import { useMe } from '../../../auth/session.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { LoadingState } from '../../../components/loading-state.tsx'
import { notifyDone, notifyFailure } from '../../../components/notify.ts'
import { commonTexts } from '../../../i18n/common-texts.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { AskDialog } from '../ask-dialog.tsx'
import { peopleTexts } from '../people-texts.ts'
import classes from '../settings.module.css'
import { StaffDialog } from './staff-dialog.tsx'

/** The people who may enter, and whether they still may. */
export function StaffSection() {
  const all = useTexts(peopleTexts)
  const texts = all.staff
  const common = useTexts(commonTexts)
  const { data: staff, error, refetch } = useStaff()
  const [edited, setEdited] = useState<StaffMemberDto | 'new' | null>(null)
  const [dismissed, setDismissed] = useState<StaffMemberDto | null>(null)
  const change = useChangeStaff()
  const onError = (failure: Error) => notifyFailure(texts.failed, failure, all.problem)
  const setActive = ({ id, name }: StaffMemberDto, active: boolean) =>
    change.mutate(
      { id, change: { active } },
      {
        onError,
        onSuccess: () => notifyDone(active ? texts.reactivated(name) : texts.deactivated(name)),
        onSettled: () => setDismissed(null),
      },
    )
  if (staff === undefined) {
    return error === null ? <LoadingState /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return (
    <>
      <p className={classes.lead}>{texts.lead}</p>
      <div className={classes.panel}>
        <table className={classes.people}>
          <thead>
            <tr>
              <th scope="col">{texts.person}</th>
              <th scope="col">{texts.role}</th>
              <th scope="col">{texts.state}</th>
              <th scope="col" aria-label={texts.edit} />
            </tr>
          </thead>
          <tbody>
            {staff.map((member) => (
              <tr key={member.id} data-staff={member.email}>
                <td>
                  <Who member={member} />
                </td>
                <td>{common.role[member.role]}</td>
                <td>{member.active ? texts.sessionCount(member.sessions) : <Inactive />}</td>
                <td className={classes.actions}>
                  <MemberMenu
                    member={member}
                    onEdit={() => setEdited(member)}
                    onDeactivate={() => setDismissed(member)}
                    onReactivate={() => setActive(member, true)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Button variant="light" mt="md" leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
        {texts.add}
      </Button>
      {edited !== null && (
        <StaffDialog member={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      <AskDialog
        isOpen={dismissed !== null}
        title={texts.deactivateTitle(dismissed?.name ?? '')}
        hint={texts.deactivateHint}
        no={common.cancel}
        yes={texts.deactivate}
        isBusy={change.isPending}
        onNo={() => setDismissed(null)}
        onYes={() => dismissed !== null && setActive(dismissed, false)}
      />
    </>
  )
}

function Who({ member }: { member: StaffMemberDto }) {
  const { staff: texts } = useTexts(peopleTexts)
  const me = useMe()
  return (
    <>
      <strong>{member.name}</strong>
      {member.id === me.staff.id && (
        <Badge variant="light" size="sm" ml={8} tt="none">
          {texts.you}
        </Badge>
      )}
      <br />
      <span style={{ color: 'var(--mantine-color-dimmed)' }}>{member.email}</span>
    </>
  )
}

function Inactive() {
  const { staff: texts } = useTexts(peopleTexts)
  return (
    <Badge variant="default" tt="none">
      {texts.inactive}
    </Badge>
  )
}

interface MemberMenuProps {
  readonly member: StaffMemberDto
  readonly onEdit: () => void
  readonly onDeactivate: () => void
  readonly onReactivate: () => void
}

function MemberMenu({ member, onEdit, onDeactivate, onReactivate }: MemberMenuProps) {
  const all = useTexts(peopleTexts)
  const texts = all.staff
  const logout = useLogoutStaff()
  const endSessions = () =>
    logout.mutate(member.id, {
      onSuccess: () => notifyDone(texts.loggedOut(member.name)),
      onError: (failure) => notifyFailure(texts.failed, failure, all.problem),
    })
  return (
    <Menu position="bottom-end" withArrow>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={texts.actions(member.name)}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
          {texts.edit}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} />}
          disabled={member.sessions === 0}
          onClick={endSessions}
        >
          {texts.logout}
        </Menu.Item>
        <Menu.Divider />
        {member.active ? (
          <Menu.Item color="red.8" leftSection={<IconUserOff size={16} />} onClick={onDeactivate}>
            {texts.deactivate}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconUserCheck size={16} />} onClick={onReactivate}>
            {texts.reactivate}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
