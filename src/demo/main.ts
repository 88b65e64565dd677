import { readEnvironment } from '../config/env-file.ts'
import { runCommand } from '../run-command.ts'
import { AppError } from '../shared/app-error.ts'
import { onStopSignal } from '../stop-signal.ts'
import { DEMO_LOGIN } from './demo-tenant.ts'
import { playOnce } from './play-once.ts'
import { type Demo, startDemo } from './start-demo.ts'

/** `npm run demo`, and `npm run demo -- --once`. */
await runCommand(async (print) => {
  const args = process.argv.slice(2)
  const once = args.includes('--once')
  const unknown = args.find((arg) => arg !== '--once')
  if (unknown !== undefined) throw new AppError('usage', `unknown option ${unknown}; the only one is --once`)
  const stopAsked = once ? null : onStopSignal()
  const demo = await startDemo(readEnvironment(), { once, print })
  try {
    if (once) {
      if (!(await playOnce(demo, print))) process.exitCode = 1
      return
    }
    print(welcome(demo))
    await stopAsked
  } finally {
    await demo.stop()
  }
})

function welcome({ address, config }: Demo): string {
  const reach =
    config.anthropic === null
      ? 'Nothing here leaves this machine.'
      : 'ANTHROPIC_API_KEY is set: the texts go to the Messages API, nothing else leaves this machine.'
  return `
agendou is up. ${reach}

  Simulated WhatsApp   ${address}/simulator
  Staff dashboard      ${address}/dashboard
  API documentation    ${address}/docs

  Staff login          tenant ${DEMO_LOGIN.tenant} · ${DEMO_LOGIN.email} · ${DEMO_LOGIN.password}

Ctrl-C stops it.`
}
