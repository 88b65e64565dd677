import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { openMedia, type ServedMedia } from '../../media/open-media.ts'
import { AppError } from '../../shared/app-error.ts'
import type { HttpDeps } from '../deps.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'
import { idParams } from '../request-schemas.ts'

/** The files that customers sent, for the staff of their tenant alone. */
export const mediaRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  app.get(
    '/v1/media/:id',
    {
      schema: {
        tags: ['conversations'],
        summary: 'A file of a message',
        description:
          'Its id stands in `media.id` of the message. Takes one byte range, as players ask for it.',
        params: idParams,
        response: {
          200: z.any().describe('The bytes, with their own content type'),
          206: z.any().describe('A part of the bytes'),
          ...problemResponses({ 401: 'unauthorized', 404: 'not_found' }),
        },
      },
    },
    async (request, reply) => {
      const { tenantId } = sessionOf(request)
      const { store, mediaStorage: storage } = deps
      const media = await openMedia({ store, storage }, tenantId, request.params.id)
      const range = rangeOf(request.headers.range, media.sizeBytes)
      const stream = await media.stream(range ?? undefined)
      if (stream === null) throw new AppError('not_found', 'there is no such file')
      const length = range === null ? media.sizeBytes : range.to - range.from + 1
      reply
        .code(range === null ? 200 : 206)
        .headers(headersOf(media))
        .header('content-length', length)
      if (range !== null) reply.header('content-range', `bytes ${range.from}-${range.to}/${media.sizeBytes}`)
      return reply.send(stream)
    },
  )
  done()
}

/**
 * A file never becomes a page of ours: its type is the one found by its bytes and no browser guesses another,
 * nothing in it runs, and what is neither picture, sound nor film is saved instead of shown.
 */
function headersOf({ contentType, disposition, filename }: ServedMedia): Record<string, string> {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  )
  return {
    'content-type': contentType,
    'content-disposition': `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, max-age=3600',
    'accept-ranges': 'bytes',
  }
}

/** `bytes=from-to` with either end left out; null for anything else, which is then answered whole. */
function rangeOf(header: string | undefined, size: number): { from: number; to: number } | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return from <= to ? { from, to } : null
}
