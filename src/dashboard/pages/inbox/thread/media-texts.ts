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

export type MediaKind = keyof (typeof mediaTexts)['en']

/** What to call a message that is more, or other, than its text; null for plain texts. */
export function kindOf(type: string): MediaKind | null {
  if (isMediaKind(type)) return type
  return type === 'text' || type === 'interactive' || type === 'button' || type === 'note'
    ? null
    : 'unsupported'
}

function isMediaKind(type: string): type is MediaKind {
  return Object.hasOwn(mediaTexts.en, type)
}
