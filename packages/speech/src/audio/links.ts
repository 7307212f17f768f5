import { type FileHandle, open } from 'node:fs/promises'

/** The bytes of one of several recordings that are joined in a file. */
export interface Link {
  from: number
  to: number
}

/** A file with more links is read as one, because each link costs a run of ffmpeg. */
const LINKS_MAX = 50
const CHUNK_BYTES = 1_000_000
/** Bytes needed of each start: the longest page of an Ogg header. */
const HEAD_BYTES = 600

/** First bytes of a stream's first page in Ogg (RFC 3533, section 6), and of a FLAC stream (RFC 9639, section 8). */
const OGG = Buffer.from('OggS\0\x02', 'latin1')
const FLAC = ['fLaC\0\0\0\x22', 'fLaC\x80\0\0\x22'].map(text => Buffer.from(text, 'latin1'))
/** Bytes of a page's header before its segment table; the last of them is the table's length. */
const PAGE_HEADER = 27

/**
 * Finds the recordings that were joined in an Ogg or FLAC file. ffmpeg reads all but the first wrongly, because it
 * keeps the first one's channels and block sizes. Returns [] for any other file.
 */
export async function linksOf(path: string): Promise<Link[]> {
  const file = await open(path)
  try {
    const first = await readAt(file, 0, HEAD_BYTES)
    const isOgg = first.subarray(0, 4).equals(OGG.subarray(0, 4))
    if (!isOgg && !first.subarray(0, 4).equals(FLAC[0]!.subarray(0, 4))) return []
    const begins = await placesOf(file, isOgg ? [OGG] : FLAC)
    if (begins.length < 2 || begins.length > 2 * LINKS_MAX) return []
    const links = isOgg ? await oggLinks(file, begins) : begins
    const { size } = await file.stat()
    if (links.length < 2 || links.length > LINKS_MAX) return []
    return links.map((from, at) => ({ from, to: links[at + 1] ?? size }))
  } finally {
    await file.close()
  }
}

async function readAt(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, position)
  return buffer.subarray(0, bytesRead)
}

/** Returns the positions of any of these marks, in order. Stops early if there are too many. */
async function placesOf(file: FileHandle, marks: Buffer[]): Promise<number[]> {
  const overlap = Math.max(...marks.map(({ length }) => length)) - 1
  const places: number[] = []
  const buffer = Buffer.alloc(CHUNK_BYTES)
  for (let begin = 0; places.length <= 2 * LINKS_MAX; begin += CHUNK_BYTES - overlap) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, begin)
    const chunk = buffer.subarray(0, bytesRead)
    for (const mark of marks) {
      let at = chunk.indexOf(mark)
      for (; at >= 0 && places.length <= 2 * LINKS_MAX; at = chunk.indexOf(mark, at + 1))
        places.push(begin + at)
    }
    if (bytesRead < CHUNK_BYTES) break
  }
  return [...new Set(places)].sort((one, other) => one - other)
}

/** Starts of links whose headers differ: parallel streams start together, and equal links are read as one. */
async function oggLinks(file: FileHandle, begins: number[]): Promise<number[]> {
  const links: { from: number; heads: string; end: number }[] = []
  for (const from of begins) {
    const page = await readAt(file, from, HEAD_BYTES)
    const segments = page[PAGE_HEADER - 1] ?? 0
    const body = PAGE_HEADER + segments
    const bytes = page.subarray(PAGE_HEADER, body).reduce((sum, length) => sum + length, body)
    const head = page.toString('latin1', body, bytes)
    const last = links.at(-1)
    if (last?.end === from) Object.assign(last, { heads: last.heads + head, end: from + bytes })
    else links.push({ from, heads: head, end: from + bytes })
  }
  return links.some(({ heads }) => heads !== links[0]?.heads) ? links.map(({ from }) => from) : []
}
