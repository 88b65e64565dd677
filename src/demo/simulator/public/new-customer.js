import * as api from './api.js'

const ERRORS = {
  phone_taken: 'Já existe um cliente com esse número.',
  invalid_request: 'Escreva o número com país e DDD, por exemplo +55 11 98765-4321.',
}

/** The form for one more customer; `onAdded` gets the new phone. */
export function setUpCustomerDialog(onAdded) {
  const dialog = document.querySelector('#customer-dialog')
  const form = document.querySelector('#customer-form')
  const error = document.querySelector('#customer-error')

  document.querySelector('#new-customer').addEventListener('click', () => {
    form.reset()
    error.textContent = ''
    dialog.showModal()
  })
  document.querySelector('#customer-cancel').addEventListener('click', () => dialog.close())
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const { name, phone } = Object.fromEntries(new FormData(form))
    if (name.trim() === '') {
      error.textContent = 'Escreva um nome.'
      return
    }
    const { ok, answer } = await api.addCustomer({ name, phone: withCountry(phone) })
    if (!ok) {
      error.textContent = ERRORS[answer.code] ?? 'Não foi possível adicionar.'
      return
    }
    dialog.close()
    onAdded(answer.phone)
  })
}

/** A number without a country is Brazilian: area code and eight or nine digits. */
function withCountry(phone) {
  const digits = phone.replace(/\D/g, '')
  return phone.trim().startsWith('+') || digits.length > 11 ? digits : `55${digits}`
}
