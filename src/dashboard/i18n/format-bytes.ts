const KILOBYTE = 1024

/** `340 kB`, `1,2 MB`; nothing for a size that is not known. */
export function formatBytes(bytes: number | null, locale: string): string {
  if (bytes === null) return ''
  const [value, unit] =
    bytes < KILOBYTE * KILOBYTE
      ? [Math.max(1, Math.round(bytes / KILOBYTE)), 'kB']
      : [bytes / (KILOBYTE * KILOBYTE), 'MB']
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value)} ${unit}`
}
