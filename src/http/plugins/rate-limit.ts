import fastifyRateLimit from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { AppError } from '../../shared/app-error.ts'

export interface RateLimit {
  /** Requests in a minute, of one process. */
  readonly perMinute: number
}

/** A person's pages and scripts: what no dashboard reaches, and what the database can bear. */
export const API_LIMIT: RateLimit = { perMinute: 6_000 }
/**
 * Logins from one address, right ones and wrong ones: hashing passwords is slow on purpose, and would keep all
 * processors busy. The throttle of accounts is another thing, see `login-throttle`.
 */
export const LOGIN_LIMIT: RateLimit = { perMinute: 300 }

/** All of one address, with a session or without: a shop full of people stays far below. */
export const ADDRESS_LIMIT: RateLimit = { perMinute: 30_000 }

const NO_HEADERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
} as const

/**
 * Limits the routes of its scope: by person where a session was opened before, by address elsewhere. Counted in
 * this process alone: the aim is that nobody wears it out.
 */
export const rateLimitPlugin = fp<RateLimit>(
  async (app, { perMinute }) => {
    await app.register(fastifyRateLimit, { ...optionsOf(perMinute), keyGenerator: keyOf })
  },
  { name: 'rate-limit' },
)

/**
 * Limits by address alone, before any hook that is added to the scope later: before a session is looked up,
 * which costs a question to the database whether it exists or not.
 */
export const addressLimitPlugin = fp<RateLimit>(
  async (app, { perMinute }) => {
    await app.register(fastifyRateLimit, { ...optionsOf(perMinute), global: false, keyGenerator: addressOf })
    app.addHook('onRequest', app.rateLimit())
  },
  { name: 'address-limit' },
)

function optionsOf(perMinute: number) {
  return {
    max: perMinute,
    timeWindow: 60_000,
    addHeaders: { ...NO_HEADERS, 'retry-after': true },
    addHeadersOnExceeding: NO_HEADERS,
    errorResponseBuilder: () => new AppError('too_many_requests', 'too many requests: wait a moment'),
  }
}

function keyOf(request: FastifyRequest): string {
  return request.session === null ? addressOf(request) : `staff:${request.session.staff.id}`
}

function addressOf({ ip }: FastifyRequest): string {
  return `address:${ip}`
}
