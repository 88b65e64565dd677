import { describe, expect, it } from 'vitest'
import { loadConfig } from './config.ts'

const REQUIRED = { SESSION_SECRET: 's', WHATSAPP_APP_SECRET: 'a', WHATSAPP_VERIFY_TOKEN: 'v' }
/** What `setTimeout` can wait at most; a longer time fires at once. */
const LONGEST = 2_147_483_647

describe('a variable that ends in a timer', () => {
  it.each(['AGENT_MAX_DURATION_MS', 'TOOL_TIMEOUT_MS', 'INBOUND_DEBOUNCE_MS'])(
    '%s is refused above what a timer can wait',
    (name) => {
      expect(() => loadConfig({ ...REQUIRED, [name]: String(LONGEST + 1) })).toThrow(name)
      expect(() => loadConfig({ ...REQUIRED, [name]: '-1' })).toThrow(name)
      expect(() => loadConfig({ ...REQUIRED, [name]: String(LONGEST) })).not.toThrow()
    },
  )

  it('may be zero only where that means not to wait', () => {
    expect(loadConfig({ ...REQUIRED, INBOUND_DEBOUNCE_MS: '0' }).inboundDebounceMs).toBe(0)
    expect(() => loadConfig({ ...REQUIRED, AGENT_MAX_DURATION_MS: '0' })).toThrow('AGENT_MAX_DURATION_MS')
    expect(() => loadConfig({ ...REQUIRED, TOOL_TIMEOUT_MS: '0' })).toThrow('TOOL_TIMEOUT_MS')
  })
})
