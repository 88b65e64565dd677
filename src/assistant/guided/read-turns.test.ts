import { describe, expect, it } from 'vitest'
import { LOOP_TEXTS } from '../../agent/texts.ts'
import type { ContentBlockParam, HistoryMessage } from '../../agent/types.ts'
import { formatChoiceReply, formatContextBlock } from '../message-format.ts'
import { readTurns } from './read-turns.ts'

const FACTS = {
  now: '2026-12-07T14:05',
  timeZone: 'America/Sao_Paulo',
  locale: 'es',
  customerName: null,
  openAppointments: [],
} as const
const text = (words: string): ContentBlockParam => ({ type: 'text', text: words })
const call = (id: string, name: string): ContentBlockParam => ({ type: 'tool_use', id, name, input: {} })
const result = (id: string, isError = false): ContentBlockParam => ({
  type: 'tool_result',
  tool_use_id: id,
  content: '{}',
  is_error: isError,
})
const user = (...content: ContentBlockParam[]): HistoryMessage => ({ role: 'user', content })
const assistant = (...content: ContentBlockParam[]): HistoryMessage => ({ role: 'assistant', content })

describe('turns', () => {
  it('separates words, taps, captions, the words of the team and the facts', () => {
    const turns = readTurns([
      user(
        text('<team>Oi, sou a Paula</team>'),
        text('[image] este corte'),
        text('amanhã'),
        text(formatChoiceReply({ id: 'menu:book', title: 'Marcar' })),
        text('<note>That is over.</note>'),
        text(formatContextBlock(FACTS)),
      ),
    ])
    expect(turns).toMatchObject([
      {
        words: 'este corte\namanhã',
        taps: [{ id: 'menu:book', title: 'Marcar' }],
        context: { now: FACTS.now, locale: 'es' },
      },
    ])
  })

  it('begin anew after a call that ended one, and go on after any other', () => {
    const turns = readTurns([
      user(text('oi')),
      assistant(call('1', 'list_services')),
      user(result('1')),
      assistant(call('2', 'offer_choices')),
      user(result('2'), text('1')),
      assistant(call('3', 'offer_choices')),
      user(result('3', true)),
    ])
    expect(turns.map(({ words, calls }) => [words, calls.length])).toEqual([
      ['oi', 2],
      ['1', 1],
    ])
  })

  it('take the remarks of the loop for nobody’s words', () => {
    const turns = readTurns([
      user(text('oi')),
      assistant(call('1', 'list_services')),
      user(result('1'), text(LOOP_TEXTS['pt-BR'].finalAnswer)),
      assistant(text('Uma pessoa continua.')),
    ])
    expect(turns).toMatchObject([{ words: 'oi', text: 'Uma pessoa continua.' }])
  })

  it('begin with the customer’s words after results of a run that was overtaken', () => {
    const turns = readTurns([
      user(text('sim')),
      assistant(call('1', 'book_appointment')),
      user(result('1'), text('obrigada'), text(formatContextBlock(FACTS))),
    ])
    expect(turns.map(({ words }) => words)).toEqual(['sim', 'obrigada'])
  })

  it('ignore results without a call, as a cut history may begin with them', () => {
    expect(readTurns([user(result('9'), text('oi'))])).toMatchObject([{ words: 'oi', calls: [] }])
  })
})
