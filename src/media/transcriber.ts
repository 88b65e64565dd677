import { z } from 'zod'
import { InfrastructureError } from '../shared/app-error.ts'

export interface SpokenAudio {
  readonly bytes: Buffer
  readonly contentType: string
  /** BCP 47, e.g. `pt-BR`: what is probably spoken. */
  readonly locale: string
}

/** The port to something that writes down what is said. */
export interface Transcriber {
  /**
   * @returns the words; null when there are none, or the service will never take this audio.
   * @throws InfrastructureError when it does not answer now; trying again later may help.
   */
  transcribe(audio: SpokenAudio, signal: AbortSignal): Promise<string | null>
}

export interface TranscriberOptions {
  /** Base of an OpenAI-compatible API, e.g. `https://api.openai.com/v1`, without a slash at the end. */
  readonly url: string
  readonly apiKey: string
  readonly model: string
  readonly timeoutMs: number
  readonly fetch?: typeof fetch
}

const answerSchema = z.object({ text: z.string() })

/** Services tell the format by the name's ending. */
const ENDINGS: Readonly<Record<string, string>> = {
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
}

/**
 * `POST {url}/audio/transcriptions` as OpenAI defined it and many others answer it.
 * https://platform.openai.com/docs/api-reference/audio/createTranscription
 */
export function createHttpTranscriber(options: TranscriberOptions): Transcriber {
  return {
    async transcribe(audio, signal) {
      const form = new FormData()
      const file = new Blob([new Uint8Array(audio.bytes)], { type: audio.contentType })
      form.set('file', file, `audio.${ENDINGS[audio.contentType] ?? 'bin'}`)
      form.set('model', options.model)
      form.set('language', audio.locale.split('-')[0] ?? audio.locale)
      form.set('response_format', 'json')
      const { status, body } = await post(options, form, signal)
      if (status >= 200 && status < 300) {
        const answer = answerSchema.safeParse(body)
        if (!answer.success) throw new InfrastructureError('transcriber_failed', 'an answer without text')
        return answer.data.text.trim() || null
      }
      // The audio itself is refused; a wrong key or a full quota is not its fault.
      if ([400, 413, 415, 422].includes(status)) return null
      throw new InfrastructureError('transcriber_failed', `the transcriber answered ${status}`)
    },
  }
}

async function post(
  options: TranscriberOptions,
  form: FormData,
  signal: AbortSignal,
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await (options.fetch ?? fetch)(`${options.url}/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${options.apiKey}` },
      body: form,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]),
    })
    const text = await response.text()
    return { status: response.status, body: response.ok ? parseJson(text) : null }
  } catch (cause) {
    throw new InfrastructureError('transcriber_failed', 'the transcriber cannot be reached', { cause })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
