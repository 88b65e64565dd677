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

describe('TRUSTED_PROXIES', () => {
  it('is addresses and blocks of addresses, and nobody when it is not set', () => {
    expect(loadConfig(REQUIRED).trustedProxies).toEqual([])
    const given = loadConfig({ ...REQUIRED, TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1,fd00::/8' })
    expect(given.trustedProxies).toEqual(['10.0.0.0/8', '192.0.2.1', 'fd00::/8'])
  })

  it.each(['true', 'proxy.internal', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.0/', '10.0.0.1/8/8'])(
    'refuses %s',
    (value) => expect(() => loadConfig({ ...REQUIRED, TRUSTED_PROXIES: value })).toThrow('TRUSTED_PROXIES'),
  )
})
