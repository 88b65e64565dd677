import { h } from './dom.js'

const clock = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit' })
const weekday = new Intl.DateTimeFormat('pt-BR', { weekday: 'long' })
const dayAndMonth = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'long' })

export function time(atMs) {
  return clock.format(atMs)
}

export function day(atMs) {
  const age = Math.round((startOfDay(Date.now()) - startOfDay(atMs)) / 86_400_000)
  if (age === 0) return 'Hoje'
  if (age === 1) return 'Ontem'
  return age < 7 ? weekday.format(atMs) : dayAndMonth.format(atMs)
}

function startOfDay(atMs) {
  return new Date(atMs).setHours(0, 0, 0, 0)
}

export function phoneNumber(digits) {
  const brazilian = /^55(\d\d)(\d{4,5})(\d{4})$/.exec(digits)
  return brazilian === null ? `+${digits}` : `+55 ${brazilian[1]} ${brazilian[2]}-${brazilian[3]}`
}

const MARKS = [
  ['code', /```([\s\S]+?)```|`([^`\n]+)`/],
  ['b', /(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\p{L}\p{N}*])/u],
  ['i', /(?<![\p{L}\p{N}_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\p{L}\p{N}_])/u],
  ['s', /(?<![\p{L}\p{N}~])~(?=\S)([^~\n]+?)(?<=\S)~(?![\p{L}\p{N}~])/u],
  ['a', /(https?:\/\/[^\s]+[^\s.,;:!?)])/],
]

/** WhatsApp's marks and links as nodes. */
export function richText(text) {
  let first = null
  for (const [tag, pattern] of MARKS) {
    const match = pattern.exec(text)
    if (match !== null && (first === null || match.index < first.match.index)) first = { tag, match }
  }
  if (first === null) return text.replace(/^[-*] /gm, '•  ')
  const { tag, match } = first
  const inner = match[1] ?? match[2]
  const props = tag === 'a' ? { href: inner, target: '_blank', rel: 'noreferrer' } : {}
  const body = tag === 'code' || tag === 'a' ? inner : richText(inner)
  const before = text.slice(0, match.index).replace(/^[-*] /gm, '•  ')
  return [before, h(tag, props, body), richText(text.slice(match.index + match[0].length))].flat()
}

/** The text without marks, on one line. */
export function preview(text) {
  return text.replace(/[*_~`]/g, '').replace(/\s+/g, ' ')
}
