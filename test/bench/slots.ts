/**
 * The slot engine against its limits, and beside `slot-calculator` on the same input. The results are
 * compared first: a fast wrong answer is no answer.
 */
import { getSlots } from 'slot-calculator'
import { addDays } from '../../src/scheduling/civil-date.ts'
import { type FindSlotsInput, findSlots } from '../../src/scheduling/find-slots.ts'
import { formatOffsetInstant, startOfDay, wallToInstant } from '../../src/scheduling/time-zone.ts'
import type { Interval } from '../../src/scheduling/types.ts'

const ZONE = 'America/Sao_Paulo'
const UNUSED_ZONES = [
  'America/New_York',
  'America/Santiago',
  'Africa/Casablanca',
  'Asia/Tokyo',
  'Europe/Lisbon',
]
const FROM = '2026-12-07'
const MINUTE_MS = 60_000
const DURATION_MINUTES = 30
const WORKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const
const SHIFTS = [
  { from: '09:00', to: '12:00' },
  { from: '13:00', to: '18:00' },
] as const
const LIMITS_MS = { warm60Days: 1, cold60Days: 10, twentyProfessionals: 15 }

interface Work {
  readonly days: number
  readonly booked: readonly Interval[]
}

/** Prints the comparison and the timings; throws when results differ; a limit passed sets the exit code. */
export async function bench(): Promise<void> {
  // The first formatter of a process loads ICU: some 15 ms that are Node's, whoever asks first.
  new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).format(0)
  const sixty: Work = { days: 60, booked: bookings(60, 0) }
  const first = timed(() => ours(sixty))
  compare(sixty)
  const colds = UNUSED_ZONES.map((zone) => timed(() => ours(sixty, zone)))
  const warm = median(200, () => ours(sixty))
  const theirsWarm = median(3, () => theirs(sixty))

  const team = Array.from({ length: 20 }, (_, seed): Work => ({ days: 30, booked: bookings(30, seed) }))
  for (const work of team) {
    compare(work)
  }
  const teamMs = median(50, () => team.map((work) => ours(work)))
  const theirTeamMs = median(1, () => team.map(theirs))

  console.log(
    `slots: results equal on ${ours(sixty).length} starts of 60 days and on 20 calendars of 30 days`,
  )
  report('60 days, one professional, first call of the process', first, LIMITS_MS.cold60Days)
  report('60 days, one professional, zone not seen before', middle(colds), LIMITS_MS.cold60Days)
  report('60 days, one professional, warm', warm, LIMITS_MS.warm60Days, theirsWarm)
  report('30 days, 20 professionals, warm', teamMs, LIMITS_MS.twentyProfessionals, theirTeamMs)
}

function report(name: string, ms: number, limitMs: number, peerMs?: number): void {
  const peer =
    peerMs === undefined
      ? ''
      : `; slot-calculator ${peerMs.toFixed(1)} ms, ${Math.round(peerMs / ms)} times as long`
  console.log(
    `slots: ${name}: ${ms.toFixed(3)} ms (limit ${limitMs} ms${ms > limitMs ? ': OVER' : ''})${peer}`,
  )
  if (ms > limitMs) {
    process.exitCode = 1
  }
}

/** A busy calendar: one to four appointments a day, on half hours, which both engines lay out alike. */
function bookings(days: number, seed: number): Interval[] {
  const booked: Interval[] = []
  for (let day = 0; day < days; day += 1) {
    for (let turn = 0; turn <= (day + seed) % 4; turn += 1) {
      const halfHours = 18 + ((day * 7 + turn * 5 + seed * 3) % 17)
      const start = startOfDay(ZONE, addDays(FROM, day)) + halfHours * 30 * MINUTE_MS
      booked.push({ start, end: start + (1 + (turn % 2)) * 30 * MINUTE_MS })
    }
  }
  return booked
}

function ours({ days, booked }: Work, timeZone = ZONE): number[] {
  const input: FindSlotsInput = {
    schedule: {
      timeZone,
      hours: SHIFTS.map(({ from, to }) => ({
        weekdays: [1, 2, 3, 4, 5],
        from: minutes(from),
        to: minutes(to),
      })),
      exceptions: [],
      blocked: booked,
    },
    service: { durationMinutes: DURATION_MINUTES, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 },
    policy: {
      slotStepMinutes: DURATION_MINUTES,
      slotAlignment: 'shift',
      minNoticeMinutes: 0,
      maxAdvanceDays: 365,
    },
    now: wallToInstant(timeZone, `${addDays(FROM, -1)}T12:00`)?.instant ?? Number.NaN,
    limits: 'customer',
    fromDate: FROM,
    toDate: addDays(FROM, days - 1),
  }
  return findSlots(input).map(({ start }) => start)
}

function theirs({ days, booked }: Work): number[] {
  const { availableSlots } = getSlots({
    from: formatOffsetInstant(ZONE, startOfDay(ZONE, FROM)),
    to: formatOffsetInstant(ZONE, startOfDay(ZONE, addDays(FROM, days))),
    duration: DURATION_MINUTES,
    outputTimezone: ZONE,
    availability: WORKDAYS.flatMap((name) =>
      SHIFTS.map((shift) => ({ day: { text: name, locale: 'en' }, ...shift, timezone: ZONE })),
    ),
    unavailability: booked.map(({ start, end }) => ({
      from: formatOffsetInstant(ZONE, start),
      to: formatOffsetInstant(ZONE, end),
    })),
  })
  return availableSlots.map(({ from }) => Date.parse(from))
}

function compare(work: Work): void {
  const [mine, peer] = [ours(work), theirs(work)]
  if (
    mine.length === 0 ||
    mine.length !== peer.length ||
    mine.some((start, index) => start !== peer[index])
  ) {
    throw new Error(`results differ: ${mine.length} starts here, ${peer.length} from slot-calculator`)
  }
}

function minutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

function timed(work: () => unknown): number {
  const begin = performance.now()
  work()
  return performance.now() - begin
}

function median(rounds: number, work: () => unknown): number {
  return middle(Array.from({ length: rounds }, () => timed(work)))
}

function middle(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
}
