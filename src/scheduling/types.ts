/** Half-open interval of instants, epoch milliseconds: `start` belongs to it, `end` does not. */
export interface Interval {
  readonly start: number
  readonly end: number
}

/**
 * One stretch of wall time on a day, in minutes after local midnight. `to` may be 1440 (24:00);
 * `to` <= `from` means that it ends on the next day.
 */
export interface WallRange {
  readonly from: number
  readonly to: number
}

/** Weekly hours: the same stretch on each of `weekdays` (ISO: 1 Monday … 7 Sunday). */
export interface WeeklyHours extends WallRange {
  readonly weekdays: readonly number[]
}

/** Replaces the weekly hours on whole local days, `fromDate` to `toDate`, both included (`YYYY-MM-DD`). */
export interface HoursException {
  /** true: the professional's own, which wins over one for everyone. */
  readonly own: boolean
  readonly fromDate: string
  readonly toDate: string
  /** Empty: closed. */
  readonly hours: readonly WallRange[]
}

export interface ServiceTiming {
  readonly durationMinutes: number
  readonly bufferBeforeMinutes: number
  readonly bufferAfterMinutes: number
}

export interface SchedulePolicy {
  readonly slotStepMinutes: number
  readonly slotAlignment: 'shift' | 'gap'
  readonly minNoticeMinutes: number
  readonly maxAdvanceDays: number
}

/** What one professional's calendar is made of. `exceptions` are in document order: of one rank the later wins. */
export interface ProfessionalSchedule {
  readonly timeZone: string
  readonly hours: readonly WeeklyHours[]
  readonly exceptions: readonly HoursException[]
  /** `blocked` intervals (time with buffers) of what is booked already, in any order. */
  readonly blocked: readonly Interval[]
}

/**
 * One working stretch as instants. Its `start` is also the origin of its grid of starts; `date` is the
 * local date it belongs to (`YYYY-MM-DD`), the one it starts on by its wall time.
 */
export interface Shift extends Interval {
  readonly date: string
}

/** A time on offer: the service itself, without its buffers. */
export type Slot = Interval

/**
 * Who asks to book. `customer`: every rule binds. `staff`: notice, horizon and grid do not.
 * `staff_force`: nor do hours, closed days and the past. A conflict binds everybody.
 */
export type BookingLimits = 'customer' | 'staff' | 'staff_force'

/** Who looks at what is on offer. `staff`: notice and horizon are lifted; the past and the grid are not. */
export type OfferLimits = 'customer' | 'staff'

/** Everything a decision about one professional's time depends on. `now` is epoch milliseconds. */
export interface SlotQuestion {
  readonly schedule: ProfessionalSchedule
  readonly service: ServiceTiming
  readonly policy: SchedulePolicy
  readonly now: number
}
