/**
 * Makes an element. `props` are properties (`className`, `onclick`, …); keys with a dash and `role` are
 * attributes. Text goes in as text, never as markup.
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag)
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue
    if (key.includes('-') || key === 'role') element.setAttribute(key, String(value))
    else element[key] = value
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined))
  return element
}

const ICONS = {
  add: 'M12 5v14M5 12h14',
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6L6 18',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  reply: 'M10 8L5 12.5l5 4.5M5 12.5h8a6 6 0 0 1 6 6',
  send: 'M4.5 12L20 4.5 14.5 20l-3-6.5zM11.5 13.5L20 4.5',
  verified:
    'M12 3l2.3 2 3-.2.7 3 2.5 1.7-1.2 2.8 1.2 2.8-2.5 1.7-.7 3-3-.2L12 21.6l-2.3-2-3 .2-.7-3-2.5-1.7 1.2-2.8-1.2-2.8 2.5-1.7.7-3 3 .2zM9 12.2l2.2 2.2 4-4.3',
  signal: 'M4 19v-3M9.3 19v-7M14.6 19V9M20 19V5',
  battery: 'M3 8h15v8H3zM21 11v2M6 11v2M9 11v2M12 11v2',
}

export function icon(name) {
  return svg('icon', '0 0 24 24', ICONS[name])
}

/** One tick while it is under way, two when it arrived; blue (by class) when it was read. */
export function ticks(status) {
  const one = 'M1.5 6l3 3.2L11 1.8'
  const image = svg(
    `ticks ${status}`,
    '0 0 17 11',
    status === 'sending' ? one : `${one}M7.2 8.2l1 1L15.2 1.8`,
  )
  image.setAttribute(
    'style',
    'fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round',
  )
  image.setAttribute('role', 'img')
  image.setAttribute(
    'aria-label',
    { sending: 'enviando', delivered: 'entregue', read: 'lida' }[status] ?? status,
  )
  return image
}

function svg(className, viewBox, d) {
  const image = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  image.setAttribute('class', className)
  image.setAttribute('viewBox', viewBox)
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', d)
  image.append(path)
  return image
}

const HUES = [164, 192, 214, 240, 268, 312, 340, 14]

/** Initials on a colour of the name's own. */
export function avatar(name) {
  const words = name
    .replace(/[^\p{L}\s]/gu, '')
    .trim()
    .split(/\s+/)
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => word?.[0] ?? '').join('')
  const element = h('span', { className: 'avatar', 'aria-hidden': 'true' }, initials.toUpperCase() || '#')
  const sum = [...name].reduce((total, letter) => (total * 31 + letter.codePointAt(0)) % 9973, 7)
  element.style.setProperty('--hue', String(HUES[sum % HUES.length]))
  return element
}
