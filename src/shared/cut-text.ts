const graphemes = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' })

/** The beginning of `text` in at most `limit` UTF-16 units, so that no emoji or accented letter is halved. */
export function cutText(text: string, limit: number): string {
  return text.slice(0, graphemeFloor(text, limit))
}

/** The longest length up to `limit` that ends between two graphemes of `text`. */
export function graphemeFloor(text: string, limit: number): number {
  if (text.length <= limit) return text.length
  const containing = graphemes.segment(text).containing(Math.max(limit, 0))
  const border = containing?.index ?? limit
  return border > 0 ? border : Math.max(limit, 1)
}
