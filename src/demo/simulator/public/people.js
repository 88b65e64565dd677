import { avatar, h, ticks } from './dom.js'
import { day, phoneNumber, preview, time } from './format.js'

/** The list of customers, whoever was heard of last on top. */
export function renderPeople(list, { customers, selected, onSelect }) {
  const focused = document.activeElement?.dataset?.phone
  const sorted = [...customers].sort((one, other) => lastAt(other) - lastAt(one))
  list.replaceChildren(...sorted.map((customer) => person(customer, customer.phone === selected, onSelect)))
  if (focused) list.querySelector(`[data-phone="${focused}"]`)?.focus()
}

function lastAt(customer) {
  return customer.messages.at(-1)?.atMs ?? 0
}

function person(customer, current, onSelect) {
  const last = customer.messages.at(-1)
  const button = h(
    'button',
    {
      type: 'button',
      className: 'person',
      'aria-current': String(current),
      onclick: () => onSelect(customer.phone),
    },
    avatar(customer.name),
    h('span', { className: 'person-name' }, customer.name),
    h('span', { className: 'person-time' }, last ? shortTime(last.atMs) : ''),
    previewLine(customer, last),
    customer.unread > 0
      ? h(
          'span',
          { className: 'badge', 'aria-label': `${customer.unread} não lidas` },
          String(customer.unread),
        )
      : null,
  )
  button.dataset.phone = customer.phone
  if (customer.unread > 0) button.dataset.unread = 'true'
  return h('li', {}, button)
}

function previewLine(customer, last) {
  if (customer.typing) return h('span', { className: 'person-preview typing' }, h('span', {}, 'digitando…'))
  if (last === undefined) {
    return h('span', { className: 'person-preview' }, h('span', {}, phoneNumber(customer.phone)))
  }
  const mark = last.side === 'mine' && last.status !== 'failed' ? ticks(last.status) : null
  return h('span', { className: 'person-preview' }, mark, h('span', {}, preview(last.text)))
}

function shortTime(atMs) {
  const name = day(atMs)
  return name === 'Hoje' ? time(atMs) : name
}
