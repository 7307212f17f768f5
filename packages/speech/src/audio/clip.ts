/** How to copy the audio of a type of file into its own file. */
export interface ClipFormat {
  /** ffmpeg's name of the muxer. */
  muxer: string
  /** The file name's extension, with its dot. */
  ending: string
}

const format = (muxer: string, ending: string): ClipFormat => ({ muxer, ending: `.${ending}` })
const [M4A, MOBILE, OGG] = [format('ipod', 'm4a'), format('3gp', '3gp'), format('ogg', 'ogg')]

/** Formats by MIME type; others are encoded. FLAC goes into Ogg: its own header has the length of the whole file. */
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

/** Returns the format in which a file's audio can be copied; undefined if it must be encoded. */
export const clipFormatOf = (mime: string | null): ClipFormat | undefined =>
  FORMATS[mime?.split(';')[0]?.trim().toLowerCase() ?? '']

const MICROSECONDS = 1e6

/** Packets to inspect: a file with more of them around one moment is encoded. */
const PACKETS_MAX = 200_000

/** Returns the second at which the packet heard at `from` begins, rounded down, from ffmpeg's `framecrc` around it. */
export async function beginOf(list: AsyncIterable<Buffer>, from: number): Promise<number | undefined> {
  let begin: number | undefined
  let packets = 0
  for await (const time of timesIn(list)) {
    packets += 1
    if (packets > PACKETS_MAX) return undefined
    if (time <= 0) begin = time
    else {
      begin ??= 0
      break
    }
  }
  return begin === undefined
    ? undefined
    : Math.max(0, Math.floor((from + begin) * MICROSECONDS) / MICROSECONDS)
}

/** Yields the times of the packets in a list, in seconds. */
async function* timesIn(list: AsyncIterable<Buffer>): AsyncGenerator<number> {
  let unit = 0
  let rest = ''
  for await (const chunk of list) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [, part, whole] = /^#tb 0: (\d+)\/(\d+)$/.exec(line) ?? []
      if (part) unit = Number(part) / Number(whole)
      const [, ticks] = /^0, +(-?\d+),/.exec(line) ?? []
      if (ticks) yield Number(ticks) * unit
    }
  }
}
