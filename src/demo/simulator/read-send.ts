import { z } from 'zod'
import { asRecord, looseText } from '../../whatsapp/loose.ts'
import type { GraphSend } from '../graph-api-types.ts'
import type { ChatChoices, ChatMessage } from './simulator-types.ts'

/** What a template looks like on the phone; Meta keeps the approved text, a send only names it. */
export interface RenderedTemplate {
  readonly text: string
  /** Titles of the quick-reply buttons, in order. */
  readonly buttons: readonly string[]
}

export type RenderTemplate = (
  name: string,
  language: string,
  components: readonly unknown[],
) => RenderedTemplate | null

/** An accepted send as the customer sees it. */
export function readSend(send: GraphSend, renderTemplate: RenderTemplate): ChatMessage {
  const shown = send.type === 'template' ? readTemplate(send, renderTemplate) : null
  return {
    id: send.wamid,
    side: 'theirs',
    text: shown?.text ?? send.text ?? `[${send.type}]`,
    atMs: send.atMs,
    status: 'delivered',
    choices: shown === null ? readChoices(send) : shown.choices,
    chosenId: null,
    quotedId: looseText.parse(asRecord(send.body['context'])?.['message_id']),
  }
}

const buttonsSchema = z.object({
  type: z.literal('button'),
  action: z.object({
    buttons: z.array(z.object({ reply: z.object({ id: z.string(), title: z.string() }) })),
  }),
})

const rowSchema = z.object({ id: z.string(), title: z.string(), description: z.string().optional() })
const listSchema = z.object({
  type: z.literal('list'),
  action: z.object({ button: z.string(), sections: z.array(z.object({ rows: z.array(rowSchema) })) }),
})

function readChoices(send: GraphSend): ChatChoices | null {
  const parsed = z.discriminatedUnion('type', [buttonsSchema, listSchema]).safeParse(send.body['interactive'])
  if (!parsed.success) return null
  if (parsed.data.type === 'button') {
    const options = parsed.data.action.buttons.map(({ reply }) => ({ ...reply, description: null }))
    return { kind: 'buttons', label: null, options }
  }
  const { button, sections } = parsed.data.action
  const options = sections
    .flatMap(({ rows }) => rows)
    .map(({ id, title, description }) => ({ id, title, description: description ?? null }))
  return { kind: 'list', label: button, options }
}

const templateSchema = z.object({
  name: z.string(),
  language: z.object({ code: z.string() }),
  components: z.array(z.unknown()).default([]),
})

const quickReplySchema = z.object({
  type: z.literal('button'),
  sub_type: z.literal('quick_reply'),
  parameters: z.tuple([z.object({ payload: z.string() })]),
})

function readTemplate(
  send: GraphSend,
  renderTemplate: RenderTemplate,
): { text: string; choices: ChatChoices | null } | null {
  const parsed = templateSchema.safeParse(send.body['template'])
  if (!parsed.success) return null
  const { name, language, components } = parsed.data
  const rendered = renderTemplate(name, language.code, components)
  const options = components.flatMap((component) => {
    const quickReply = quickReplySchema.safeParse(component)
    return quickReply.success ? [quickReply.data.parameters[0].payload] : []
  })
  const titled = options.map((id, index) => ({
    id,
    title: rendered?.buttons[index] ?? `Opção ${index + 1}`,
    description: null,
  }))
  return {
    text: rendered?.text ?? `[modelo ${name}] ${templateWords(components).join(' · ')}`.trim(),
    choices: titled.length === 0 ? null : { kind: 'template_buttons', label: null, options: titled },
  }
}

/** The words that fill a template's gaps. */
function templateWords(components: readonly unknown[]): string[] {
  return components.flatMap((component) => {
    const parameters = asRecord(component)?.['parameters']
    if (asRecord(component)?.['type'] !== 'body' || !Array.isArray(parameters)) return []
    return parameters.flatMap((parameter: unknown) => looseText.parse(asRecord(parameter)?.['text']) ?? [])
  })
}
