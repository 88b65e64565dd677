import { h, icon } from './dom.js'

/** A list message's rows, from the bottom of the phone. Arrow keys move, Escape and the scrim close. */
export function openSheet(screen, message, onChoose) {
  const before = document.activeElement
  const rows = message.choices.options.map((option) =>
    row(message, option, () => {
      close()
      onChoose(message, option)
    }),
  )
  const sheet = h(
    'div',
    { className: 'sheet', role: 'dialog', 'aria-modal': 'true', 'aria-label': message.choices.label },
    h(
      'div',
      { className: 'sheet-head' },
      h('h2', {}, message.choices.label),
      h(
        'button',
        { type: 'button', className: 'sheet-close', 'aria-label': 'Fechar', onclick: () => close() },
        icon('close'),
      ),
    ),
    h(
      'ul',
      { className: 'sheet-rows' },
      rows.map((button) => h('li', {}, button)),
    ),
  )
  const layer = h(
    'div',
    { className: 'sheet-layer', onclick: (event) => event.target === layer && close() },
    sheet,
  )
  layer.addEventListener('keydown', (event) => onKey(event, layer, rows, close))
  screen.append(layer)
  const chosen = message.choices.options.findIndex(({ id }) => id === message.chosenId)
  rows[Math.max(chosen, 0)]?.focus()

  function close() {
    layer.remove()
    if (before instanceof HTMLElement && before.isConnected) before.focus()
  }
}

function row(message, option, onclick) {
  return h(
    'button',
    { type: 'button', className: `sheet-row${option.id === message.chosenId ? ' chosen' : ''}`, onclick },
    h('b', {}, option.title),
    option.description ? h('small', {}, option.description) : null,
    h('i', { 'aria-hidden': 'true' }),
  )
}

function onKey(event, layer, rows, close) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Escape') close()
  else if (step !== undefined) {
    event.preventDefault()
    const at = rows.indexOf(document.activeElement)
    rows[(at + step + rows.length) % rows.length]?.focus()
  } else if (event.key === 'Tab') keepInside(event, [...layer.querySelectorAll('button')])
}

function keepInside(event, buttons) {
  const edge = event.shiftKey ? buttons[0] : buttons.at(-1)
  if (document.activeElement !== edge) return
  event.preventDefault()
  const next = event.shiftKey ? buttons.at(-1) : buttons[0]
  next?.focus()
}
