/** Bytes at the start of a file in which frames must begin; the rest of a cut-off frame is far shorter. */
export const BEGINNING_BYTES = 65_536

interface Frame {
  bytes: number
  /** Version, layer and sampling rate, which are the same in all frames of a file. */
  kind: string
}

/** Bit rates in kbit/s by index: MPEG 1, then MPEG 2 and 2.5 (layer III). */
const BIT_RATES = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const SAMPLE_RATES = [44_100, 48_000, 32_000]

/** Returns the MP3 frame at this position (ISO 11172-3, 13818-3). */
function mp3Frame(data: Buffer, at: number): Frame | undefined {
  const header = data.readUInt32BE(at)
  const version = (header >>> 19) & 3
  const kbps = BIT_RATES[version === 3 ? 1 : 2][(header >>> 12) & 15]
  const rate = SAMPLE_RATES[(header >>> 10) & 3]
  const isLayer3 = header >>> 21 === 0x7ff && version !== 1 && ((header >>> 17) & 3) === 1
  if (!isLayer3 || !kbps || !rate) return undefined
  const halvings = { 0: 2, 2: 1, 3: 0 }[version] ?? 0
  const samples = version === 3 ? 144 : 72
  const bytes = Math.floor((samples * kbps * 1000) / (rate >> halvings)) + ((header >>> 9) & 1)
  return { bytes, kind: `${version} ${rate}` }
}

/** Returns the ADTS frame of AAC at this position (ISO 13818-7). */
function adtsFrame(data: Buffer, at: number): Frame | undefined {
  const header = data.readUInt32BE(at)
  const bytes = ((header & 3) << 11) | (data.readUInt16BE(at + 4) >> 5)
  const isAdts = header >>> 20 === 0xfff && ((header >>> 17) & 3) === 0
  return isAdts && bytes > 7 ? { bytes, kind: `${header >>> 10}` } : undefined
}

/** `frames`: as many as ffmpeg requires. */
const KINDS = [
  { mime: 'audio/mpeg', frameAt: mp3Frame, frames: 4 },
  { mime: 'audio/aac', frameAt: adtsFrame, frames: 3 },
]
/** Bytes of a frame's header up to its length. */
const HEADER_BYTES = 6

/** Returns the MIME type of consecutive MP3 or AAC frames, which may follow the rest of a frame. */
export function mimeOfFrames(data: Buffer): string | undefined {
  for (let at = data.indexOf(0xff); at >= 0; at = data.indexOf(0xff, at + 1)) {
    const found = KINDS.find(({ frameAt, frames }) => {
      let [from, kind] = [at, '']
      for (let count = 0; count < frames; count++) {
        const frame = from + HEADER_BYTES <= data.length ? frameAt(data, from) : undefined
        if (!frame || (count && frame.kind !== kind)) return false
        kind = frame.kind
        from += frame.bytes
      }
      return true
    })
    if (found) return found.mime
  }
  return undefined
}
