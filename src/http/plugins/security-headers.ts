import fp from 'fastify-plugin'

/**
 * Everything a page of ours needs comes from this server. Inline styles are allowed for Swagger UI; inline
 * scripts are not.
 */
const PAGE_POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "script-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers that keep browsers from guessing, framing and telling; pages get a content security policy, data is kept nowhere. */
export const securityHeadersPlugin = fp(
  (app, _options, done) => {
    app.addHook('onSend', async (_request, reply, payload) => {
      reply.headers({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      })
      const type = reply.getHeader('content-type')
      if (typeof type !== 'string') return payload
      if (type.startsWith('text/html')) reply.header('content-security-policy', PAGE_POLICY)
      // Answers hold customers: no proxy and no browser keeps them.
      if (/^application\/(problem\+)?json/.test(type)) reply.header('cache-control', 'no-store')
      return payload
    })
    done()
  },
  { name: 'security-headers' },
)
