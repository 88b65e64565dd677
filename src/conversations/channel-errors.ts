import { z } from 'zod'
import type { ChannelError } from './outbound-channel.ts'

const errorsSchema = z.array(z.object({ code: z.number(), detail: z.string() })).catch([])

/** Reads a stored list of errors; anything else is none. */
export function parseChannelErrors(stored: unknown): ChannelError[] {
  return errorsSchema.parse(stored)
}
