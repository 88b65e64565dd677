import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const PREFIX = '/dashboard'

/** Where `npm run build` puts the page: `dist/dashboard`, seen from `dist/http` and from `src/http` alike. */
export const DASHBOARD_FILES = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/dashboard' : '../../dashboard', import.meta.url),
)

/**
 * The staff's dashboard at `/dashboard`, and under it whatever address its own router knows. Its built files
 * carry a hash of their content in their names, so browsers may keep them for good; the page itself is asked
 * for every time.
 */
export async function dashboardPlugin(app: FastifyInstance): Promise<void> {
  await app.register(routes, { prefix: PREFIX })
}

async function routes(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    Object.assign(route, { schema: { ...route.schema, hide: true } })
  })
  if (!existsSync(join(DASHBOARD_FILES, 'index.html'))) {
    const answer = 'The dashboard is not built. Run: npm run build\n'
    app.get('', (_request, reply) => reply.code(503).type('text/plain').send(answer))
    app.get('/*', (_request, reply) => reply.code(503).type('text/plain').send(answer))
    return
  }
  await app.register(fastifyStatic, {
    root: DASHBOARD_FILES,
    serve: false,
    cacheControl: false,
  })
  app.get('', (_request, reply) => reply.redirect(`${PREFIX}/`))
  app.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const path = request.params['*']
    if (path.startsWith('assets/')) {
      return reply.header('cache-control', 'public, max-age=31536000, immutable').sendFile(path)
    }
    if (path === 'icon.svg') return reply.header('cache-control', 'public, max-age=3600').sendFile(path)
    return reply.header('cache-control', 'no-cache').sendFile('index.html')
  })
}
