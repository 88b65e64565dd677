import { createHash } from 'node:crypto'
import { z } from 'zod'
import { jsonInput, type Reader, type Tx } from '../db/index.ts'
import { newId } from '../shared/ids.ts'

export interface ChannelNews {
  readonly channelId: string
  /** The channel's own word for what it is about, e.g. `message_template_status_update`. */
  readonly field: string
  readonly event: string | null
  readonly payload: Readonly<Record<string, unknown>>
  /** The channel's time, epoch ms. */
  readonly at: number
}

/**
 * Keeps news about a channel, once. A template that is approved after we had stopped using it is used again.
 * @returns whether they were new.
 */
export async function recordChannelEvent(tx: Tx, news: ChannelNews): Promise<boolean> {
  const { field, event, payload, at, channelId } = news
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([field, event, at, payload]))
    .digest()
  const { count } = await tx.channelEvent.createMany({
    data: [
      {
        tenantId: tx.tenantId,
        id: newId(),
        channelId,
        field,
        event,
        payload: jsonInput(payload),
        fingerprint,
        at: new Date(at),
      },
    ],
    skipDuplicates: true,
  })
  if (count > 0) await enableApprovedTemplate(tx, news)
  return count > 0
}

async function enableApprovedTemplate(tx: Tx, { field, event, payload, at }: ChannelNews): Promise<void> {
  const template = templatePayload.safeParse(payload)
  if (field !== TEMPLATE_NEWS || event !== 'APPROVED' || !template.success) return
  const { message_template_name: name, message_template_language: language } = template.data
  // The channel's time has whole seconds.
  const disabledAt = { lt: new Date(at + 1_000) }
  await tx.disabledTemplate.deleteMany({ where: { tenantId: tx.tenantId, name, language, disabledAt } })
}

export interface ChannelTemplate {
  readonly name: string
  readonly language: string
  /** Meta's newest word on it: `APPROVED`, `PAUSED`, `REJECTED`, `DISABLED`, … */
  readonly status: string
  readonly reason: string | null
  readonly at: number
}

export interface ChannelAlert {
  readonly field: string
  readonly event: string | null
  readonly detail: string | null
  readonly at: number
}

/** A tenant's number as its owner sees it. */
export interface ChannelOverview {
  readonly displayPhoneNumber: string
  readonly phoneNumberId: string
  /** The newest quality news: the event (`FLAGGED`, `DOWNGRADE`, …) and the messaging limit it named. */
  readonly quality: {
    readonly event: string | null
    readonly limit: string | null
    readonly at: number
  } | null
  readonly templates: readonly ChannelTemplate[]
  /** Everything else the channel told, newest first. */
  readonly alerts: readonly ChannelAlert[]
}

const TEMPLATE_NEWS = 'message_template_status_update'
const MOST_EVENTS = 500
const MOST_ALERTS = 50

const templatePayload = z.looseObject({
  message_template_name: z.string(),
  message_template_language: z.string(),
  reason: z.string().nullish(),
})
const qualityPayload = z.looseObject({ current_limit: z.string().nullish() })
const alertPayload = z.looseObject({ detail: z.string().nullish(), reason: z.string().nullish() }).catch({})

/** What is known about the tenant's number, or null when it has none. */
export async function loadChannelOverview(reader: Reader): Promise<ChannelOverview | null> {
  const { tenantId } = reader
  const channel = await reader.channel.findUnique({
    where: { tenantId },
    select: { id: true, displayPhoneNumber: true, phoneNumberId: true },
  })
  if (channel === null) return null
  const rows = await reader.channelEvent.findMany({
    where: { tenantId, channelId: channel.id },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: MOST_EVENTS,
  })
  const templates = new Map<string, ChannelTemplate>()
  const alerts: ChannelAlert[] = []
  let quality: ChannelOverview['quality'] = null
  for (const { field, event, payload, at: date } of rows) {
    const at = date.getTime()
    const template = templatePayload.safeParse(payload)
    if (field === TEMPLATE_NEWS && template.success) {
      const { message_template_name: name, message_template_language: language, reason } = template.data
      const key = `${name}\n${language}`
      if (!templates.has(key)) {
        templates.set(key, { name, language, status: event ?? 'UNKNOWN', reason: reason ?? null, at })
      }
    } else if (field === 'phone_number_quality_update') {
      const limit = qualityPayload.safeParse(payload).data?.current_limit ?? null
      quality ??= { event, limit, at }
    } else {
      const { detail, reason } = alertPayload.parse(payload)
      alerts.push({ field, event, detail: detail ?? reason ?? null, at })
    }
  }
  const { displayPhoneNumber, phoneNumberId } = channel
  return {
    displayPhoneNumber,
    phoneNumberId,
    quality,
    templates: [...templates.values()],
    alerts: alerts.slice(0, MOST_ALERTS),
  }
}
