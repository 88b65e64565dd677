import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { AppointmentDto } from '../../../contracts/staff-api.ts'
import { useTenant } from '../../auth/session.ts'
import { notifyDone } from '../../components/notify.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/texts.ts'
import { useMove } from './agenda-api.ts'
import { agendaTexts } from './agenda-texts.ts'
import { explainRefusal, isForceable, refusalTexts } from './refusal-texts.ts'
import { instantOfWall, wallOfInstant } from './wall-time.ts'

export interface MoveTarget {
  /** Wall time. */
  readonly start: Date
  readonly professional: AppointmentDto['professional']
}
export type MoveAppointment = (appointment: AppointmentDto, to: MoveTarget) => void

/** Moves at once; a refusal puts it back and says why, and where the staff may insist it offers that. */
export function useMoveWithReason(): MoveAppointment {
  const texts = useTexts(agendaTexts)
  const common = useTexts(commonTexts)
  const reasons = useTexts(refusalTexts)
  const { timeZone } = useTenant()
  const move = useMove()
  const send = (appointment: AppointmentDto, to: MoveTarget, force: boolean) => {
    const { code, startsAt, endsAt, professional } = appointment
    const length = wallOfInstant(endsAt).getTime() - wallOfInstant(startsAt).getTime()
    const isSamePlace = wallOfInstant(startsAt).getTime() === to.start.getTime()
    if (isSamePlace && professional.key === to.professional.key) return
    const target = {
      code,
      startsAt: instantText(timeZone, to.start),
      endsAt: instantText(timeZone, new Date(to.start.getTime() + length)),
      professional: { key: to.professional.key, name: to.professional.name },
      force,
    }
    move.mutate(target, {
      onSuccess: (moved) => notifyDone(texts.moved(moved.startsAt.slice(11, 16))),
      onError: (error) => {
        const id = `move-${code}`
        notifications.show({
          id,
          title: texts.moveRefused,
          color: 'red',
          withBorder: true,
          autoClose: 12_000,
          closeButtonProps: { 'aria-label': common.close },
          message: (
            <>
              <Text size="sm" c="var(--mantine-color-text)">
                {explainRefusal(error, reasons)}
              </Text>
              {isForceable(error) && (
                <Button
                  mt="xs"
                  size="xs"
                  variant="light"
                  color="red"
                  onClick={() => {
                    notifications.hide(id)
                    send(appointment, to, true)
                  }}
                >
                  {texts.moveAnyway}
                </Button>
              )}
            </>
          ),
        })
      },
    })
  }
  return (appointment, to) => send(appointment, to, false)
}

/** As the API writes instants: the tenant's wall time with its offset. */
export function instantText(timeZone: string, wall: Date): string {
  const minutes = Math.round((wall.getTime() - instantOfWall(timeZone, wall).getTime()) / 60_000)
  const part = (value: number) => String(Math.trunc(value)).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${wall.toISOString().slice(0, 19)}${minutes < 0 ? '-' : '+'}${part(size / 60)}:${part(size % 60)}`
}
