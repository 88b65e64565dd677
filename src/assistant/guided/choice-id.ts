import { isDate } from '../../scheduling/civil-date.ts'

/**
 * Ids of what the guided model offers. They carry all that a tap decides, so that a tap still works when the
 * history before it was cut: `kind:value|professional|service|code`, empty parts at the end left out.
 */
export interface ChoiceId {
  kind: ChoiceKind
  value: string
  professional: string | null
  service: string | null
  code: string | null
}

const KEY = /^[a-z0-9-]{1,40}$/
const CODE = /^[A-Za-z0-9-]{1,20}$/
const START = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d$/
const PAGE = /^\d{1,4}$/

const isStart = (value: string) => isDate(START.exec(value)?.[1] ?? '')

/** What each kind means, and which values it takes. */
const VALUES = {
  /** The main menu's entries. */
  menu: (value: string) => /^(?:book|mine|human|services|reschedule|cancel|start)$/.test(value),
  service: (value: string) => KEY.test(value),
  /** More services, from this place. */
  services: (value: string) => PAGE.test(value),
  day: isDate,
  /** More days, from this one. */
  days: isDate,
  time: isStart,
  /** More times of a day: `2026-12-08~8`. */
  times: (value: string) => isDate(value.split('~')[0] ?? '') && PAGE.test(value.split('~')[1] ?? ''),
  /** Yes to a booking, to a new time, to a cancellation. */
  book: isStart,
  move: isStart,
  cancel: (value: string) => CODE.test(value),
  /** No to one of them. */
  no: (value: string) => /^(?:book|move|cancel)$/.test(value),
  edit: (value: string) => /^(?:time|day|service|stop)$/.test(value),
  /** The appointment that is meant. */
  'pick-move': (value: string) => CODE.test(value),
  'pick-cancel': (value: string) => CODE.test(value),
} as const satisfies Record<string, (value: string) => boolean>

export type ChoiceKind = keyof typeof VALUES

export function formatChoiceId(
  kind: ChoiceKind,
  value: string,
  carried: { professional?: string | null; service?: string | null; code?: string | null } = {},
): string {
  const parts = [carried.professional ?? '', carried.service ?? '', carried.code ?? '']
  return [`${kind}:${value}`, ...parts].join('|').replace(/\|+$/, '')
}

/** null for an id that the guided model does not make: another model's, or a forged one. */
export function parseChoiceId(id: string): ChoiceId | null {
  const [head = '', professional = '', service = '', code = '', ...more] = id.split('|')
  const colon = head.indexOf(':')
  const kind = head.slice(0, Math.max(colon, 0))
  const value = head.slice(colon + 1)
  if (more.length > 0 || !isKind(kind) || !VALUES[kind](value)) return null
  if (![professional, service].every((key) => key === '' || KEY.test(key))) return null
  if (code !== '' && !CODE.test(code)) return null
  return { kind, value, professional: professional || null, service: service || null, code: code || null }
}

function isKind(kind: string): kind is ChoiceKind {
  return Object.hasOwn(VALUES, kind)
}
