import { h, icon, ticks } from './dom.js'
import { preview, richText, time } from './format.js'

/**
 * One message with what hangs under it. `first`: the first of its side in a row; `settled`: on the screen before,
 * so it does not arrive once more.
 */
export function bubble(message, { first, settled, quoted, businessName, onChoose, onOpenList, onRetry }) {
  const side = message.side === 'mine' ? 'mine' : 'theirs'
  return h(
    'article',
    {
      className: `turn ${side}${first ? ' first' : ''}${settled ? ' settled' : ''}`,
      'aria-label': side === 'mine' ? 'Você' : businessName,
    },
    h(
      'div',
      { className: 'bubble' },
      quoted ? quote(quoted, businessName) : null,
      h('span', { className: 'bubble-text' }, richText(message.text)),
      h('span', { className: 'bubble-meta' }, time(message.atMs), tickOf(message)),
    ),
    message.choices === null ? null : options(message, { onChoose, onOpenList }),
    message.status === 'failed'
      ? h(
          'button',
          { type: 'button', className: 'failed', onclick: () => onRetry(message) },
          'Não enviada. Tentar de novo',
        )
      : null,
  )
}

function tickOf(message) {
  return message.side === 'mine' && message.status !== 'failed' ? ticks(message.status) : null
}

function quote(message, businessName) {
  return h(
    'span',
    { className: 'quote' },
    h('b', {}, message.side === 'mine' ? 'Você' : businessName),
    h('span', {}, preview(message.text)),
  )
}

function options(message, { onChoose, onOpenList }) {
  const { kind, label, options: all } = message.choices
  if (kind === 'list') {
    const open = {
      type: 'button',
      className: 'option',
      'aria-haspopup': 'dialog',
      onclick: () => onOpenList(message),
    }
    return h('div', { className: 'options' }, h('button', open, icon('list'), label))
  }
  const answered = message.chosenId !== null
  return h(
    'div',
    { className: 'options' },
    all.map((option) => optionButton(message, option, answered, onChoose)),
  )
}

function optionButton(message, option, answered, onChoose) {
  const chosen = option.id === message.chosenId
  return h(
    'button',
    {
      type: 'button',
      className: `option${chosen ? ' chosen' : ''}`,
      disabled: answered,
      'aria-pressed': answered ? String(chosen) : null,
      onclick: () => onChoose(message, option),
    },
    icon('reply'),
    option.title,
  )
}

export function typingBubble() {
  return h(
    'div',
    { className: 'turn theirs first' },
    h(
      'div',
      { className: 'bubble typing-bubble', role: 'img', 'aria-label': 'digitando' },
      h('i'),
      h('i'),
      h('i'),
    ),
  )
}
