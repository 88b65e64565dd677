import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)

/** Slots, wall times and a working clock around changes of clocks, printed by a process of its own. */
const PROGRAM = `
const at = (file) => import(new URL(file, '${import.meta.url}').href)
const { findSlots } = await at('./find-slots.ts')
const { instantToWall, formatOffsetInstant, startOfDay, wallToInstant } = await at('./time-zone.ts')
const { addWorkingMinutes } = await at('./working-hours.ts')
const hours = [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: 1320, to: 210 }, { weekdays: [6, 7], from: 60, to: 720 }]
const lines = []
for (const [timeZone, fromDate, toDate] of [
  ['America/Sao_Paulo', '2026-12-01', '2026-12-07'],
  ['America/New_York', '2026-03-05', '2026-03-10'],
  ['America/Santiago', '2026-09-03', '2026-09-08'],
  ['Australia/Lord_Howe', '2026-04-02', '2026-04-07'],
]) {
  const now = startOfDay(timeZone, fromDate)
  const slots = findSlots({
    schedule: { timeZone, hours, exceptions: [{ own: true, fromDate: toDate, toDate, hours: [] }], blocked: [] },
    service: { durationMinutes: 45, bufferBeforeMinutes: 0, bufferAfterMinutes: 15 },
    policy: { slotStepMinutes: 30, slotAlignment: 'shift', minNoticeMinutes: 60, maxAdvanceDays: 60 },
    now, fromDate, toDate, limits: 'customer',
  })
  lines.push(...slots.map(({ start }) => instantToWall(timeZone, start) + ' ' + formatOffsetInstant(timeZone, start)))
  lines.push(addWorkingMinutes(hours, timeZone, now, 5000), wallToInstant(timeZone, toDate + 'T02:30').instant)
}
console.log(new Date(2026, 0, 1).getTimezoneOffset())
console.log(lines.join('\\n'))
`

it('gives the same results whatever the time zone of the process', { timeout: 60_000 }, async () => {
  const outputs = await Promise.all(
    ['Australia/Sydney', 'America/Sao_Paulo', 'UTC', 'America/New_York'].map(async (TZ) => {
      const args = ['--import', 'tsx', '--input-type=module', '--eval', PROGRAM]
      const { stdout } = await run(process.execPath, args, { env: { ...process.env, TZ } })
      const [offset, ...results] = stdout.trim().split('\n')
      return { offset, results }
    }),
  )
  expect(new Set(outputs.map(({ offset }) => offset))).toEqual(new Set(['-660', '180', '0', '300']))
  expect(outputs[0]?.results.length).toBeGreaterThan(200)
  for (const { results } of outputs) {
    expect(results).toEqual(outputs[0]?.results)
  }
})
