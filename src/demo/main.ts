import { readEnvironment } from '../config/env-file.ts'
import { runCommand } from '../run-command.ts'
import { AppError } from '../shared/app-error.ts'
import { onStopSignal } from '../stop-signal.ts'
import { DEMO_LOGIN } from './demo-tenant.ts'
import { playOnce } from './play-once.ts'
import { startDemo } from './start-demo.ts'

/** `npm run demo`, and `npm run demo -- --once`. */
await runCommand(async (print) => {
  const args = process.argv.slice(2)
  const once = args.includes('--once')
  const unknown = args.find((arg) => arg !== '--once')
  if (unknown !== undefined) throw new AppError('usage', `unknown option ${unknown}; the only one is --once`)
  const demo = await startDemo(readEnvironment(), { once, print })
  try {
    if (once) {
      if (!(await playOnce(demo, print))) process.exitCode = 1
      return
    }
    print(welcome(demo.address))
    await onStopSignal()
  } finally {
    await demo.stop()
  }
})

function welcome(address: string): string {
  return `
agendou is up. Nothing here leaves this machine.

  Simulated WhatsApp   ${address}/simulator
  Staff dashboard      ${address}/dashboard
  API documentation    ${address}/docs

  Staff login          tenant ${DEMO_LOGIN.tenant} · ${DEMO_LOGIN.email} · ${DEMO_LOGIN.password}

Ctrl-C stops it.`
}
