import type { TenantStore } from '../db/index.ts'

/** The id behind a slug, or null. */
export async function findTenantBySlug(store: TenantStore, slug: string): Promise<string | null> {
  const tenant = await store.unsafeRead('a slug names its tenant before the tenant is known', (reader) =>
    reader.tenant.findUnique({ where: { slug }, select: { id: true } }),
  )
  return tenant?.id ?? null
}
