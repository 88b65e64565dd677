import { describe, expect, it } from 'vitest'
import type { PlainSettings } from './draft-document.ts'
import { mergeSettings } from './merge-settings.ts'

const HOURS = [{ weekdays: [1], from: '09:00', to: '12:00' }]
const base: PlainSettings = {
  slug: 'salon',
  name: 'Salon',
  timeZone: 'America/Sao_Paulo',
  locale: 'pt-BR',
  currency: 'BRL',
  policy: {
    slotStepMinutes: 30,
    slotAlignment: 'shift',
    minNoticeMinutes: 60,
    maxAdvanceDays: 60,
    changeNoticeMinutes: 120,
    maxActivePerCustomer: 3,
  },
  services: [service('cut', 45), service('color', 120)],
  professionals: [{ key: 'ana', name: 'Ana', services: ['cut'], hours: HOURS }],
  exceptions: [{ professional: null, from: '2026-12-25', to: '2026-12-25', hours: [] }],
  handoff: { hours: HOURS, firstReplyMinutes: 10, returnToQueueMinutes: 15 },
  instructions: '',
}

function service(key: string, durationMinutes: number): PlainSettings['services'][number] {
  return {
    key,
    name: key,
    description: '',
    durationMinutes,
    bufferBeforeMinutes: 0,
    bufferAfterMinutes: 0,
    priceCents: null,
  }
}

function closed(date: string): PlainSettings['exceptions'][number] {
  return { professional: 'ana', from: date, to: date, hours: [] }
}

describe('mergeSettings', () => {
  it('keeps what each of two changed in different fields, of the same service too', () => {
    const mine = {
      ...base,
      instructions: 'Brief.',
      services: [service('cut', 50), service('color', 120)],
    }
    const theirs = {
      ...base,
      name: 'New name',
      services: [{ ...service('cut', 45), priceCents: 9_000 }, service('color', 120)],
    }
    const { merged, conflicts } = mergeSettings(base, mine, theirs)
    expect(conflicts).toEqual([])
    expect(merged).toEqual({
      ...base,
      name: 'New name',
      instructions: 'Brief.',
      services: [{ ...service('cut', 50), priceCents: 9_000 }, service('color', 120)],
    })
  })

  it('names a field that both changed, and shows the edit there', () => {
    const mine = { ...base, services: [service('color', 90)] }
    const theirs = { ...base, services: [service('cut', 45), service('color', 150)] }
    const { merged, conflicts } = mergeSettings(base, mine, theirs)
    expect(merged.services).toEqual([service('color', 90)])
    expect(conflicts).toEqual([{ path: 'services.0.durationMinutes', theirs: 150 }])
  })

  it('says nothing of a field that both changed alike', () => {
    const changed = { ...base, policy: { ...base.policy, maxAdvanceDays: 90 } }
    expect(mergeSettings(base, changed, changed)).toEqual({ merged: changed, conflicts: [] })
  })

  it('keeps what the other one changed although it was removed here, and what was added on both sides', () => {
    const mine = { ...base, services: [service('color', 120), service('nails', 40)] }
    const theirs = { ...base, services: [service('cut', 60), service('color', 120), service('brows', 20)] }
    const { services } = mergeSettings(base, mine, theirs).merged
    expect(services.map(({ key }) => key)).toEqual(['color', 'nails', 'cut', 'brows'])
  })

  it('drops what one removed and the other left alone', () => {
    const removed = { ...base, services: [service('color', 120)], exceptions: [] }
    expect(mergeSettings(base, removed, base).merged).toEqual(removed)
    expect(mergeSettings(base, base, removed).merged).toEqual(removed)
  })

  it('leaves it to the one who looks when both added the same key', () => {
    const mine = { ...base, services: [...base.services, service('nails', 40)] }
    const theirs = { ...base, services: [...base.services, service('nails', 60)] }
    const { conflicts } = mergeSettings(base, mine, theirs)
    expect(conflicts).toEqual([{ path: 'services.2.durationMinutes', theirs: 60 }])
  })

  it('brings exceptions of both together, each once', () => {
    const mine = { ...base, exceptions: [...base.exceptions, closed('2026-12-30'), closed('2026-12-28')] }
    const theirs = { ...base, exceptions: [closed('2026-12-29'), closed('2026-12-28')] }
    const { exceptions } = mergeSettings(base, mine, theirs).merged
    expect(exceptions.map(({ from }) => from).toSorted()).toEqual(['2026-12-28', '2026-12-29', '2026-12-30'])
  })

  it('keeps the texts of whoever changed them, also when they were not there before', () => {
    const texts = { reopenTemplate: { name: 'reopen', language: 'pt_BR' } }
    const other = { reopenTemplate: { name: 'again', language: 'pt_BR' } }
    expect(mergeSettings(base, base, { ...base, texts })).toEqual({
      merged: { ...base, texts },
      conflicts: [],
    })
    expect(mergeSettings({ ...base, texts }, base, { ...base, texts })).toEqual({
      merged: base,
      conflicts: [],
    })
    expect(mergeSettings(base, { ...base, texts }, { ...base, texts: other })).toEqual({
      merged: { ...base, texts },
      conflicts: [{ path: 'texts.reopenTemplate', theirs: 'again (pt_BR)' }],
    })
  })
})
