import type { StoredTenantDocument, TenantDocument } from '../contracts/tenant-document.ts'
import type { Reader } from '../db/index.ts'
import { dateOfColumn, fromWallRange, fromWeeklyHours, staffRoleColumn, wallRangesColumn } from './columns.ts'
import { loadTenantProfile } from './tenant-profile.ts'

/** The document but for its people, whose presence is not the document's to decide. */
export type Configuration = Omit<StoredTenantDocument, 'staff'>

/** What a document configures, in the form in which it is read back: no secret, services in their order. */
export function configurationOf(document: TenantDocument): Configuration {
  const { staff: _staff, channel, ...rest } = document
  const { accessToken: _accessToken, ...publicChannel } = channel
  const position = new Map(document.services.map((service, index) => [service.key, index]))
  return {
    ...rest,
    channel: publicChannel,
    professionals: document.professionals.map((professional) => ({
      ...professional,
      services: professional.services.toSorted((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0)),
    })),
  }
}

/** The handle's tenant as a document. @throws AppError `tenant_not_found` */
export async function readStoredDocument(reader: Reader): Promise<StoredTenantDocument> {
  const configuration = await readConfiguration(reader)
  const staff = await reader.staff.findMany({
    select: { email: true, name: true, role: true },
    orderBy: { id: 'asc' },
  })
  return {
    ...configuration,
    staff: staff.map((person) => ({ ...person, role: staffRoleColumn.parse(person.role) })),
  }
}

/** As {@link readStoredDocument}, without the people. */
export async function readConfiguration(reader: Reader): Promise<Configuration> {
  const profile = await loadTenantProfile(reader)
  const channel = await reader.channel.findUniqueOrThrow({
    where: { tenantId: reader.tenantId },
    select: { phoneNumberId: true, wabaId: true, displayPhoneNumber: true },
  })
  const services = await reader.service.findMany({
    where: { active: true },
    orderBy: { position: 'asc' },
    select: {
      key: true,
      name: true,
      description: true,
      durationMinutes: true,
      bufferBeforeMinutes: true,
      bufferAfterMinutes: true,
      priceCents: true,
    },
  })
  return {
    slug: profile.slug,
    name: profile.name,
    timeZone: profile.timeZone,
    locale: profile.locale,
    currency: profile.currency,
    channel,
    policy: profile.policy,
    services,
    professionals: await readProfessionals(reader),
    exceptions: await readExceptions(reader),
    handoff: { ...profile.handoff, hours: profile.handoff.hours.map(fromWeeklyHours) },
    instructions: profile.instructions,
    ...(profile.reopenTemplate === null ? {} : { texts: { reopenTemplate: profile.reopenTemplate } }),
  }
}

async function readProfessionals(reader: Reader): Promise<Configuration['professionals']> {
  const rows = await reader.professional.findMany({
    where: { active: true },
    orderBy: { position: 'asc' },
    select: {
      key: true,
      name: true,
      services: { select: { service: { select: { key: true, position: true } } } },
      shifts: { orderBy: { position: 'asc' } },
    },
  })
  return rows.map((row) => ({
    key: row.key,
    name: row.name,
    services: row.services
      .map(({ service }) => service)
      .sort((a, b) => a.position - b.position)
      .map((service) => service.key),
    hours: row.shifts.map((shift) =>
      fromWeeklyHours({ weekdays: shift.weekdays, from: shift.fromMinute, to: shift.toMinute }),
    ),
  }))
}

async function readExceptions(reader: Reader): Promise<Configuration['exceptions']> {
  const rows = await reader.scheduleException.findMany({
    orderBy: { position: 'asc' },
    include: { professional: { select: { key: true } } },
  })
  return rows.map((row) => ({
    professional: row.professional?.key ?? null,
    from: dateOfColumn(row.fromDate),
    to: dateOfColumn(row.toDate),
    hours: wallRangesColumn.parse(row.hours).map(fromWallRange),
  }))
}
