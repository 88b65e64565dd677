import { notifications } from '@mantine/notifications'
import { ApiError } from '../api/client.ts'

/** A short word that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'brand', withBorder: true })
}

/** @param explain the reason in the reader's language for a problem's code; undefined when there is none. */
export function notifyFailure(
  title: string,
  error: Error,
  explain: (code: string) => string | undefined = () => undefined,
): void {
  const known = error instanceof ApiError ? explain(error.code) : undefined
  const message = known ?? (error instanceof ApiError && error.status !== 0 ? error.message : '')
  notifications.show({ title, message, color: 'red', withBorder: true, autoClose: 8_000 })
}

/** What was asked for is not possible, and why; nothing was sent. */
export function notifyRefusal(title: string, message: string): void {
  notifications.show({ title, message, color: 'red', withBorder: true, autoClose: 8_000 })
}
