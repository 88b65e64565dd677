/**
 * What the loop itself says to the model, in the tenant's locale. Nothing here comes from an exception.
 */
import type { Locale } from '../shared/locale.ts'

export interface LoopTexts {
  invalidInput(problems: string[]): string
  unknownTool(name: string, known: string[]): string
  infrastructure: string
  bug: string
  repeated: string
  /** Each call of a batch that a spent budget kept from running. */
  limit: string
  batchFailed: string
  oneEndTurn: string
  /** After an empty answer. */
  answerNow: string
  /** With the forced final answer. */
  finalAnswer: string
  /** A path of the input that is the input itself. */
  wholeInput: string
}

export const LOOP_TEXTS: Record<Locale, LoopTexts> = {
  'pt-BR': {
    invalidInput: (problems) => `Entrada inválida. Corrija e chame de novo.\n${problems.join('\n')}`,
    unknownTool: (name, known) => `A ferramenta ${name} não existe. As que existem: ${known.join(', ')}.`,
    infrastructure:
      'A ferramenta está fora do ar. Não tente de novo nesta conversa; diga ao cliente que isso será verificado.',
    bug: 'A ferramenta falhou. Não tente de novo; diga ao cliente que isso será verificado.',
    repeated:
      'Você já fez esta mesma chamada e o resultado não vai mudar. Responda com o que tem ou pergunte o que falta.',
    limit: 'Não executada: limite atingido.',
    batchFailed: 'Outra chamada deste grupo falhou. Leia os outros resultados e depois chame de novo.',
    oneEndTurn: 'Só uma ferramenta que encerra a vez por resposta. Escolha uma e chame de novo.',
    answerNow: 'Responda agora ao cliente, em texto.',
    finalAnswer:
      'O limite desta conversa foi atingido. Responda ao cliente agora, em texto, com o que já se sabe. Não prometa nada que não esteja confirmado. Diga que uma pessoa da equipe vai concluir o atendimento.',
    wholeInput: 'entrada',
  },
  es: {
    invalidInput: (problems) => `Entrada no válida. Corrígela y llama de nuevo.\n${problems.join('\n')}`,
    unknownTool: (name, known) => `La herramienta ${name} no existe. Las que existen: ${known.join(', ')}.`,
    infrastructure:
      'La herramienta no está disponible. No lo intentes de nuevo en esta conversación; dile al cliente que se va a verificar.',
    bug: 'La herramienta falló. No lo intentes de nuevo; dile al cliente que se va a verificar.',
    repeated:
      'Ya hiciste esta misma llamada y el resultado no va a cambiar. Responde con lo que tienes o pregunta lo que falta.',
    limit: 'No ejecutada: límite alcanzado.',
    batchFailed: 'Otra llamada de este grupo falló. Lee los otros resultados y después llama de nuevo.',
    oneEndTurn: 'Solo una herramienta que termina el turno por respuesta. Elige una y llama de nuevo.',
    answerNow: 'Responde ahora al cliente, en texto.',
    finalAnswer:
      'Se alcanzó el límite de esta conversación. Responde al cliente ahora, en texto, con lo que ya se sabe. No prometas nada que no esté confirmado. Di que una persona del equipo va a completar la atención.',
    wholeInput: 'entrada',
  },
  en: {
    invalidInput: (problems) => `Invalid input. Correct it and call again.\n${problems.join('\n')}`,
    unknownTool: (name, known) => `The tool ${name} does not exist. Those that do: ${known.join(', ')}.`,
    infrastructure:
      'The tool is unavailable. Do not try again in this conversation; tell the customer it will be checked.',
    bug: 'The tool failed. Do not try again; tell the customer it will be checked.',
    repeated:
      'You have made this very call before and its result will not change. Answer with what you have or ask for what is missing.',
    limit: 'Not executed: limit reached.',
    batchFailed: 'Another call of this batch failed. Read the other results, then call again.',
    oneEndTurn: 'Only one tool that ends the turn per answer. Choose one and call again.',
    answerNow: 'Answer the customer now, in text.',
    finalAnswer:
      'The limit of this conversation is reached. Answer the customer now, in text, with what is known. Promise nothing that is not confirmed. Say that a person of the team will complete it.',
    wholeInput: 'input',
  },
}
