import { Fragment, type ReactNode } from 'react'

const MARKS = /(\*[^\s*](?:[^*\n]*[^\s*])?\*|_[^\s_](?:[^_\n]*[^\s_])?_|~[^\s~](?:[^~\n]*[^\s~])?~)/

/**
 * WhatsApp's own marks (`*bold*`, `_italic_`, `~struck~`) as the customer sees them.
 * https://faq.whatsapp.com/539178204879377
 */
export function FormattedText({ text }: { text: string }): ReactNode {
  return text.split(MARKS).map((part, index) => {
    const key = `${index}:${part.length}`
    // Every second part is one that the pattern caught.
    if (index % 2 === 0) return <Fragment key={key}>{part}</Fragment>
    const inner = part.slice(1, -1)
    if (part.startsWith('*')) return <strong key={key}>{inner}</strong>
    return part.startsWith('_') ? <em key={key}>{inner}</em> : <s key={key}>{inner}</s>
  })
}
