import { describe, expect, it } from 'vitest'
import { tenantDocumentSchema } from '../../../../contracts/tenant-document.ts'
import { asTime } from '../fields/as-time.ts'
import { keyFor, type PlainSettings, toDraft, toPlain } from './draft-document.ts'
import { issuesOfProblem, judgeSettings, valueAt } from './settings-issues.ts'

const {
  channel: _channel,
  staff: _staff,
  ...settings
} = tenantDocumentSchema.parse({
  slug: 'salon',
  name: 'Salon',
  timeZone: 'America/Sao_Paulo',
  locale: 'pt-BR',
  currency: 'BRL',
  channel: { phoneNumberId: '1', wabaId: '1', displayPhoneNumber: '+551130000000' },
  services: [
    { key: 'cut', name: 'Cut', durationMinutes: 45 },
    { key: 'color', name: 'Color', durationMinutes: 120 },
  ],
  professionals: [
    { key: 'ana', name: 'Ana', services: ['cut', 'color'], hours: [] },
    { key: 'bia', name: 'Bia', services: ['cut'], hours: [] },
  ],
  exceptions: [
    { professional: 'ana', from: '2026-12-24', to: '2026-12-24', hours: [] },
    { professional: null, from: '2026-12-25', to: '2026-12-25', hours: [] },
  ],
})

describe('a draft of the settings', () => {
  it('stands for the document it was made from', () => {
    expect(toPlain(toDraft(settings))).toEqual(settings)
    expect(judgeSettings(settings)).toEqual([])
  })

  it('leaves out what was removed and what hangs on it, and takes it back whole', () => {
    const draft = toDraft(settings)
    const without = {
      ...draft,
      services: draft.services.map((row) => ({ ...row, isRemoved: row.key === 'cut' })),
      professionals: draft.professionals.map((row) => ({ ...row, isRemoved: row.key === 'ana' })),
    }
    expect(toPlain(without)).toMatchObject({
      services: [{ key: 'color' }],
      professionals: [{ key: 'bia', services: [] }],
      exceptions: [{ professional: null }],
    })
    expect(judgeSettings(toPlain(without))).toEqual([])
    const back = { ...without, services: draft.services, professionals: draft.professionals }
    expect(toPlain(back)).toEqual(settings)
  })

  it('keeps the identity of its rows over a save', () => {
    const draft = toDraft(settings)
    const next = toDraft(settings, draft)
    expect(next.services.map(({ rowId }) => rowId)).toEqual(draft.services.map(({ rowId }) => rowId))
  })
})

describe('what is wrong with the settings', () => {
  it('has the path and the kind that the document gives it, topmost first', () => {
    const wrong: PlainSettings = {
      ...settings,
      name: ' ',
      services: settings.services.map((service) => ({ ...service, durationMinutes: null })),
      policy: { ...settings.policy, maxAdvanceDays: 400 },
      exceptions: [{ professional: null, from: '2026-12-25', to: '2026-12-24', hours: [] }],
      instructions: 'x'.repeat(4_001),
    }
    expect(judgeSettings(wrong)).toEqual([
      { path: 'services.0.durationMinutes', fault: { kind: 'required' } },
      { path: 'services.1.durationMinutes', fault: { kind: 'required' } },
      { path: 'exceptions.0.to', fault: { kind: 'before' } },
      { path: 'policy.maxAdvanceDays', fault: { kind: 'most', bound: 365 } },
      { path: 'instructions', fault: { kind: 'long', bound: 4_000 } },
      { path: 'name', fault: { kind: 'required' } },
    ])
  })

  it('tells overlapping hours and a key that stands there twice apart', () => {
    const hours = [
      { weekdays: [1], from: '09:00', to: '12:00' },
      { weekdays: [1], from: '11:00', to: '13:00' },
    ]
    const overlapping = { ...settings, handoff: { ...settings.handoff, hours } }
    expect(judgeSettings(overlapping)).toEqual([{ path: 'handoff.hours.1', fault: { kind: 'overlap' } }])
    const twice = { ...settings, services: settings.services.map((service) => ({ ...service, key: 'cut' })) }
    expect(judgeSettings({ ...twice, professionals: [], exceptions: [] })).toEqual([
      { path: 'services.1.key', fault: { kind: 'repeated' } },
    ])
  })

  it("is read from the server's problem, and finds what it is about", () => {
    const body = { issues: [{ path: 'services.1.name', message: 'is odd' }] }
    expect(issuesOfProblem(body)).toEqual([
      { path: 'services.1.name', fault: { kind: 'said', message: 'is odd' } },
    ])
    expect(issuesOfProblem({})).toBeNull()
    expect(valueAt(settings, 'services.1.name')).toBe('Color')
    expect(valueAt(settings, 'services.9.name')).toBeUndefined()
  })
})

describe('keyFor', () => {
  it('makes a key of a name that no other one has', () => {
    expect(keyFor('Coloração & Barba!', [])).toBe('coloracao-barba')
    expect(keyFor('Corte', ['corte', 'corte-2'])).toBe('corte-3')
    expect(keyFor('美容', [])).toBe('item')
    expect(keyFor('a'.repeat(80), ['a'.repeat(36)])).toHaveLength(38)
  })
})

describe('asTime', () => {
  it.each([
    ['9', '09:00'],
    ['930', '09:30'],
    ['1330', '13:30'],
    ['8h', '08:00'],
    ['8h15', '08:15'],
    ['24', '24:00'],
    ['noon', 'noon'],
    ['', ''],
  ])('reads %j as %j', (typed, time) => {
    expect(asTime(typed)).toBe(time)
  })
})
