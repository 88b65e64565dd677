/**
 * Markdown, as a model writes it, in WhatsApp's own marks: `**bold**` becomes `*bold*`, headings become bold
 * lines, `[label](url)` becomes `label: url`, bullets `-`, tables one line a row, rules and HTML breaks go.
 * What WhatsApp shares with markdown (`_italic_`, quotes, numbered lists, code) stays.
 *
 * Formatting a formatted text changes nothing, so a text may pass here twice (when it is split, and when it is
 * sent). That is why a single `*word*` stays as it is: it is WhatsApp's bold already, and cannot be told from
 * markdown's italic. Code, inline and fenced, is left letter for letter.
 */
export function formatText(markdown: string): string {
  let text = markdown.replace(/\r\n?/g, '\n').replace(/[\uE000\uE001]/g, '')
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const formatted = formatOnce(text)
    if (formatted === text) break
    text = formatted
  }
  return text
}

/** Marks inside marks come apart one layer a pass; real texts are stable after the second. */
const MAX_PASSES = 8

/** Fenced blocks and inline code. */
const CODE = /```[\s\S]*?```|`[^`\n]+`/g

function formatOnce(text: string): string {
  const codes: string[] = []
  const lines = text.replace(CODE, (code) => `\uE000${codes.push(plainFence(code)) - 1}\uE001`).split('\n')
  return lines
    .flatMap(formatLine)
    .join('\n')
    .replace(/\uE000(\d+)\uE001/g, (_match, index: string) => codes[Number(index)] ?? '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** WhatsApp shows a fence's language word as text, so it goes. */
function plainFence(code: string): string {
  return code.replace(/^```[a-z0-9+-]+\n/i, '```\n')
}

const TABLE_RULE = /^\s*(?=.*\|)\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/
const HEADING = /^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$/
const TABLE_ROW = /^\s*\|(.+)\|\s*$/

function formatLine(line: string): string[] {
  if (RULE.test(line) || TABLE_RULE.test(line)) return []
  const heading = HEADING.exec(line)?.[1]
  if (heading !== undefined) return [bold(inline(heading))]
  const row = TABLE_ROW.exec(line)?.[1]
  if (row !== undefined) return [inline(tableRow(row))]
  return [inline(line.replace(/^(\s*)[*+•]\s+/, '$1- '))]
}

function bold(text: string): string {
  const plain = text.replaceAll('*', '').trim()
  return plain === '' ? '' : `*${plain}*`
}

function tableRow(row: string): string {
  const cells = row.split('|').map((cell) => cell.trim())
  return `- ${cells.filter((cell) => cell !== '').join(' · ')}`
}

function inline(text: string): string {
  return text
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(
      /!?\[([^\]\n]*)\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/g,
      (_match, label: string, url: string) => link(label, url),
    )
    .replace(/<((?:https?:\/\/|mailto:)[^\s>]+)>/g, '$1')
    .replace(/\*\*\*(?=\S)(.+?)(?<=\S)\*\*\*/g, '*_$1_*')
    .replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, '*$1*')
    .replace(/(?<![\w_])__(?=\S)(.+?)(?<=\S)__(?![\w_])/g, '*$1*')
    .replace(/~~(?=\S)(.+?)(?<=\S)~~/g, '~$1~')
    .replace(/\\([$.!&%])/g, '$1')
}

function link(label: string, url: string): string {
  const bare = url.replace(/^mailto:|^tel:/, '')
  const text = label.trim()
  return text === '' || text === bare || text === url ? bare : `${text}: ${bare}`
}
