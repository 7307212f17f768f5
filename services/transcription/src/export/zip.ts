import { Readable } from 'node:stream'
import { sendStream } from '@voxscribe/service'
import type { Response } from 'express'
import { ZipFile } from 'yazl'
import type { Export } from './one-export.ts'

/** Characters of a file's name: with additions, at most the 255 bytes that file systems allow. */
const NAME_LENGTH = 55

export interface ZippedFile {
  name: string
  at: Date
  /** A stream holds audio, which is compressed already, or text. Its opener destroys it. */
  content: Buffer | Readable
  /** Whether a stream is of text. */
  isText?: boolean
}

/** Bytes per piece. */
const PIECE = 65_536

/** Cuts a file into pieces, so that its checksum does not block other calls. */
export function* piecesOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += PIECE) yield content.subarray(at, at + PIECE)
}

/** Streams a zip. A failure destroys the connection, so that a partial zip never passes for a whole one. */
export async function sendZip(
  response: Response,
  name: string,
  files: AsyncGenerator<ZippedFile>,
  { signal, release }: Export,
): Promise<void> {
  const zip = new ZipFile()
  const fail = (error: unknown) => response.destroy(error as Error)
  const addNext = async (): Promise<void> => {
    const { value: file, done } = await files.next()
    if (!done) return add(file)
    // Released before the client sees the end and asks for the next export.
    await release()
    zip.end()
  }
  function add({ name, at: mtime, content, isText = Buffer.isBuffer(content) }: ZippedFile): void {
    const stream = Buffer.isBuffer(content)
      ? Readable.from(piecesOf(content), { objectMode: false })
      : content
    stream.once('end', () => void addNext().catch(fail)).once('error', fail)
    let pending: Readable | undefined = stream
    zip.addReadStreamLazy(name, { mtime, compress: isText }, give => {
      if (pending) give(null, pending)
      // The zip keeps this function until its end, but does not need to keep the stream.
      pending = undefined
    })
    keepOutOfPool(zip)
  }
  zip.on('error', fail)
  try {
    await addNext()
    response.attachment(name).set({ 'content-type': 'application/zip', 'cache-control': 'no-store' })
    await sendStream(response, zip.outputStream as Readable, { signal })
  } finally {
    await release()
    await files.return(undefined)
  }
}

/** Copies the last entry's name, which yazl keeps: a slice of Buffer's pool would keep 16 kB with it. */
function keepOutOfPool(zip: ZipFile): void {
  const { entries } = zip as unknown as { entries: { utf8FileName: Uint8Array }[] }
  const entry = entries.at(-1)
  if (entry) entry.utf8FileName = Buffer.from(new Uint8Array(entry.utf8FileName).buffer)
}

/** Returns a function that numbers names which are the same to a file system: `note.txt`, `Note (2).txt`. */
export function uniqueNames(...taken: string[]): (name: string) => string {
  const counts = new Map(taken.map(name => [keyOf(name), 1]))
  return name => {
    const dot = name.lastIndexOf('.')
    const [stem, ending] = [[...name.slice(0, dot)].slice(0, NAME_LENGTH).join(''), name.slice(dot)]
    const plain = keyOf(`${stem}${ending}`)
    let unique = `${stem}${ending}`
    while (counts.has(keyOf(unique))) {
      const count = (counts.get(plain) ?? 1) + 1
      counts.set(plain, count)
      unique = `${stem} (${count})${ending}`
    }
    counts.set(keyOf(unique), 1)
    return unique
  }
}
const keyOf = (name: string) => name.normalize('NFC').toLowerCase()
