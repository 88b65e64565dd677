/** A phone number as people write it: Brazilian ones grouped, others with a plus. */
export function formatPhone(phone: string | null): string {
  if (phone === null || phone === '') return ''
  const digits = phone.replace(/\D/g, '')
  const brazilian = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(digits)
  if (brazilian === null) return `+${digits}`
  return `+55 ${brazilian[1]} ${brazilian[2]}-${brazilian[3]}`
}
