import { useMemo } from 'react'
import { Calendar as BaseCalendar, type CalendarProps, type SlotInfo } from 'react-big-calendar'
import dragAndDrop, { type EventInteractionArgs } from 'react-big-calendar/lib/addons/dragAndDrop'
import 'react-big-calendar/lib/css/react-big-calendar.css'
import 'react-big-calendar/lib/addons/dragAndDrop/styles.css'
import type { CatalogDto } from '../../../contracts/dashboard-api.ts'
import type { AppointmentDto } from '../../../contracts/staff-api.ts'
import { useTenant } from '../../auth/session.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { agendaTexts } from './agenda-texts.ts'
import './calendar.css'
import { type AgendaColumn, columnsOf } from './columns.ts'
import { isOpenAt, openRanges } from './open-ranges.ts'
import { colorOf } from './professional-color.ts'
import type { AgendaView } from './use-agenda-place.ts'
import { visibleHours } from './visible-hours.ts'
import { createWallLocalizer } from './wall-localizer.ts'
import { addDays, dateOfWall, wallAt, wallOf, wallOfInstant } from './wall-time.ts'

export interface CalendarEvent {
  readonly appointment: AppointmentDto
  readonly start: Date
  readonly end: Date
  readonly professional: string
}

export interface Placement {
  /** Wall times. */
  readonly start: Date
  readonly end: Date
  readonly professional: string | undefined
}

export interface AgendaCalendarProps {
  readonly view: AgendaView
  readonly date: string
  readonly catalog: CatalogDto
  /** Key; undefined shows everyone. */
  readonly professional: string | undefined
  readonly appointments: readonly AppointmentDto[]
  readonly onOpen: (appointment: AppointmentDto) => void
  readonly onPick: (place: Placement) => void
  readonly onDrop: (appointment: AppointmentDto, place: Placement) => void
}

const STEP_MINUTES = 15
type DragAndDrop = typeof dragAndDrop

/** The add-on is CommonJS: what a bundler calls its default is the function, or the module that holds it. */
function readDragAndDrop(loaded: unknown): DragAndDrop {
  if (isDragAndDrop(loaded)) return loaded
  const inner: unknown =
    typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : null
  if (isDragAndDrop(inner)) return inner
  throw new Error('the calendar came without drag and drop')
}

function isDragAndDrop(value: unknown): value is DragAndDrop {
  return typeof value === 'function'
}

const withDragAndDrop = readDragAndDrop(dragAndDrop)
const Grid = withDragAndDrop<CalendarEvent, AgendaColumn>(asComponent(BaseCalendar))

/** A day with a column for each professional, or a week of one of them or of all together. */
export function AgendaCalendar(props: AgendaCalendarProps) {
  const { view, date, catalog, professional, appointments } = props
  const { locale } = useLocale()
  const { timeZone } = useTenant()
  const texts = useTexts(agendaTexts)
  const localizer = useMemo(() => createWallLocalizer(locale, locale === 'es' ? 1 : 0), [locale])
  const events = useMemo(() => appointments.map(eventOf), [appointments])
  const columns = columnsOf(catalog, events, view === 'day' ? wallOf(date) : undefined)
  const shown = columns.filter(({ key }) => professional === undefined || key === professional)
  const hours = visibleHours(catalog, events)
  const isOpen = (slot: Date, column: string | undefined) => {
    const minutes = slot.getUTCHours() * 60 + slot.getUTCMinutes()
    const keys = column === undefined ? shown.map(({ key }) => key) : [column]
    return keys.some((key) => isOpenAt(openRanges(catalog, key, dateOfWall(slot)), minutes))
  }
  return (
    <Grid
      localizer={localizer}
      messages={{ allDay: '', today: texts.today, day: texts.day, week: texts.week }}
      elementProps={{ role: 'region', 'aria-label': texts.calendar }}
      toolbar={false}
      views={['day', 'week']}
      view={view}
      date={wallOf(date)}
      onView={ignore}
      onNavigate={ignore}
      getNow={() => wallAt(timeZone, Date.now())}
      events={events.filter((event) => shown.some(({ key }) => key === event.professional))}
      {...(view === 'day' ? { resources: shown } : {})}
      resourceIdAccessor="key"
      resourceTitleAccessor={({ name, isActive }) => (isActive ? name : texts.removed(name))}
      resourceAccessor="professional"
      titleAccessor={({ appointment }) => titleOf(appointment)}
      tooltipAccessor={({ appointment }) =>
        `${titleOf(appointment)} · ${appointment.service.name} · ${appointment.professional.name}`
      }
      components={{ event: EventBody, header: DayName }}
      eventPropGetter={({ appointment }) => eventLook(catalog, appointment)}
      slotPropGetter={(slot, column: unknown) =>
        isOpen(slot, typeof column === 'string' ? column : undefined) ? {} : { className: 'agenda-closed' }
      }
      step={STEP_MINUTES}
      timeslots={4}
      min={hours.min}
      max={hours.max}
      scrollToTime={wallOf(date, '08:00')}
      showMultiDayTimes
      selectable
      onSelectSlot={(slot) => props.onPick(placementOf(slot))}
      onSelectEvent={({ appointment }) => props.onOpen(appointment)}
      onKeyPressEvent={({ appointment }, event) => {
        if (!isActivation(event.nativeEvent)) return
        event.preventDefault()
        props.onOpen(appointment)
      }}
      resizable={false}
      draggableAccessor={({ appointment }) => isMovable(appointment)}
      onEventDrop={(drop) => props.onDrop(drop.event.appointment, dropPlacement(drop))}
    />
  )
}

export function isMovable({ status }: AppointmentDto): boolean {
  return status === 'booked' || status === 'confirmed'
}

/** The local dates that a view shows, and the day before: an appointment may run past midnight. */
export function spanOf(view: AgendaView, first: string) {
  return { from: addDays(first, -1), to: view === 'day' ? first : addDays(first, 6) }
}

function EventBody({ event: { appointment } }: { event: CalendarEvent }) {
  return (
    <span className="agenda-body">
      <strong>{titleOf(appointment)}</strong>
      <span>{appointment.service.name}</span>
    </span>
  )
}

/** The library's own says that it heads a column of a table, which there is none of. */
function DayName({ label }: { label: string }) {
  return <span>{label}</span>
}

function titleOf({ forName, customer, code }: AppointmentDto): string {
  return forName ?? customer?.name ?? customer?.phone ?? code
}

function eventLook(
  catalog: CatalogDto,
  { status, professional, startsAt, endsAt }: AppointmentDto,
): { className: string; style: React.CSSProperties } {
  const style: React.CSSProperties & Record<'--event-hue', string> = {
    '--event-hue': colorOf(catalog, professional.key),
  }
  const minutes = (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000
  const size = minutes <= STEP_MINUTES ? ' agenda-short agenda-tiny' : minutes <= 30 ? ' agenda-short' : ''
  return { className: `agenda-event agenda-${status}${size}`, style }
}

function eventOf(appointment: AppointmentDto): CalendarEvent {
  return {
    appointment,
    start: wallOfInstant(appointment.startsAt),
    end: wallOfInstant(appointment.endsAt),
    professional: appointment.professional.key,
  }
}

function placementOf({ start, end, resourceId }: SlotInfo): Placement {
  return { start, end, professional: resourceId === undefined ? undefined : String(resourceId) }
}

function dropPlacement({ event, start, resourceId }: EventInteractionArgs<CalendarEvent>): Placement {
  const at = new Date(start)
  const length = event.end.getTime() - event.start.getTime()
  const professional = resourceId === undefined ? event.professional : String(resourceId)
  return { start: at, end: new Date(at.getTime() + length), professional }
}

function isActivation(event: Event): boolean {
  return event instanceof KeyboardEvent && (event.key === 'Enter' || event.key === ' ')
}

function ignore(): void {
  // The page owns view and date.
}

function asComponent(
  calendar: typeof BaseCalendar,
): React.ComponentType<CalendarProps<CalendarEvent, AgendaColumn>> {
  return calendar
}
