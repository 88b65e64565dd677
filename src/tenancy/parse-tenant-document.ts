import { type TenantDocument, tenantDocumentSchema } from '../contracts/tenant-document.ts'
import { InvalidDocumentError, issuesOf } from './errors.ts'

/**
 * Validates a tenant document and fills its defaults in.
 * @param slug The tenant that the document is meant for (the one in the URL), when it is known.
 * @throws InvalidDocumentError naming every path that is wrong.
 */
export function parseTenantDocument(value: unknown, slug?: string): TenantDocument {
  const result = tenantDocumentSchema.safeParse(value)
  if (!result.success) throw new InvalidDocumentError(issuesOf(result.error))
  if (slug !== undefined && result.data.slug !== slug) {
    throw new InvalidDocumentError([{ path: 'slug', message: `must be "${slug}", as in the address` }])
  }
  return result.data
}
