import { describe, expect, it } from 'vitest'
import { ANA, onlyUpdate, webhookFixture } from '../../test/support/webhook-fixtures.ts'
import { parseWebhook } from './webhook-schema.ts'

describe('statuses', () => {
  it('reads v23 and newer shapes alike', () => {
    const ours = '01939f5e-0000-7000-8000-000000000001'
    expect(onlyUpdate('status-v23', 'status')).toMatchObject({
      contact: { waId: ANA.waId, bsuid: null },
      status: { wamid: 'wamid.OUT1', status: 'sent', atMs: 1_796_040_100_000, messageId: ours },
    })
    expect(onlyUpdate('status-v25-bsuid', 'status')).toMatchObject({
      contact: { name: 'Ana Souza', ...ANA },
      status: { status: 'delivered', messageId: ours, pricing: { pricing_model: 'PMP' } },
    })
    expect(onlyUpdate('status-played', 'status').status.status).toBe('played')
  })

  it('keeps the order of the body and the errors of a failure', () => {
    const order = parseWebhook(webhookFixture('status-read-before-delivered'))
    expect(order).toMatchObject([{ status: { status: 'read' } }, { status: { status: 'delivered' } }])
    expect(onlyUpdate('status-failed', 'status').status.errors).toMatchObject([
      { code: 131047, detail: expect.stringContaining('24 hours') },
    ])
  })

  it('reads a failure that names a BSUID alone, and the participant of a group', () => {
    expect(onlyUpdate('status-failed-bsuid-only', 'status').contact).toMatchObject({
      waId: null,
      bsuid: 'BR.40917263548190273645',
    })
    expect(onlyUpdate('status-group', 'status')).toMatchObject({
      contact: { waId: ANA.waId },
      status: { groupId: '120363040000000000' },
    })
  })
})
