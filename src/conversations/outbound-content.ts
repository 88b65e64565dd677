import { z } from 'zod'
import type { JsonInput } from '../db/index.ts'
import type { OutboundContent } from './outbound-channel.ts'

const choiceSchema = z
  .object({
    id: z.string(),
    origin: z.enum(['model', 'product']).optional(),
    title: z.string(),
    description: z.string().optional(),
  })
  .transform(({ id, title, origin, description }) => ({
    id,
    title,
    ...(origin === undefined ? {} : { origin }),
    ...(description === undefined ? {} : { description }),
  }))

const templateSchema = z.object({
  kind: z.literal('template'),
  name: z.string(),
  language: z.string(),
  components: z.array(z.unknown()),
})
const contentSchema: z.ZodType<OutboundContent> = z.discriminatedUnion('kind', [
  z
    .object({ kind: z.literal('text'), text: z.string(), verbatim: z.boolean().optional() })
    .transform(({ verbatim, ...content }) => ({
      ...content,
      ...(verbatim === undefined ? {} : { verbatim }),
    })),
  z.object({ kind: z.literal('choices'), text: z.string(), choices: z.array(choiceSchema) }),
  templateSchema,
])

/** Reads what an outbox row holds. @throws ZodError when another version wrote something else. */
export function parseOutboundContent(stored: unknown): OutboundContent {
  return contentSchema.parse(stored)
}

/** How the thread shows it: type, readable text, and what the text does not hold. */
export function describeContent(content: OutboundContent): {
  type: 'text' | 'interactive' | 'template'
  text: string
  payload?: JsonInput
} {
  switch (content.kind) {
    case 'text':
      return { type: 'text', text: content.text }
    case 'choices':
      return {
        type: 'interactive',
        text: content.text,
        payload: { choices: content.choices.map((choice) => ({ ...choice })) },
      }
    case 'template':
      return {
        type: 'template',
        text: content.name,
        payload: { template: { name: content.name, language: content.language } },
      }
  }
}
