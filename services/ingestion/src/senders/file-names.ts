const ENDINGS: Record<string, string> = {
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'audio/x-wav': 'wav',
  'video/3gpp': '3gp',
  'video/mp4': 'mp4',
  'video/mpeg': 'mpeg',
  'video/webm': 'webm',
}

/** A MIME type without its parameters: `audio/ogg; codecs=opus` → `audio/ogg`. */
const plainMime = (mime: string): string => mime.split(';')[0]!.trim().toLowerCase()

/** Whether a type is that of a picture or a text, which no note is sent as. */
export const hasNoSound = (mime: string): boolean =>
  /^(image|text)\/|^application\/pdf$/.test(plainMime(mime))

/** A name for what came without one: `Voice note 2026-11-20 14.05.ogg`, UTC. */
export function nameFor(what: 'Voice note' | 'Audio' | 'Video', sentAt: Date, mime: string): string {
  const [day = '', time = ''] = sentAt.toISOString().split('T')
  const ending = ENDINGS[plainMime(mime)]
  return `${what} ${day} ${time.slice(0, 5).replace(':', '.')}${ending ? `.${ending}` : ''}`
}

/** A sender's file name is shown, never used as a path: no folders, no control characters, 200 characters. */
export function cleanName(given: string): string {
  const name = given.split(/[\\/]/).at(-1) ?? ''
  // With the marks that turn text round: they would make one ending look like another.
  const readable = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '').trim()
  return Array.from(readable).slice(0, 200).join('')
}
