import type { TenantDocument } from '../contracts/tenant-document.ts'
import { jsonInput, type Tx } from '../db/index.ts'
import { newId } from '../shared/ids.ts'
import { dateColumn, toWallRange, toWeeklyHours } from './columns.ts'

/**
 * Makes the rows of a tenant say what its document says, but for channel and staff. What the document
 * leaves out is deactivated: appointments point at it. Needs the tenant's row to exist.
 */
export async function writeConfiguration(tx: Tx, document: TenantDocument): Promise<void> {
  const serviceIds = await writeServices(tx, document.services)
  const professionalIds = await writeProfessionals(tx, document.professionals, serviceIds)
  await writeExceptions(tx, document.exceptions, professionalIds)
}

/** The columns of the tenant's own row. */
export function tenantColumns(document: TenantDocument) {
  const { slug, name, timeZone, locale, currency, policy, handoff, instructions, texts } = document
  return {
    slug,
    name,
    timeZone,
    locale,
    currency,
    ...policy,
    ...handoffColumns(handoff),
    instructions,
    reopenTemplateName: texts?.reopenTemplate.name ?? null,
    reopenTemplateLanguage: texts?.reopenTemplate.language ?? null,
  }
}

function handoffColumns({ hours, ...minutes }: TenantDocument['handoff']) {
  return { ...minutes, handoffHours: jsonInput(hours.map(toWeeklyHours)) }
}

type IdsByKey = ReadonlyMap<string, string>

async function writeServices(tx: Tx, services: TenantDocument['services']): Promise<IdsByKey> {
  const { tenantId } = tx
  const stored = await tx.service.findMany({ select: { id: true, key: true } })
  const ids = new Map(stored.map((row) => [row.key, row.id]))
  await tx.service.updateMany({
    where: { key: { notIn: services.map(({ key }) => key) } },
    data: { active: false },
  })
  for (const [position, service] of services.entries()) {
    const data = { ...service, active: true, position }
    const id = ids.get(service.key)
    if (id === undefined) {
      const created = await tx.service.create({ data: { tenantId, id: newId(), ...data } })
      ids.set(service.key, created.id)
    } else {
      await tx.service.update({ where: { tenantId_id: { tenantId, id } }, data })
    }
  }
  return ids
}

async function writeProfessionals(
  tx: Tx,
  professionals: TenantDocument['professionals'],
  serviceIds: IdsByKey,
): Promise<IdsByKey> {
  const { tenantId } = tx
  const stored = await tx.professional.findMany({ select: { id: true, key: true } })
  const ids = new Map(stored.map((row) => [row.key, row.id]))
  await tx.professional.updateMany({
    where: { key: { notIn: professionals.map(({ key }) => key) } },
    data: { active: false },
  })
  for (const [position, { key, name }] of professionals.entries()) {
    const data = { key, name, active: true, position }
    const id = ids.get(key)
    if (id === undefined) {
      const created = await tx.professional.create({ data: { tenantId, id: newId(), ...data } })
      ids.set(key, created.id)
    } else {
      await tx.professional.update({ where: { tenantId_id: { tenantId, id } }, data })
    }
  }
  const rows = professionals.map((professional) => ({ ...professional, id: idOf(ids, professional.key) }))
  const listed = { professionalId: { in: rows.map(({ id }) => id) } }
  await tx.professionalService.deleteMany({ where: listed })
  await tx.professionalService.createMany({
    data: rows.flatMap(({ id: professionalId, services }) =>
      services.map((key) => ({ tenantId, professionalId, serviceId: idOf(serviceIds, key) })),
    ),
  })
  await tx.shift.deleteMany({ where: listed })
  await tx.shift.createMany({
    data: rows.flatMap(({ id: professionalId, hours }) =>
      hours.map((range, position) => {
        const { weekdays, from, to } = toWeeklyHours(range)
        return {
          tenantId,
          id: newId(),
          professionalId,
          position,
          weekdays: [...weekdays],
          fromMinute: from,
          toMinute: to,
        }
      }),
    ),
  })
  return ids
}

async function writeExceptions(
  tx: Tx,
  exceptions: TenantDocument['exceptions'],
  professionalIds: IdsByKey,
): Promise<void> {
  const { tenantId } = tx
  await tx.scheduleException.deleteMany({})
  await tx.scheduleException.createMany({
    data: exceptions.map(({ professional, from, to, hours }, position) => ({
      tenantId,
      id: newId(),
      professionalId: professional === null ? null : idOf(professionalIds, professional),
      position,
      fromDate: dateColumn(from),
      toDate: dateColumn(to),
      hours: jsonInput(hours.map(toWallRange)),
    })),
  })
}

/** The document was validated: every key that it names is in it. */
function idOf(ids: IdsByKey, key: string): string {
  const id = ids.get(key)
  if (id === undefined) throw new Error(`the document names "${key}" and does not hold it`)
  return id
}
