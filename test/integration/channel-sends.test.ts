import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyTenantDocument } from '../../src/tenancy/apply-tenant-document.ts'
import { loadSendState, pauseSends } from '../../src/tenancy/channel-sends.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
  type StaffedTenant,
} from '../support/conversation-harness.ts'
import { TEST_ENCRYPTION_KEY } from '../support/factories.ts'
import { loggedIn, testApp } from '../support/http-harness.ts'

let world: ConversationHarness
let app: FastifyInstance

beforeAll(async () => {
  world = await createConversationHarness()
  app = await testApp(world.db.store, { clock: world.clock })
})
afterAll(async () => {
  await app.close()
  await world.close()
})

async function pause(tenant: StaffedTenant): Promise<string> {
  const now = world.clock.now()
  const { conversationId } = await world.say(tenant, freshPhone(), 'oi')
  await world.botSays(tenant, conversationId, 'um')
  await world.db.store.transact(tenant.id, async (tx) => {
    const error = { code: 190, detail: 'token expired' }
    await pauseSends(tx, { channelId: tenant.channelId, error, startedAt: now, now })
    await tx.$executeRaw`delete from graphile_worker._private_jobs`
  })
  return conversationId
}

const paused = async (tenant: StaffedTenant) =>
  (await world.db.store.read(tenant.id, loadSendState))?.paused ?? null

describe('sends that are paused', () => {
  it('are resumed by an owner, who sees why; by nobody else, and for no other tenant', async () => {
    const conversationId = await pause(world.one)
    await pause(world.other)
    const owner = await loggedIn(app, world.one.slug, 'dona@example.com')
    const attendant = await loggedIn(app, world.one.slug, 'rita@example.com')
    expect((await owner('GET', '/v1/channel/sends')).body).toMatchObject({
      paused: { code: 190, detail: 'token expired' },
      waiting: 1,
    })
    expect((await attendant('POST', '/v1/channel/resume')).status).toBe(403)
    expect(await paused(world.one)).not.toBeNull()
    const resumed = await owner('POST', '/v1/channel/resume')
    expect(resumed).toMatchObject({ status: 200, body: { paused: null } })
    expect(await world.jobs(`drain:${conversationId}`)).toHaveLength(1)
    expect(await paused(world.other)).not.toBeNull()
  })

  it('are resumed by a document with a new token, and not by one without', async () => {
    const tenant = world.one
    const conversationId = await pause(tenant)
    const { channel } = tenant.document
    const apply = (accessToken: string) =>
      applyTenantDocument(
        world.db.store,
        { ...tenant.document, channel: { ...channel, accessToken } },
        { encryptionKey: TEST_ENCRYPTION_KEY, clock: world.clock },
      )
    await apply(channel.accessToken ?? '')
    expect(await paused(tenant)).not.toBeNull()
    await apply('a new token')
    expect(await paused(tenant)).toBeNull()
    expect(await world.jobs(`drain:${conversationId}`)).toHaveLength(1)
  })
})
