import { lookup } from 'mime-types'
import { badInput } from '../input.ts'
import { MEDIA_LIMITS } from './media-store.ts'
import type { Message } from './store.ts'

type Kind = Exclude<Message['type'], 'text'>

/** Subtypes that WhatsApp accepts as audio, video or image (Meta's media page); all others are sent as documents. */
const SUBTYPES: Record<string, string[]> = {
  audio: ['aac', 'amr', 'mpeg', 'mp4', 'ogg'],
  video: ['mp4', '3gpp'],
  image: ['jpeg', 'png'],
}

const UNKNOWN = 'application/octet-stream'
const MIME = /^[\w.+-]+\/[\w.+-]+(;\s*[\w-]+=[\w".+, -]+)*$/

/** Returns the type that the sender's phone declares; the content may differ. */
export function mimeTypeOf(
  file: { mimetype: string; originalname: string },
  given: { mimeType?: string; voice: boolean },
) {
  const said = given.mimeType ?? file.mimetype
  if (!MIME.test(said)) throw badInput('Not a media type', 'mimeType')
  const mime = said === UNKNOWN ? lookup(file.originalname) || UNKNOWN : said
  return given.voice && mime === 'audio/ogg' ? 'audio/ogg; codecs=opus' : mime
}

/** Returns the kind of message that a file is sent as. Throws if it's larger than the requested kind allows. */
export function asOneOf(mimeType: string, bytes: number, wanted?: Kind): Kind {
  const [type = '', subtype = ''] = mimeType.split(/[/;]/)
  const natural = SUBTYPES[type]?.includes(subtype.trim()) ? (type as Kind) : 'document'
  const kind = wanted ?? (bytes > MEDIA_LIMITS[natural] ? 'document' : natural)
  if (bytes > MEDIA_LIMITS[kind]) {
    const limit = MEDIA_LIMITS[kind] / 1024 / 1024
    const hint = kind === 'document' ? '' : ' It can go as a document.'
    throw badInput(`WhatsApp takes at most ${limit} MB as ${kind}.${hint}`, 'file', 413)
  }
  return kind
}
