/** What may be kept of each kind of file, and how its bytes are recognised: the name it came with proves nothing. */

export type MediaKind = 'image' | 'document' | 'audio' | 'video' | 'sticker'

const MEGABYTE = 1024 * 1024

/** https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media#supported-media-types */
export const MAX_BYTES: Readonly<Record<MediaKind, number>> = {
  image: 5 * MEGABYTE,
  document: 100 * MEGABYTE,
  audio: 16 * MEGABYTE,
  video: 16 * MEGABYTE,
  sticker: 500 * 1024,
}

export const MEDIA_KINDS: readonly MediaKind[] = ['image', 'document', 'audio', 'video', 'sticker']

const IMAGES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']
const AUDIO = ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/amr']
const VIDEO = ['video/mp4', 'video/3gpp']

/** Office files are containers: the bytes say which container, the declared type what is in it. */
const OFFICE_XML = [
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
]
const OFFICE_OLD = ['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint']
const PLAIN = ['text/plain', 'text/csv']

const ALLOWED: Readonly<Record<MediaKind, readonly string[]>> = {
  image: IMAGES,
  sticker: IMAGES,
  audio: AUDIO,
  video: VIDEO,
  document: ['application/pdf', ...OFFICE_XML, ...OFFICE_OLD, ...PLAIN, ...IMAGES, ...AUDIO, ...VIDEO],
}

/**
 * What a file is by its first bytes, as far as the kind allows it; null for everything that is not allowed:
 * programs, pages, archives, and whatever says one thing and is another.
 * @param declared the channel's MIME type, parameters and all.
 */
export function contentTypeOf(kind: MediaKind, head: Buffer, declared: string | null): string | null {
  const named = declared?.split(';')[0]?.trim().toLowerCase() ?? ''
  const found = recognise(kind, head, named)
  return found !== null && ALLOWED[kind].includes(found) ? found : null
}

function recognise(kind: MediaKind, head: Buffer, named: string): string | null {
  const is = (at: number, bytes: string) => head.subarray(at, at + bytes.length).toString('latin1') === bytes
  if (is(0, '\xff\xd8\xff')) return 'image/jpeg'
  if (is(0, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (is(0, 'GIF87a') || is(0, 'GIF89a')) return 'image/gif'
  if (is(0, 'RIFF') && is(8, 'WEBP')) return 'image/webp'
  if (is(0, '%PDF-')) return 'application/pdf'
  if (is(0, 'OggS')) return 'audio/ogg'
  if (is(0, '#!AMR')) return 'audio/amr'
  if (is(0, 'ID3')) return 'audio/mpeg'
  if (is(4, 'ftyp')) return isoMedia(kind, head.subarray(8, 12).toString('latin1'), named)
  if (is(0, 'PK\x03\x04')) return OFFICE_XML.includes(named) ? named : null
  if (is(0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return OFFICE_OLD.includes(named) ? named : null
  const [first = 0, second = 0] = head
  if (first === 0xff && (second & 0xf6) === 0xf0) return 'audio/aac'
  if (first === 0xff && (second & 0xe0) === 0xe0) return 'audio/mpeg'
  return PLAIN.includes(named) && isText(head) ? named : null
}

/** One container for sound and pictures: its brand, else what it came as, tells which. */
function isoMedia(kind: MediaKind, brand: string, named: string): string {
  if (kind === 'audio' || brand.startsWith('M4A') || named.startsWith('audio/')) return 'audio/mp4'
  return brand.startsWith('3g') ? 'video/3gpp' : 'video/mp4'
}

function isText(head: Buffer): boolean {
  if (head.includes(0)) return false
  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
