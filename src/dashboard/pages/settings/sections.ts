import {
  IconBrandWhatsapp,
  IconBuildingStore,
  IconCalendarOff,
  IconClockHour4,
  IconId,
  IconMessage2,
  IconRobot,
  IconScissors,
  IconShieldCheck,
  IconUsers,
} from '@tabler/icons-react'

/** The sections in the order of the page, each with the parts of the document that it shows. */
export const SECTIONS = [
  { name: 'services', group: 'booking', icon: IconScissors, parts: ['services'] },
  { name: 'professionals', group: 'booking', icon: IconId, parts: ['professionals'] },
  { name: 'exceptions', group: 'booking', icon: IconCalendarOff, parts: ['exceptions'] },
  { name: 'rules', group: 'booking', icon: IconShieldCheck, parts: ['policy'] },
  { name: 'handoff', group: 'talking', icon: IconClockHour4, parts: ['handoff'] },
  { name: 'assistant', group: 'talking', icon: IconRobot, parts: ['instructions', 'texts'] },
  { name: 'replies', group: 'talking', icon: IconMessage2, parts: [] },
  { name: 'whatsapp', group: 'talking', icon: IconBrandWhatsapp, parts: [] },
  {
    name: 'business',
    group: 'account',
    icon: IconBuildingStore,
    parts: ['name', 'timeZone', 'locale', 'currency', 'slug'],
  },
  { name: 'staff', group: 'account', icon: IconUsers, parts: [] },
] as const

export const GROUPS = ['booking', 'talking', 'account'] as const
export type SectionName = (typeof SECTIONS)[number]['name']

/** The section that shows a path of the document, or null. */
export function sectionOf(path: string): SectionName | null {
  const part = path.split('.')[0] ?? ''
  return SECTIONS.find(({ parts }) => parts.some((own) => own === part))?.name ?? null
}

export function isSectionName(value: string | undefined): value is SectionName {
  return SECTIONS.some(({ name }) => name === value)
}
