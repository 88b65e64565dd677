import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { AppError } from '../../shared/app-error.ts'
import { authenticate, type StaffSession } from '../../tenancy/staff-sessions.ts'
import { loadTenantProfile, type TenantProfile } from '../../tenancy/tenant-profile.ts'
import type { HttpDeps } from '../deps.ts'

/** Who asks, and for which tenant. */
export interface RequestSession extends StaffSession {
  readonly token: string
  readonly profile: TenantProfile
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the routes behind `sessionPlugin`, null on all others. */
    session: RequestSession | null
  }
}

const COOKIE_NAME = 'agendou_session'
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The place on each request where `sessionPlugin` leaves the session. */
export const sessionDecoratorPlugin = fp(
  (app, _options, done) => {
    app.decorateRequest('session', null)
    done()
  },
  { name: 'session-decorator' },
)

/**
 * Lets nobody into its scope without a session: the cookie that login sets, or `Authorization: Bearer`. A
 * browser sends the cookie along whoever made the page, so a request that would change something is refused
 * when its page came from another host (SameSite=Strict is the first wall, this the second). It answers
 * before the body is read.
 */
export const sessionPlugin = fp<{ deps: HttpDeps }>(
  (app, { deps }, done) => {
    app.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, security: [{ session: [] }, { bearer: [] }] }
    })
    app.addHook('onRequest', async (request) => {
      const bearer = bearerToken(request.headers.authorization)
      if (bearer === null) refuseCrossSite(request)
      request.session = await openSession(deps, bearer ?? request.cookies[COOKIE_NAME])
    })
    done()
  },
  {
    name: 'session',
    dependencies: ['@fastify/cookie', 'session-decorator'],
  },
)

/** The session of a request behind `sessionPlugin`. */
export function sessionOf(request: Pick<FastifyRequest, 'session'>): RequestSession {
  if (request.session === null) throw unauthorized()
  return request.session
}

/** @param expiresAt epoch milliseconds. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  expiresAt: number,
): void {
  reply.setCookie(COOKIE_NAME, token, { ...cookieOptions(request), expires: new Date(expiresAt) })
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(COOKIE_NAME, cookieOptions(request))
}

async function openSession(deps: HttpDeps, token: string | undefined): Promise<RequestSession> {
  const { store, clock, config } = deps
  if (token === undefined) throw unauthorized()
  const session = await authenticate(store, token, { clock, sessionSecret: config.sessionSecret })
  if (session === null) throw unauthorized()
  return { ...session, token, profile: await store.read(session.tenantId, loadTenantProfile) }
}

function refuseCrossSite({ method, headers }: FastifyRequest): void {
  const { origin, host } = headers
  if (SAFE_METHODS.has(method) || origin === undefined) return
  // `null` (a sandboxed page, a file) is no URL, and nobody's host.
  const originHost = URL.canParse(origin) ? new URL(origin).host : null
  if (originHost !== host?.toLowerCase()) {
    throw new AppError('cross_site', 'the request comes from a page of another site')
  }
}

function bearerToken(header: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null
}

function cookieOptions(request: FastifyRequest) {
  // A proxy that ends TLS says so; a client that lies about it makes only its own cookie stricter.
  const forwarded = request.headers['x-forwarded-proto']
  const isHttps = request.protocol === 'https' || /^https\b/i.test(String(forwarded))
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: isHttps } as const
}

function unauthorized(): AppError {
  return new AppError('unauthorized', 'log in first: there is no session, or it has ended')
}
