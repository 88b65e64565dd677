import * as api from './api.js'
import { createChat } from './chat.js'
import { h, icon } from './dom.js'
import { phoneNumber, time } from './format.js'
import { setUpCustomerDialog } from './new-customer.js'
import { renderPeople } from './people.js'
import { openSheet } from './sheet.js'

const app = document.querySelector('.app')
const screen = document.querySelector('#screen')
const customers = new Map()
let businessName = ''
let selected = null
let chat = null

api.listen({ state: onState, customer: onCustomer, message: onMessage }, (connected) => {
  document.querySelector('#offline').hidden = connected
})

function onState(state) {
  businessName = state.businessName
  customers.clear()
  for (const customer of state.customers) customers.set(customer.phone, customer)
  document.title = `${businessName} · celular simulado`
  const wanted = selected ?? decodeURIComponent(location.hash.slice(1))
  const wide = matchMedia('(min-width: 821px)').matches
  if (customers.has(wanted)) select(wanted)
  else if (wide && customers.size > 0) select(customers.keys().next().value)
  else render()
}

function onCustomer({ customer }) {
  customers.set(customer.phone, { messages: [], ...customers.get(customer.phone), ...customer })
  render()
}

function onMessage({ phone, message }) {
  const customer = customers.get(phone)
  if (customer === undefined) return
  const at = customer.messages.findIndex(({ id }) => id === message.id)
  const messages = at === -1 ? [...customer.messages, message] : customer.messages.with(at, message)
  customers.set(phone, { ...customer, messages })
  render()
}

function select(phone) {
  selected = phone
  app.dataset.view = 'chat'
  history.replaceState(null, '', `#${phone}`)
  chat = createChat({ businessName, actions: actionsOf(phone) })
  screen.replaceChildren(...chat.parts)
  render()
  chat.focus()
}

function actionsOf(phone) {
  const onChoose = (message, option) => void api.choose(phone, message.id, option.id)
  return {
    onSend: (text) => void api.sendText(phone, text),
    onChoose,
    onOpenList: (message) => openSheet(screen, message, onChoose),
    onRetry: (message) => void api.retry(phone, message.id),
    onBack,
  }
}

function onBack() {
  const phone = selected
  selected = null
  chat = null
  app.dataset.view = 'list'
  history.replaceState(null, '', location.pathname)
  render()
  document.querySelector(`[data-phone="${phone}"]`)?.focus()
}

function render() {
  renderPeople(document.querySelector('#people'), {
    customers: customers.values(),
    selected,
    onSelect: select,
  })
  const customer = customers.get(selected)
  if (customer === undefined || chat === null) {
    if (selected === null) screen.replaceChildren(h('p', { className: 'nobody' }, 'Escolha um cliente.'))
    document.querySelector('#stage-note').textContent = ''
    return
  }
  chat.update(customer)
  document.querySelector('#stage-note').textContent =
    `Celular de ${customer.name} · ${phoneNumber(customer.phone)}`
  readWhenSeen(customer)
}

/** A chat that is open on a visible page is a chat that was read. */
function readWhenSeen(customer) {
  if (customer.unread > 0 && document.visibilityState === 'visible') void api.markRead(customer.phone)
}

document.addEventListener('visibilitychange', render)
document.querySelector('#new-customer').append(icon('add'))
document.querySelector('#phone-icons').append(icon('signal'), icon('battery'))
setUpCustomerDialog(select)

function showClock() {
  document.querySelector('#clock').textContent = time(Date.now())
}
showClock()
setInterval(showClock, 10_000)
