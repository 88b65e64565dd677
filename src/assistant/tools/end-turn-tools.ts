import { z } from 'zod'
import { defineTool } from '../../agent/tool.ts'
import type { ReceptionContext } from './reception-context.ts'

/** The bounds of one WhatsApp list: ten rows; a longer title is cut by the channel, which keeps it whole below. */
export const offerChoicesInput = z.strictObject({
  text: z.string().trim().min(1).max(1_024).describe('What the customer reads above the choices'),
  choices: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(190).describe('Comes back when the customer taps it; put the value in it'),
        title: z
          .string()
          .trim()
          .min(1)
          .max(60)
          .describe('Short: 20 characters fit on a button, 24 in a list'),
        description: z.string().max(200).optional(),
      }),
    )
    .min(1)
    .max(10)
    .refine(
      (choices) => new Set(choices.map((choice) => choice.id)).size === choices.length,
      'ids must differ',
    ),
})

export const offerChoices = defineTool<ReceptionContext, z.infer<typeof offerChoicesInput>>({
  name: 'offer_choices',
  description:
    'Sends the customer a text with 1 to 10 tappable choices (buttons up to 3, else a list) and ends your turn.',
  effect: 'end_turn',
  input: offerChoicesInput,
  run: async () => ({ offered: true }),
})

export const transferToHumanInput = z.strictObject({
  reason: z.string().trim().min(1).max(500).describe('Why a person is needed'),
  summary: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .describe('For the person: what the customer wants, what was tried, what is confirmed'),
})

export const transferToHuman = defineTool<ReceptionContext, z.infer<typeof transferToHumanInput>>({
  name: 'transfer_to_human',
  description:
    'Gives the conversation to a person of the business and ends your turn. A sentence written beside this call reaches the customer; the notice that a person follows is added to it.',
  effect: 'end_turn',
  input: transferToHumanInput,
  run: async () => ({ transferred: true }),
})
