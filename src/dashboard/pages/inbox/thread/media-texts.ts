import { defineTexts } from '../../../i18n/texts.ts'

export const mediaTexts = defineTexts(
  {
    image: 'Foto',
    audio: 'Áudio',
    video: 'Vídeo',
    document: 'Documento',
    sticker: 'Figurinha',
    location: 'Localização',
    contacts: 'Contato',
    order: 'Pedido',
    template: 'Modelo de mensagem',
    reaction: 'Reação',
    unsupported: 'Mensagem que não é possível mostrar',
  },
  {
    image: 'Foto',
    audio: 'Audio',
    video: 'Video',
    document: 'Documento',
    sticker: 'Sticker',
    location: 'Ubicación',
    contacts: 'Contacto',
    order: 'Pedido',
    template: 'Plantilla',
    reaction: 'Reacción',
    unsupported: 'Mensaje que no se puede mostrar',
  },
  {
    image: 'Photo',
    audio: 'Audio',
    video: 'Video',
    document: 'Document',
    sticker: 'Sticker',
    location: 'Location',
    contacts: 'Contact',
    order: 'Order',
    template: 'Template',
    reaction: 'Reaction',
    unsupported: 'A message that cannot be shown',
  },
)

/** What stands on and beside a file, a place, a card. */
export const attachmentTexts = defineTexts(
  {
    voice: 'Mensagem de voz',
    transcript: 'Transcrição',
    open: (what: string) => `Abrir ${what}`,
    download: (name: string) => `Baixar ${name}`,
    enlarge: 'Ampliar foto',
    arriving: 'Chegando do WhatsApp…',
    openMap: 'Ver no mapa',
    items: (count: number) => (count === 1 ? '1 item no carrinho' : `${count} itens no carrinho`),
    unsupportedHint: 'Abra no WhatsApp da empresa para ver.',
    gone: {
      too_large: 'O arquivo é grande demais e não foi guardado.',
      type_not_allowed: 'Um arquivo deste tipo não é guardado, por segurança.',
      expired: 'O WhatsApp já não tem este arquivo.',
      other: 'Não foi possível buscar o arquivo. Peça para enviar de novo.',
    },
    edited: 'editada',
    revoked: 'Apagada pelo cliente',
    revokedOut: 'Apagada pela empresa',
    forwarded: 'Encaminhada',
    referral: 'Veio de um anúncio',
    reacted: { customer: 'Reação do cliente', staff: 'Reação da empresa' },
    quoted: { customer: 'Cliente', bot: 'Robô', staff: 'Equipe', system: 'Sistema' },
  },
  {
    voice: 'Mensaje de voz',
    transcript: 'Transcripción',
    open: (what) => `Abrir ${what}`,
    download: (name) => `Descargar ${name}`,
    enlarge: 'Ampliar foto',
    arriving: 'Llegando de WhatsApp…',
    openMap: 'Ver en el mapa',
    items: (count) => (count === 1 ? '1 artículo en el carrito' : `${count} artículos en el carrito`),
    unsupportedHint: 'Ábrelo en el WhatsApp del negocio para verlo.',
    gone: {
      too_large: 'El archivo es demasiado grande y no se guardó.',
      type_not_allowed: 'Un archivo de este tipo no se guarda, por seguridad.',
      expired: 'WhatsApp ya no tiene este archivo.',
      other: 'No se pudo obtener el archivo. Pide que lo envíen de nuevo.',
    },
    edited: 'editado',
    revoked: 'Eliminado por el cliente',
    revokedOut: 'Eliminado por el negocio',
    forwarded: 'Reenviado',
    referral: 'Llegó por un anuncio',
    reacted: { customer: 'Reacción del cliente', staff: 'Reacción del negocio' },
    quoted: { customer: 'Cliente', bot: 'Bot', staff: 'Equipo', system: 'Sistema' },
  },
  {
    voice: 'Voice message',
    transcript: 'Transcript',
    open: (what) => `Open ${what}`,
    download: (name) => `Download ${name}`,
    enlarge: 'Enlarge photo',
    arriving: 'On its way from WhatsApp…',
    openMap: 'See on the map',
    items: (count) => (count === 1 ? '1 item in the cart' : `${count} items in the cart`),
    unsupportedHint: "Open the business's WhatsApp to see it.",
    gone: {
      too_large: 'The file is too large and was not kept.',
      type_not_allowed: 'Files of this kind are not kept, to be safe.',
      expired: 'WhatsApp does not have this file any more.',
      other: 'The file could not be fetched. Ask for it to be sent again.',
    },
    edited: 'edited',
    revoked: 'Deleted by the customer',
    revokedOut: 'Deleted by the business',
    forwarded: 'Forwarded',
    referral: 'Came from an ad',
    reacted: { customer: "The customer's reaction", staff: "The business's reaction" },
    quoted: { customer: 'Customer', bot: 'Bot', staff: 'Team', system: 'System' },
  },
)

export type MediaKind = keyof (typeof mediaTexts)['en']

const PLAIN = ['text', 'interactive', 'button', 'note', 'system']

/** What to call a message that is more, or other, than its text; null for plain texts. */
export function kindOf(type: string): MediaKind | null {
  if (isMediaKind(type)) return type
  if (type === 'voice') return 'audio'
  return PLAIN.includes(type) ? null : 'unsupported'
}

function isMediaKind(type: string): type is MediaKind {
  return Object.hasOwn(mediaTexts.en, type)
}
