import { describe, expect, it } from 'vitest'
import { tenantDocumentSchema } from './tenant-document.ts'

describe('the time zone of a tenant document', () => {
  it('is the name of a zone, and neither an offset nor anything else', () => {
    const isTaken = (value: string) => tenantDocumentSchema.shape.timeZone.safeParse(value).success
    expect(['America/Sao_Paulo', 'UTC', 'Asia/Tokyo'].every(isTaken)).toBe(true)
    expect(['-03:00', '+05:30', '', 'America/Nowhere', 'Sao Paulo', 'now'].some(isTaken)).toBe(false)
  })
})
