import { defineTexts } from '../../../i18n/texts.ts'

/** What somebody at the desk can do about a message that did not arrive. */
export const sendErrorTexts = defineTexts(
  {
    window: 'A janela de 24 horas fechou: envie um modelo aprovado.',
    unreachable: 'Este número não recebe mensagens do WhatsApp agora. Tente por telefone.',
    optedOut: 'A pessoa pediu para não receber mais mensagens da empresa.',
    limited: 'O WhatsApp limitou as mensagens a esta pessoa. Espere que ela escreva.',
    tooMany: 'Mensagens demais em pouco tempo. Espere um pouco e envie de novo.',
    account: 'Os envios da empresa estão parados pela Meta. Avise o responsável.',
    template: 'O modelo não foi aceito: confira o nome, o idioma e as variáveis.',
    passing: 'Falha do lado da Meta. Envie de novo daqui a pouco.',
    other: 'Envie de novo; se repetir, avise o responsável e diga o código.',
    unknown: 'Pode ter chegado. Se nada vier em 10 minutos, é enviada mais uma vez.',
    canceled: 'A conversa mudou de mãos antes de a mensagem sair.',
    pending: 'Ainda não saiu daqui.',
    code: (code: number) => `código ${code}`,
  },
  {
    window: 'La ventana de 24 horas se cerró: envía una plantilla aprobada.',
    unreachable: 'Este número no recibe mensajes de WhatsApp ahora. Prueba por teléfono.',
    optedOut: 'La persona pidió no recibir más mensajes del negocio.',
    limited: 'WhatsApp limitó los mensajes a esta persona. Espera a que escriba.',
    tooMany: 'Demasiados mensajes en poco tiempo. Espera un poco y envía de nuevo.',
    account: 'Meta detuvo los envíos del negocio. Avisa al responsable.',
    template: 'La plantilla no fue aceptada: revisa el nombre, el idioma y las variables.',
    passing: 'Falla del lado de Meta. Envía de nuevo en un momento.',
    other: 'Envía de nuevo; si se repite, avisa al responsable y di el código.',
    unknown: 'Puede haber llegado. Si no llega nada en 10 minutos, se envía una vez más.',
    canceled: 'La conversación cambió de manos antes de que saliera el mensaje.',
    pending: 'Todavía no salió de aquí.',
    code: (code) => `código ${code}`,
  },
  {
    window: 'The 24-hour window has closed: send an approved template.',
    unreachable: 'This number takes no WhatsApp messages now. Try a phone call.',
    optedOut: 'They asked for no more messages from the business.',
    limited: 'WhatsApp limits messages to this person. Wait until they write.',
    tooMany: 'Too many messages in a short time. Wait a little and send again.',
    account: 'Meta has stopped the sends of the business. Tell the owner.',
    template: 'The template was not taken: check its name, language and variables.',
    passing: "A failure on Meta's side. Send it again in a moment.",
    other: 'Send it again; if it repeats, tell the owner and give the code.',
    unknown: 'It may have arrived. If nothing is heard for 10 minutes, it is sent once more.',
    canceled: 'The conversation changed hands before the message left.',
    pending: 'Has not left yet.',
    code: (code) => `code ${code}`,
  },
)

type Advice =
  | 'window'
  | 'unreachable'
  | 'optedOut'
  | 'limited'
  | 'tooMany'
  | 'account'
  | 'template'
  | 'passing'
  | 'other'

/** https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes */
const ADVICE: readonly { readonly advice: Advice; readonly codes: readonly number[] }[] = [
  { advice: 'window', codes: [131047] },
  { advice: 'unreachable', codes: [131026, 131021, 131030] },
  { advice: 'optedOut', codes: [131050] },
  { advice: 'limited', codes: [130472, 131049] },
  { advice: 'tooMany', codes: [4, 80007, 130429, 131048, 131056] },
  { advice: 'passing', codes: [1, 2, 131000, 131016, 131057, 133004] },
  {
    advice: 'account',
    codes: [3, 10, 190, 368, 130497, 131005, 131031, 131037, 131042, 131045, 133010, 133015],
  },
]

/** What to do about a code of Meta's. */
export function adviceFor(code: number): Advice {
  if (code >= 132_000 && code <= 132_999) return 'template'
  if (code >= 200 && code <= 299) return 'account'
  return ADVICE.find(({ codes }) => codes.includes(code))?.advice ?? 'other'
}
