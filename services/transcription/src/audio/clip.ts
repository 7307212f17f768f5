/** How the sound of a kind of file is copied into a file of its own. */
export interface ClipFormat {
  /** ffmpeg's name of what writes it. */
  muxer: string
  /** Of the file's name, with its dot. */
  ending: string
}

const format = (muxer: string, ending: string): ClipFormat => ({ muxer, ending: `.${ending}` })
const [M4A, MOBILE, OGG] = [format('ipod', 'm4a'), format('3gp', '3gp'), format('ogg', 'ogg')]

/** By MIME type; others are encoded. FLAC goes into Ogg: its own header has the length of the whole file. */
const FORMATS: Record<string, ClipFormat> = {
  'audio/ogg': OGG,
  'video/ogg': OGG,
  'application/ogg': OGG,
  'audio/flac': format('ogg', 'oga'),
  'audio/mpeg': format('mp3', 'mp3'),
  'audio/mp4': M4A,
  'audio/x-m4a': M4A,
  'video/mp4': M4A,
  'video/x-m4v': M4A,
  'video/3gpp': MOBILE,
  'video/3gpp2': MOBILE,
  'video/quicktime': format('mov', 'mov'),
  'video/webm': format('webm', 'webm'),
  'video/matroska': format('matroska', 'mka'),
  'audio/wav': format('wav', 'wav'),
  'audio/aac': format('adts', 'aac'),
  'audio/amr': format('amr', 'amr'),
  'audio/aiff': format('aiff', 'aiff'),
  'audio/x-ms-asf': format('asf', 'wma'),
}

/** Returns how a file's sound can be copied; undefined: it has to be encoded. */
export const clipFormatOf = (mime: string | null): ClipFormat | undefined =>
  FORMATS[mime?.split(';')[0]?.trim().toLowerCase() ?? '']

const MICROSECONDS = 1e6

/** Second at which the packet begins that is heard at `from`, by ffmpeg's `framecrc` around it; rounded down. */
export function beginOf(packets: string, from: number): number | undefined {
  const [, part = 0, whole = 1] = /^#tb 0: (\d+)\/(\d+)$/m.exec(packets)?.map(Number) ?? []
  const times = [...packets.matchAll(/^0, +(-?\d+),/gm)].map(([, ticks]) => (Number(ticks) * part) / whole)
  if (!times.length) return undefined
  const begin = from + (times.findLast(time => time <= 0) ?? 0)
  return Math.max(0, Math.floor(begin * MICROSECONDS) / MICROSECONDS)
}
