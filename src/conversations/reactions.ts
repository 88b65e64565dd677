import { z } from 'zod'

const reaction = z.object({ emoji: z.string().nullable(), at: z.string() })
const reactionsSchema = z.object({ customer: reaction.optional(), staff: reaction.optional() }).catch({})

/** The newest reaction of each side; `emoji: null` is one that was taken back. */
export type Reactions = z.infer<typeof reactionsSchema>

/** Reads the column `messages.reactions`; nothing there, or nothing sensible, is no reaction. */
export function parseReactions(stored: unknown): Reactions {
  return reactionsSchema.parse(stored ?? {})
}

/** The reactions that stand, for the thread. */
export function standingReactions(stored: unknown): { author: 'customer' | 'staff'; emoji: string }[] {
  const { customer, staff } = parseReactions(stored)
  return [
    ...(customer?.emoji == null ? [] : [{ author: 'customer' as const, emoji: customer.emoji }]),
    ...(staff?.emoji == null ? [] : [{ author: 'staff' as const, emoji: staff.emoji }]),
  ]
}
