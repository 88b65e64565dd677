import { bubble, typingBubble } from './bubble.js'
import { avatar, h, icon } from './dom.js'
import { day } from './format.js'

const STARTERS = ['Oi! Quero marcar um horário', 'Quais serviços vocês fazem?', 'Meus horários']

/** The chat of one customer with the business. Made once a customer; `update` shows what changed. */
export function createChat({ businessName, actions }) {
  const subtitle = h('p', { className: 'chat-sub' })
  const log = h('div', { className: 'log', role: 'log', 'aria-label': 'Mensagens', tabIndex: 0 })
  const input = h('textarea', { rows: 1, placeholder: 'Mensagem', maxLength: 4096, 'aria-label': 'Mensagem' })
  const send = h(
    'button',
    { type: 'submit', className: 'send', disabled: true, 'aria-label': 'Enviar' },
    icon('send'),
  )
  const form = h('form', { className: 'composer' }, input, send)
  const nodes = keyedNodes(log)
  const arrived = new Set()
  let shown = 0

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    submit()
  })
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    submit()
  })
  input.addEventListener('input', fitHeight)

  function submit() {
    const text = input.value.trim()
    if (text === '') return
    input.value = ''
    fitHeight()
    actions.onSend(text)
  }

  function fitHeight() {
    send.disabled = input.value.trim() === ''
    input.style.height = 'auto'
    input.style.height = `${input.scrollHeight}px`
  }

  function update(customer) {
    const nearEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 120
    const grew = customer.messages.length > shown
    shown = customer.messages.length
    subtitle.textContent = customer.typing ? 'digitando…' : 'conta comercial'
    subtitle.classList.toggle('typing', customer.typing)
    nodes.show([
      { key: 'notice', make: notice },
      ...(customer.messages.length === 0 ? [{ key: 'starters', make: starters }] : messageItems(customer)),
      ...(customer.typing ? [{ key: 'typing', make: typingBubble }] : []),
    ])
    if (nearEnd || grew) log.scrollTop = log.scrollHeight
  }

  function messageItems({ messages }) {
    return messages.flatMap((message, index) => {
      const before = messages[index - 1]
      const name = day(message.atMs)
      const newDay = before === undefined || day(before.atMs) !== name
      const quoted = messages.find(({ id }) => id === message.quotedId)
      const first = newDay || before.side !== message.side || before.choices !== null
      const item = {
        key: `${JSON.stringify(message)}${first}`,
        make: () => {
          const settled = arrived.has(message.id)
          arrived.add(message.id)
          return bubble(message, { first, settled, quoted, businessName, ...actions })
        },
      }
      const separator = { key: `day ${name}`, make: () => h('p', { className: 'day' }, name) }
      return newDay ? [separator, item] : [item]
    })
  }

  function starters() {
    return h(
      'div',
      { className: 'starters' },
      avatar(businessName),
      h('h2', {}, businessName),
      h('p', {}, 'Comece a conversa escrevendo abaixo ou por uma destas:'),
      STARTERS.map((text) =>
        h('button', { type: 'button', className: 'starter', onclick: () => actions.onSend(text) }, text),
      ),
    )
  }

  const head = h(
    'header',
    { className: 'chat-head' },
    h(
      'button',
      { type: 'button', className: 'chat-back', 'aria-label': 'Voltar', onclick: actions.onBack },
      icon('back'),
    ),
    avatar(businessName),
    h('div', {}, h('h2', { className: 'chat-title' }, businessName, icon('verified')), subtitle),
  )
  return { parts: [head, log, form], update, focus: () => input.focus() }
}

function notice() {
  return h('p', { className: 'notice' }, 'Conversa simulada: nada aqui chega ao WhatsApp de verdade.')
}

/**
 * Shows a list of items in `parent` and touches only what changed, so that a screen reader hears a message once
 * and a focused button keeps its focus. An item is `{ key, make }`; the same key is the same node.
 */
function keyedNodes(parent) {
  let known = new Map()
  return {
    show(items) {
      const next = new Map(items.map(({ key, make }) => [key, known.get(key) ?? make()]))
      for (const [key, node] of known) if (!next.has(key)) node.remove()
      let place = parent.firstChild
      for (const node of next.values()) {
        if (node === place) place = place.nextSibling
        else parent.insertBefore(node, place)
      }
      known = next
    },
  }
}
