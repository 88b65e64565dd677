import fp from 'fastify-plugin'

/**
 * JSON bodies, where an empty one is none: clients that announce JSON on every request send nothing to the
 * routes that take nothing. No other type is taken, so a page of another site cannot send a body without
 * asking the browser first.
 */
export const jsonBodyPlugin = fp(
  (app, _options, done) => {
    const parseJson = app.getDefaultJsonParser('error', 'error')
    app.removeAllContentTypeParsers()
    app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, parsed) => {
      if (body !== '') return parseJson(request, body, parsed)
      return parsed(null, undefined)
    })
    done()
  },
  { name: 'json-body' },
)
