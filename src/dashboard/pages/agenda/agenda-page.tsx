import { Button, Checkbox, Text } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import type { CatalogDto } from '../../../contracts/dashboard-api.ts'
import type { AppointmentDto } from '../../../contracts/staff-api.ts'
import { useTenant } from '../../auth/session.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { LoadingState } from '../../components/loading-state.tsx'
import { notifyRefusal } from '../../components/notify.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/texts.ts'
import { useAppointments, useCatalog } from './agenda-api.ts'
import { AgendaBar } from './agenda-bar.tsx'
import classes from './agenda-page.module.css'
import { agendaTexts } from './agenda-texts.ts'
import { AppointmentDrawer } from './appointment-drawer.tsx'
import { AgendaCalendar, type Placement, spanOf } from './calendar.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { refusalTexts } from './refusal-texts.ts'
import { useAgendaPlace } from './use-agenda-place.ts'
import { useMoveWithReason } from './use-move-with-reason.tsx'
import { wallOf } from './wall-time.ts'

/** Who comes when, by professional; everything by the clock of the business. */
export function AgendaPage() {
  const common = useTexts(commonTexts)
  const texts = useTexts(agendaTexts)
  const { timeZone } = useTenant()
  const catalog = useCatalog()
  const [isCreating, setIsCreating] = useState(false)
  const isElsewhere = Intl.DateTimeFormat().resolvedOptions().timeZone !== timeZone
  return (
    <div className={classes.page}>
      <PageHeader title={common.agenda}>
        {isElsewhere && (
          <Text size="xs" c="dimmed" visibleFrom="sm">
            {texts.zone(timeZone)}
          </Text>
        )}
        <Button
          leftSection={<IconPlus size={17} />}
          onClick={() => setIsCreating(true)}
          disabled={catalog.data === undefined}
        >
          {texts.create}
        </Button>
      </PageHeader>
      {catalog.data !== undefined ? (
        <Agenda catalog={catalog.data} isCreating={isCreating} onCreated={() => setIsCreating(false)} />
      ) : catalog.error !== null ? (
        <ErrorState error={catalog.error} onRetry={() => void catalog.refetch()} />
      ) : (
        <LoadingState />
      )}
    </div>
  )
}

interface AgendaProps {
  readonly catalog: CatalogDto
  readonly isCreating: boolean
  readonly onCreated: () => void
}

function Agenda({ catalog, isCreating, onCreated }: AgendaProps) {
  const texts = useTexts(agendaTexts)
  const reasons = useTexts(refusalTexts)
  const place = useAgendaPlace()
  const [professional, setProfessional] = useState<string>()
  const [withCancelled, setWithCancelled] = useState(false)
  const [opened, setOpened] = useState<string>()
  const [picked, setPicked] = useState<Placement>()
  const appointments = useAppointments(spanOf(place.view, place.first))
  const move = useMoveWithReason()
  const items = appointments.data ?? []
  if (catalog.professionals.length === 0 && items.length === 0) {
    return <EmptyState icon={IconUsers} title={texts.noProfessionals} hint={texts.noProfessionalsHint} />
  }
  const drop = (appointment: AppointmentDto, to: Placement) => {
    const key = to.professional ?? appointment.professional.key
    const professional = catalog.professionals.find((one) => one.key === key)
    if (professional === undefined) notifyRefusal(texts.moveRefused, reasons.unknown_professional)
    else move(appointment, { start: to.start, professional })
  }
  const pick = (at: Placement) => {
    const isActive = catalog.professionals.some(({ key }) => key === at.professional)
    if (at.professional === undefined || isActive) setPicked(at)
  }
  const close = () => {
    setPicked(undefined)
    onCreated()
  }
  const shown = items.filter(({ status }) => withCancelled || status !== 'cancelled')
  const isManyColumns = place.view === 'day' && professional === undefined
  return (
    <>
      <AgendaBar place={place} catalog={catalog} professional={professional} onProfessional={setProfessional}>
        <Checkbox
          label={texts.showCancelled}
          checked={withCancelled}
          onChange={(event) => setWithCancelled(event.currentTarget.checked)}
        />
      </AgendaBar>
      {appointments.error !== null ? (
        <ErrorState error={appointments.error} onRetry={() => void appointments.refetch()} />
      ) : (
        <div
          className={classes.grid}
          data-view={place.view}
          data-columns={isManyColumns || undefined}
          aria-busy={appointments.isFetching}
        >
          <AgendaCalendar
            view={place.view}
            date={place.date}
            catalog={catalog}
            professional={professional}
            appointments={shown}
            onOpen={({ code }) => setOpened(code)}
            onPick={pick}
            onDrop={drop}
          />
        </div>
      )}
      <AppointmentDrawer
        appointment={items.find(({ code }) => code === opened)}
        catalog={catalog}
        onClose={() => setOpened(undefined)}
        onMove={move}
      />
      {(isCreating || picked !== undefined) && (
        <CreateDialog
          catalog={catalog}
          start={picked?.start ?? wallOf(place.date)}
          hasTime={picked !== undefined}
          professional={picked?.professional ?? professional}
          onClose={close}
        />
      )}
    </>
  )
}
