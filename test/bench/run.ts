/**
 * `npm run bench -- NAME [arguments]`. Each benchmark is a module beside this one that exports `bench`; it is
 * loaded only when it is asked for, and starts what it needs (a database, loopback servers) itself.
 */
import { z } from 'zod'

const BENCHES: Readonly<Record<string, { readonly file: string; readonly shows: string }>> = {
  slots: { file: './slots.ts', shows: 'free starts, beside slot-calculator' },
  booking: { file: './booking.ts', shows: 'contended bookings, beside the same rows by plain SQL' },
  race: { file: './booking-race.ts', shows: '[rounds] of 30 at once for one start, 1,000 when left out' },
  webhook: { file: './webhook.ts', shows: 'webhook bodies stored, and the time from debounce to send' },
  agent: { file: './agent.ts', shows: 'the loop and what it stores' },
  cache: { file: './cache.ts', shows: 'the prompt prefix over a conversation' },
}

const benchModule = z.object({
  bench: z.custom<(args: readonly string[]) => Promise<void>>((value) => typeof value === 'function'),
})

const [name = '', ...args] = process.argv.slice(2)
const found = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined
if (found === undefined) {
  console.error('usage: npm run bench -- NAME [arguments], where NAME is one of')
  for (const [known, { shows }] of Object.entries(BENCHES)) console.error(`  ${known.padEnd(8)} ${shows}`)
  process.exitCode = 2
} else {
  const { bench } = benchModule.parse(await import(found.file))
  await bench(args)
}
