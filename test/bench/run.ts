/** `npm run bench -- NAME…`: each module is measured and prints its own lines. Without a name: what there is. */
const BENCHES: Readonly<Record<string, () => Promise<{ bench: () => Promise<void> }>>> = {
  booking: () => import('./booking.ts'),
  slots: () => import('./slots.ts'),
  webhook: () => import('./webhook.ts'),
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name))
if (names.length === 0 || unknown.length > 0) {
  console.log(`npm run bench -- ${Object.keys(BENCHES).join(' | ')}`)
  process.exitCode = unknown.length > 0 ? 1 : 0
} else {
  for (const name of names) {
    const loaded = await BENCHES[name]?.()
    await loaded?.bench()
  }
}
