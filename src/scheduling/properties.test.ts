import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { checkStart } from './check-start.ts'
import { addDays } from './civil-date.ts'
import { findSlots } from './find-slots.ts'
import { blockedInterval, MINUTE_MS, overlaps } from './intervals.ts'
import { startOfDay } from './time-zone.ts'
import type { HoursException, Interval, SchedulePolicy, SlotQuestion, WallRange } from './types.ts'

/** A Thursday or Friday before a change of clocks (São Paulo, without one, as the ordinary case). */
const PLACES = [
  ['America/New_York', '2026-03-06'],
  ['America/New_York', '2026-10-30'],
  ['America/Santiago', '2026-04-03'],
  ['America/Santiago', '2026-09-04'],
  ['Australia/Lord_Howe', '2026-04-03'],
  ['Australia/Lord_Howe', '2026-10-02'],
  ['America/Nuuk', '2026-03-27'],
  ['Africa/Casablanca', '2026-03-20'],
  ['America/Sao_Paulo', '2026-12-04'],
] as const
const DAYS = 4
const RUNS = 100
/** For the property that asks about every fifth minute of four days, over a thousand decisions a run. */
const SWEEP_RUNS = 40

interface Scene extends SlotQuestion {
  readonly fromDate: string
  readonly toDate: string
}

const quarter = (min: number, max: number) => fc.integer({ min: min / 15, max: max / 15 }).map((n) => n * 15)
const wallRange: fc.Arbitrary<WallRange> = fc.record({ from: quarter(0, 1425), to: quarter(0, 1440) })
const weekdays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 2, maxLength: 7 })
const service = fc.record({
  durationMinutes: fc.constantFrom(15, 30, 45, 60, 90),
  bufferBeforeMinutes: fc.constantFrom(0, 0, 10, 15),
  bufferAfterMinutes: fc.constantFrom(0, 0, 5, 30),
})

function sceneOf(alignment: 'shift' | 'gap'): fc.Arbitrary<Scene> {
  const policy: fc.Arbitrary<SchedulePolicy> = fc.record({
    slotStepMinutes: fc.constantFrom(10, 15, 20, 30, 60),
    slotAlignment: fc.constant(alignment),
    minNoticeMinutes: fc.constantFrom(0, 60, 600),
    maxAdvanceDays: fc.constantFrom(1, 2, 30),
  })
  return fc
    .record({
      place: fc.constantFrom(...PLACES),
      hours: fc.array(fc.tuple(weekdays, wallRange), { minLength: 1, maxLength: 4 }),
      exceptions: fc.array(
        fc.record({
          own: fc.boolean(),
          first: fc.integer({ min: -1, max: DAYS }),
          days: fc.integer({ min: 0, max: 2 }),
          hours: fc.array(wallRange, { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
      blocked: fc.array(fc.tuple(fc.integer({ min: 0, max: DAYS * 288 }), fc.integer({ min: 1, max: 30 })), {
        maxLength: 6,
      }),
      nowMinutes: fc.integer({ min: -600, max: 1800 }),
      service,
      policy,
    })
    .map(({ place: [timeZone, fromDate], ...drawn }): Scene => {
      const origin = startOfDay(timeZone, fromDate)
      return {
        schedule: {
          timeZone,
          hours: drawn.hours.map(([days, range]) => ({ weekdays: days, ...range })),
          exceptions: drawn.exceptions.map(({ own, first, days, hours }) => {
            return { own, fromDate: addDays(fromDate, first), toDate: addDays(fromDate, first + days), hours }
          }),
          blocked: drawn.blocked.map(([at, length]) => {
            return { start: origin + at * 5 * MINUTE_MS, end: origin + (at + length) * 5 * MINUTE_MS }
          }),
        },
        service: drawn.service,
        policy: drawn.policy,
        now: origin + drawn.nowMinutes * MINUTE_MS,
        fromDate,
        toDate: addDays(fromDate, DAYS - 1),
      }
    })
}

function starts(scene: Scene, limits: 'customer' | 'staff' = 'customer'): number[] {
  return findSlots({ ...scene, limits }).map(({ start }) => start)
}

function withBlocked(scene: Scene, blocked: readonly Interval[]): Scene {
  return { ...scene, schedule: { ...scene.schedule, blocked } }
}

function holds<T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => void, numRuns = RUNS): void {
  fc.assert(fc.property(arbitrary, check), { numRuns })
}

/** The start of every fifth minute of the scene's days. */
function everyFiveMinutes({ schedule, fromDate, toDate }: Scene): number[] {
  const end = startOfDay(schedule.timeZone, addDays(toDate, 1))
  const instants: number[] = []
  for (let at = startOfDay(schedule.timeZone, fromDate); at < end; at += 5 * MINUTE_MS) {
    instants.push(at)
  }
  return instants
}

describe.each(['shift', 'gap'] as const)('slots aligned by %s', { timeout: 60_000 }, (alignment) => {
  const scenes = sceneOf(alignment)

  it('are all bookable, to customers and to the staff', () => {
    holds(scenes, (scene) => {
      for (const limits of ['customer', 'staff'] as const) {
        const refused = starts(scene, limits).filter((start) => !checkStart({ ...scene, start, limits }).ok)
        expect(refused).toEqual([])
      }
    })
  })

  it('are all that is bookable', () => {
    holds(
      scenes,
      (scene) => {
        const bookable = everyFiveMinutes(scene).filter((start) => {
          return checkStart({ ...scene, start, limits: 'customer' }).ok
        })
        expect(starts(scene)).toEqual(bookable)
      },
      SWEEP_RUNS,
    )
  })

  it('are those that the rules give when read slowly, with Temporal, minute by minute', () => {
    holds(scenes, (scene) => {
      const shifts = slowShifts(scene)
      const expected = everyFiveMinutes(scene).filter((start) => slowlyOffered(scene, shifts, start))
      expect(starts(scene)).toEqual(expected)
    })
  })

  it('of a range are the union of those of its parts', () => {
    holds(fc.tuple(scenes, fc.integer({ min: 0, max: DAYS - 2 })), ([scene, days]) => {
      const middle = addDays(scene.fromDate, days)
      const parts = [
        ...starts({ ...scene, toDate: middle }),
        ...starts({ ...scene, fromDate: addDays(middle, 1) }),
      ]
      expect(parts).toEqual(starts(scene))
    })
  })

  it('that a booking removes conflict with it, or are laid anew behind it where gaps have their own grid', () => {
    holds(fc.tuple(scenes, fc.nat()), ([scene, pick]) => {
      const before = starts(scene)
      const chosen = before[pick % Math.max(1, before.length)]
      fc.pre(chosen !== undefined)
      const booking = blockedInterval(chosen, scene.service)
      const after = withBlocked(scene, [...scene.schedule.blocked, booking])
      expectOnlyTouched(scene, after, booking, alignment)
    })
  })

  it('are not removed by a cancellation, unless a wider gap lays them anew', () => {
    holds(fc.tuple(scenes, fc.nat()), ([scene, pick]) => {
      const { blocked } = scene.schedule
      const cancelled = blocked[pick % Math.max(1, blocked.length)]
      fc.pre(cancelled !== undefined)
      const after = withBlocked(
        scene,
        blocked.filter((interval) => interval !== cancelled),
      )
      const kept = new Set(starts(after))
      const lost = starts(scene).filter((start) => !kept.has(start))
      expect(
        alignment === 'shift' ? lost : lost.filter((start) => !laidAnew(after, cancelled, start)),
      ).toEqual([])
    })
  })
})

function expectOnlyTouched(before: Scene, after: Scene, booking: Interval, alignment: 'shift' | 'gap'): void {
  const kept = new Set(starts(after))
  const unexplained = starts(before).filter((start) => {
    const conflicts = overlaps(blockedInterval(start, before.service), booking)
    return !kept.has(start) && !conflicts && !(alignment === 'gap' && laidAnew(after, booking, start))
  })
  expect(unexplained).toEqual([])
}

/** A start behind `changed` in the same free gap: free time still, but the gap's grid has another origin. */
function laidAnew(after: Scene, changed: Interval, start: number): boolean {
  const wanted = blockedInterval(start, after.service)
  const between = after.schedule.blocked.some(({ end }) => end > changed.end && end <= wanted.start)
  return wanted.start >= changed.end && !between && checkStart({ ...after, start, limits: 'staff' }).ok
}

interface SlowShift extends Interval {
  readonly date: string
}

/** The rules for shifts word by word: quadratic, Temporal for every instant, no shared code. */
function slowShifts({ schedule, fromDate, toDate }: Scene): SlowShift[] {
  const { timeZone } = schedule
  const all: SlowShift[] = []
  const last = Temporal.PlainDate.from(toDate)
  for (
    let day = Temporal.PlainDate.from(fromDate).subtract({ days: 2 });
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  ) {
    const governing = slowException(schedule.exceptions, day)
    const weekly = schedule.hours.filter((hours) => hours.weekdays.includes(day.dayOfWeek))
    let ofDay = (governing?.hours ?? weekly).map(({ from, to }) => {
      const start = day.toPlainDateTime().add({ minutes: from }).toZonedDateTime(timeZone)
      const end = day
        .toPlainDateTime()
        .add({ minutes: to <= from ? to + 1440 : to })
        .toZonedDateTime(timeZone)
      let endMs = end.epochMilliseconds
      for (const next of [day.add({ days: 1 }), day.add({ days: 2 })]) {
        const other = slowException(schedule.exceptions, next)
        if (other !== undefined && other !== governing) {
          endMs = Math.min(endMs, next.toZonedDateTime(timeZone).epochMilliseconds)
        }
      }
      return { date: day.toString(), start: start.epochMilliseconds, end: endMs }
    })
    ofDay = ofDay.filter(({ start, end }) => start < end)
    for (let pair = overlappingPair(ofDay); pair !== undefined; pair = overlappingPair(ofDay)) {
      const [a, b] = pair
      const joined = { ...a, start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) }
      ofDay = [...ofDay.filter((shift) => shift !== a && shift !== b), joined]
    }
    all.push(...ofDay)
  }
  return all
}

function overlappingPair(shifts: readonly SlowShift[]): [SlowShift, SlowShift] | undefined {
  for (const a of shifts) {
    const b = shifts.find((other) => other !== a && other.start < a.end && a.start < other.end)
    if (b !== undefined) {
      return [a, b]
    }
  }
  return undefined
}

function slowException(
  exceptions: readonly HoursException[],
  day: Temporal.PlainDate,
): HoursException | undefined {
  const covering = exceptions.filter(
    ({ fromDate, toDate }) =>
      Temporal.PlainDate.compare(fromDate, day) <= 0 && Temporal.PlainDate.compare(day, toDate) <= 0,
  )
  return covering.filter(({ own }) => own).at(-1) ?? covering.at(-1)
}

function slowlyOffered(scene: Scene, shifts: readonly SlowShift[], start: number): boolean {
  const { schedule, policy } = scene
  const wanted = blockedInterval(start, scene.service)
  if (schedule.blocked.some((interval) => overlaps(interval, wanted))) {
    return false
  }
  const ends = schedule.blocked.map(({ end }) => end).filter((end) => end <= wanted.start)
  const gapStart = Math.max(...ends) + scene.service.bufferBeforeMinutes * MINUTE_MS
  const given = shifts.some((shift) => {
    const origin = policy.slotAlignment === 'gap' ? Math.max(shift.start, gapStart) : shift.start
    const fits = shift.start <= start && start + scene.service.durationMinutes * MINUTE_MS <= shift.end
    return fits && (start - origin) % (policy.slotStepMinutes * MINUTE_MS) === 0
  })
  return given && slowlyInTime(scene, start)
}

function slowlyInTime({ schedule: { timeZone }, policy, now }: Scene, start: number): boolean {
  const zoned = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(timeZone)
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate()
  const last = today.add({ days: policy.maxAdvanceDays })
  const firstPass = zoned.toPlainDateTime().toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  return (
    start > now + policy.minNoticeMinutes * MINUTE_MS &&
    Temporal.PlainDate.compare(zoned.toPlainDate(), last) <= 0 &&
    firstPass.epochMilliseconds === start
  )
}
