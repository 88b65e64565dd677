/** Larger ones are described to the model instead of shown: a page costs some 2,000 tokens, in every step. */
export const MAX_MODEL_PDF_BYTES = 2 * 1024 * 1024
export const MAX_MODEL_PDF_PAGES = 5

/**
 * How many pages a PDF says it has: its page objects, or the count of its page tree, whichever is more. null
 * when both are packed away in compressed objects.
 */
export function countPages(bytes: Buffer): number | null {
  const text = bytes.toString('latin1')
  const objects = text.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0
  let pages = objects
  for (const [, count] of text.matchAll(/\/Count\s+(\d{1,6})/g)) pages = Math.max(pages, Number(count))
  return pages > 0 ? pages : null
}
