/** What somebody typed as `HH:MM`, or as it is when it means no time. */
export function asTime(typed: string): string {
  const parts = /^(\d{1,2})(?:[:h.]?(\d{2})|h)?$/i.exec(typed.trim())
  if (parts === null) return typed.trim()
  return `${parts[1]?.padStart(2, '0')}:${parts[2] ?? '00'}`
}
