import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BLOCKED_PORTS } from './blocked-ports.ts'
import { demoConfig } from './demo-config.ts'

let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'agendou-demo-config-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

describe('the configuration of the demo', () => {
  it('refuses a port that no browser opens, with a line that names it', async () => {
    const start = (port: string) =>
      demoConfig({ DATA_DIR: dataDir, PORT: port }, { graphUrl: 'http://127.0.0.1:1' })
    await expect(start('4190')).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(/^PORT: .*4190/),
    })
    expect((await start('4191')).port).toBe(4191)
  })

  it('knows as blocked only what fetch itself refuses', async () => {
    for (const port of BLOCKED_PORTS) {
      await expect(fetch(`http://127.0.0.1:${port}`), String(port)).rejects.toMatchObject({
        cause: { message: 'bad port' },
      })
    }
  })
})
