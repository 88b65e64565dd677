/**
 * One spelling for numbers that WhatsApp spells in two, for telling people apart. Input: international digits,
 * a plus and separators allowed. Output: digits. Never send to the result: answer to the form you were given
 * (WhatsApp accepts either, but a test number's allow-list and old accounts know only theirs).
 *
 * - Brazil: mobiles got a ninth digit, `55 DD XXXXXXXX` and `55 DD 9XXXXXXXX` are one person. A local part that
 *   begins with 2–5 is a landline and stays as it is.
 * - Mexico: `52 1 …` and `52 …`; Argentina: `54 9 …` and `54 …`, both with ten digits after.
 */
export function canonicalPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  const brazilianMobile = /^55([1-9]\d)([6-9]\d{7})$/.exec(digits)
  if (brazilianMobile !== null) return `55${brazilianMobile[1] ?? ''}9${brazilianMobile[2] ?? ''}`
  const twoSpellings = /^(?:(52)1|(54)9)(\d{10})$/.exec(digits)
  if (twoSpellings !== null) return `${twoSpellings[1] ?? twoSpellings[2] ?? ''}${twoSpellings[3] ?? ''}`
  return digits
}
