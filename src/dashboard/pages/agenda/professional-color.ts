import type { CatalogDto } from '../../../contracts/dashboard-api.ts'

const HUES = [164, 262, 28, 205, 330, 92, 48, 232]

/** A hue that stays the professional's own on the page. */
export function colorOf(catalog: CatalogDto, key: string): string {
  const index = catalog.professionals.findIndex((professional) => professional.key === key)
  return String(HUES[(index + HUES.length) % HUES.length] ?? 164)
}
