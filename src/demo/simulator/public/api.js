const BASE = 'api'

async function request(path, body) {
  const response = await fetch(`${BASE}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  })
  const answer = response.status === 204 ? null : await response.json()
  return { ok: response.ok, answer }
}

const customerPath = (phone) => `customers/${encodeURIComponent(phone)}`

export function addCustomer(customer) {
  return request('customers', customer)
}

export function sendText(phone, text) {
  return request(`${customerPath(phone)}/messages`, { text })
}

export function choose(phone, replyTo, optionId) {
  return request(`${customerPath(phone)}/messages`, { replyTo, optionId })
}

export function retry(phone, id) {
  return request(`${customerPath(phone)}/messages/${encodeURIComponent(id)}/retry`)
}

export function markRead(phone) {
  return request(`${customerPath(phone)}/read`)
}

/** Live events; the browser connects again by itself, and every connection starts with the whole state. */
export function listen(handlers, onConnection) {
  const events = new EventSource(`${BASE}/events`)
  for (const [type, handle] of Object.entries(handlers)) {
    events.addEventListener(type, (event) => handle(JSON.parse(event.data)))
  }
  events.addEventListener('open', () => onConnection(true))
  events.addEventListener('error', () => onConnection(false))
}
