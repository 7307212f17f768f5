import { lookup } from 'mime-types'
import { badInput } from '../input.ts'
import { MEDIA_LIMITS } from './media-store.ts'
import type { Message } from './store.ts'

type Kind = Exclude<Message['type'], 'text'>

// What WhatsApp takes as audio, video or image (Meta's media page); everything else goes as a document.
const KINDS: Record<string, Kind> = {
  'audio/aac': 'audio',
  'audio/amr': 'audio',
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'audio/ogg': 'audio',
  'video/mp4': 'video',
  'video/3gpp': 'video',
  'image/jpeg': 'image',
  'image/png': 'image',
}

const UNKNOWN = 'application/octet-stream'
const MIME = /^[\w.+-]+\/[\w.+-]+(;\s*[\w-]+=[\w".+, -]+)*$/

/** Type that the sender's phone declares; the content may differ. */
export function mimeTypeOf(
  file: { mimetype: string; originalname: string },
  given: { mimeType?: string; voice: boolean },
) {
  const said = given.mimeType ?? file.mimetype
  if (!MIME.test(said)) throw badInput('Not a media type', 'mimeType')
  const mime = said === UNKNOWN ? lookup(file.originalname) || UNKNOWN : said
  return given.voice && mime === 'audio/ogg' ? 'audio/ogg; codecs=opus' : mime
}

/** Returns the kind of message that a file is sent as. Throws when it is larger than the requested kind allows. */
export function asOneOf(mimeType: string, bytes: number, asked?: Kind): Kind {
  const natural = KINDS[mimeType.split(';')[0]?.trim() ?? ''] ?? 'document'
  const kind = asked ?? (bytes > MEDIA_LIMITS[natural] ? 'document' : natural)
  if (bytes > MEDIA_LIMITS[kind]) {
    const limit = MEDIA_LIMITS[kind] / 1024 / 1024
    const hint = kind === 'document' ? '' : ' It can go as a document.'
    throw badInput(`WhatsApp takes at most ${limit} MB as ${kind}.${hint}`, 'file', 413)
  }
  return kind
}
