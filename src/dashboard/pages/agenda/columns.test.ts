import { describe, expect, it } from 'vitest'
import { columnsOf } from './columns.ts'
import { wallOf } from './wall-time.ts'

const catalog = { professionals: [{ key: 'ana', name: 'Ana', services: [], hours: [] }] }

function booked(key: string, end: string, date = '2026-12-09') {
  return { appointment: { professional: { key, name: key.toUpperCase() } }, end: wallOf(date, end) }
}

describe('the columns of the agenda', () => {
  it('keep a removed professional for as long as something is booked, once and marked', () => {
    const events = [
      booked('zoe', '10:00'),
      booked('bia', '10:00'),
      booked('bia', '11:00'),
      booked('ana', '12:00'),
    ]
    expect(columnsOf(catalog, events)).toEqual([
      { key: 'ana', name: 'Ana', isActive: true },
      { key: 'bia', name: 'BIA', isActive: false },
      { key: 'zoe', name: 'ZOE', isActive: false },
    ])
  })

  it('give none for what ended before the day that is shown', () => {
    const events = [booked('bia', '18:00', '2026-12-08'), booked('zoe', '00:30')]
    expect(columnsOf(catalog, events, wallOf('2026-12-09')).map(({ key }) => key)).toEqual(['ana', 'zoe'])
  })
})
