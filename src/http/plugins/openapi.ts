import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import fp from 'fastify-plugin'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { nameComponents } from '../openapi-components.ts'

const TAGS = [
  { name: 'session', description: 'Logging in and out' },
  { name: 'conversations', description: 'Threads with customers' },
  { name: 'handoff', description: 'Who answers: the queue, a person, the assistant' },
  { name: 'appointments', description: 'The calendar, and what is free in it' },
  { name: 'channel', description: 'The number on WhatsApp: its news, and what keeps messages from leaving' },
  { name: 'metrics', description: 'How handoffs go' },
  { name: 'settings', description: 'The business and its people, for owners' },
  { name: 'operator', description: 'Tenants, for whoever runs the service' },
  { name: 'operations', description: 'What orchestrators and Prometheus look at' },
]

const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'agendou_session',
    description: 'Set by login. A request that changes something must come from a page of this host.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The `token` that login returns' },
  operator: { type: 'http', scheme: 'bearer', description: 'ADMIN_TOKEN' },
  metrics: { type: 'http', scheme: 'bearer', description: 'METRICS_TOKEN, where one is set' },
} as const

/** The API's description, made from the routes: a page at `/docs`, the document at `/docs/json`. */
export const openapiPlugin = fp(
  async (app) => {
    nameComponents()
    await app.register(fastifySwagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'agendou',
          version: '1',
          description:
            'The receptionist on WhatsApp for businesses that live by appointments. Errors are ' +
            '`application/problem+json`; `code` is a stable word. Another tenant’s ids answer 404. Instants are ' +
            'RFC 3339 with the tenant’s offset; `from` and `to` are local dates, both included.',
        },
        tags: TAGS,
        components: { securitySchemes: SECURITY_SCHEMES },
      },
      transform: jsonSchemaTransform,
      transformObject: (input) => {
        const document = jsonSchemaTransformObject(input)
        if ('components' in document) dropUnusedSchemas(document, document.components?.schemas ?? {})
        return document
      },
    })
    await app.register(fastifySwaggerUi, { routePrefix: '/docs' })
  },
  { name: 'openapi' },
)

/** Each named schema comes as one for requests and one for answers; most are only one of them. */
function dropUnusedSchemas(document: object, schemas: Record<string, unknown>): void {
  for (;;) {
    const text = JSON.stringify(document)
    const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`))
    if (unused.length === 0) return
    // What only they named is unused now.
    for (const name of unused) delete schemas[name]
  }
}
