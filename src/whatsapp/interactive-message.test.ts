import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signActionId } from './action-id.ts'
import { interactiveMessage } from './interactive-message.ts'
import { LIMITS } from './limits.ts'

const choice = (id: string, title: string, description?: string) =>
  description === undefined ? { id, title } : { id, title, description }

describe('interactiveMessage', () => {
  it('makes buttons of up to three short, distinct titles', () => {
    expect(interactiveMessage('Que horas?', [choice('1', '10:00'), choice('2', '11:00')], 'pt-BR')).toEqual({
      type: 'interactive',
      interactive: {
        type: 'button',
        body: { text: 'Que horas?' },
        action: {
          buttons: [
            { type: 'reply', reply: { id: 'c:1', title: '10:00' } },
            { type: 'reply', reply: { id: 'c:2', title: '11:00' } },
          ],
        },
      },
    })
  })

  it('puts the descriptions of buttons into the text', () => {
    const message = interactiveMessage(
      'Qual?',
      [choice('1', 'Corte', '45 min'), choice('2', 'Barba')],
      'pt-BR',
    )
    expect(message).toMatchObject({
      interactive: { type: 'button', body: { text: 'Qual?\n\n- *Corte*: 45 min' } },
    })
  })

  it.each([
    ['pt-BR', 'Ver opções'],
    ['es', 'Ver opciones'],
    ['en', 'See options'],
  ])('makes a list of four, with a label in %s', (locale, button) => {
    const choices = ['a', 'b', 'c', 'd'].map((id) => choice(id, `Opção ${id}`))
    expect(interactiveMessage('Qual?', choices, locale)).toMatchObject({
      interactive: { type: 'list', action: { button, sections: [{ rows: { length: 4 } }] } },
    })
  })

  it('makes a list of titles that do not fit a button, are equal, or of a text too long for buttons', () => {
    const long = interactiveMessage('Qual?', [choice('1', 'Corte de cabelo feminino com lavagem')], 'pt-BR')
    expect(long).toMatchObject({
      interactive: {
        type: 'list',
        action: {
          sections: [
            {
              rows: [
                { id: 'c:1', title: 'Corte de cabelo…', description: 'Corte de cabelo feminino com lavagem' },
              ],
            },
          ],
        },
      },
    })
    const equal = interactiveMessage('Qual?', [choice('1', '10:00'), choice('2', '10:00')], 'pt-BR')
    const wordy = interactiveMessage('x'.repeat(1025), [choice('1', '10:00')], 'pt-BR')
    expect(equal).toMatchObject({ interactive: { type: 'list' } })
    expect(wordy).toMatchObject({ interactive: { type: 'list' } })
  })

  it('sends a signed action of ours as it is, and a model id never unprefixed', () => {
    const id = signActionId('secret', { name: 'confirm', payload: 'K7M2QP' })
    const message = interactiveMessage(
      'Confirma?',
      [{ id, title: 'Sim', origin: 'product' }, choice(id, 'Não')],
      'pt-BR',
    )
    expect(message).toMatchObject({
      interactive: { action: { buttons: [{ reply: { id } }, { reply: { id: `c:${id}` } }] } },
    })
  })

  it('is a plain text without choices', () => {
    expect(interactiveMessage('Oi', [], 'pt-BR')).toEqual({
      type: 'text',
      text: { body: 'Oi', preview_url: false },
    })
  })

  it('keeps every limit of the Cloud API, whatever it is given', () => {
    const sent = z.object({
      interactive: z.discriminatedUnion('type', [
        z.object({
          type: z.literal('button'),
          body: z.object({ text: z.string().min(1).max(LIMITS.buttonBody) }),
          action: z.object({
            buttons: z
              .array(
                z.object({
                  reply: z.object({ id: z.string().min(1).max(256), title: z.string().min(1).max(20) }),
                }),
              )
              .min(1)
              .max(3),
          }),
        }),
        z.object({
          type: z.literal('list'),
          body: z.object({ text: z.string().min(1).max(LIMITS.listBody) }),
          action: z.object({
            button: z.string().min(1).max(LIMITS.listLabel),
            sections: z.tuple([
              z.object({
                rows: z
                  .array(
                    z.object({
                      id: z.string().min(1).max(200),
                      title: z.string().min(1).max(24),
                      description: z.string().min(1).max(72).optional(),
                    }),
                  )
                  .min(1)
                  .max(10),
              }),
            ]),
          }),
        }),
      ]),
    })
    const text = fc.string({ unit: 'grapheme', maxLength: 90 })
    const choices = fc.array(
      fc.record({ id: fc.string({ maxLength: 300 }), title: text, description: text }),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    fc.assert(
      fc.property(fc.string({ maxLength: 5000 }), choices, (body, offered) => {
        expect(sent.safeParse(interactiveMessage(body, offered, 'pt-BR')).error).toBeUndefined()
      }),
    )
  })
})
