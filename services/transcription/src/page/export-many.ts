import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sentenceOf } from '@voxscribe/contracts/reasons'
import type { Response } from 'express'
import type { Model } from 'mongoose'
import { ZipFile } from 'yazl'
import type { NoteRecord } from '../note/record.ts'
import { titleOf } from './document.ts'
import { type ExportFormat, exported } from './export.ts'

/** Notes read at once: what an export holds in memory, however many there are. */
const READ_AT_ONCE = 50
/** Characters of a file's name: at most 255 bytes with what is added, which is what file systems take. */
const NAME_LENGTH = 55
const LEFT_OUT = 'Left out.txt'

/** A note, or the id of one that is not there. */
type Found = NoteRecord | string

/** Reads the notes with these ids, or all of a person, newest first. */
export const notesOf = (
  notes: Model<NoteRecord>,
  userId: string,
  ids: string[] | undefined,
): AsyncGenerator<Found> => (ids ? notesWith(notes, userId, ids) : allNotes(notes, userId))

async function* notesWith(notes: Model<NoteRecord>, userId: string, ids: string[]): AsyncGenerator<Found> {
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const some = ids.slice(at, at + READ_AT_ONCE)
    const found = await notes
      .find({ userId, deletedAt: null, _id: { $in: some } }, UNUSED)
      .lean<NoteRecord[]>()
    yield* some.map(id => found.find(({ _id }) => _id === id) ?? id)
  }
}

/** By key instead of a cursor: a slow reader may take longer than a cursor lives. */
async function* allNotes(notes: Model<NoteRecord>, userId: string): AsyncGenerator<Found> {
  let after: object = {}
  for (;;) {
    const page: NoteRecord[] = await notes
      .find({ userId, deletedAt: null, ...after }, UNUSED)
      .sort({ createdAt: -1, _id: 1 })
      .limit(READ_AT_ONCE)
      .lean<NoteRecord[]>()
    yield* page
    const last = page[READ_AT_ONCE - 1]
    if (!last) return
    const { createdAt, _id } = last
    after = { $or: [{ createdAt: { $lt: createdAt } }, { createdAt, _id: { $gt: _id } }] }
  }
}
const UNUSED = { parts: 0, levels: 0, timeline: 0, outbox: 0, original: 0 }

/** Sends a zip of the transcripts as it is made; notes without one are listed in it. */
export async function exportAll(
  response: Response,
  notes: AsyncIterable<Found>,
  format: ExportFormat,
): Promise<void> {
  const zip = new ZipFile()
  const files = filesOf(notes, format)
  // The next file is asked for only when the one before it goes out, so a slow reader slows the reading.
  const addNext = async (): Promise<void> => {
    const { value: file, done } = await files.next()
    if (done) return zip.end()
    zip.addReadStreamLazy(file.name, { mtime: file.at }, give => {
      give(null, Readable.from([file.content], { objectMode: false }))
      addNext().catch(fail)
    })
  }
  const fail = (error: unknown) => response.destroy(error as Error)
  zip.on('error', fail)
  await addNext()
  response
    .attachment('transcripts.zip')
    .set({ 'content-type': 'application/zip', 'cache-control': 'no-store' })
  await pipeline(zip.outputStream as Readable, response).catch(error => {
    // People change their minds while a file comes.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

interface ZippedFile {
  name: string
  content: Buffer
  at: Date
}

async function* filesOf(notes: AsyncIterable<Found>, format: ExportFormat): AsyncGenerator<ZippedFile> {
  const unique = uniqueNames(LEFT_OUT)
  const leftOut: string[] = []
  for await (const note of notes) {
    if (typeof note === 'string') leftOut.push(`${note}: There is no such transcription.`)
    else if (note.status === 'completed') {
      const { name, content } = await exported(note, format, true)
      yield { name: unique(name), content: Buffer.from(content), at: note.createdAt }
    } else {
      const why =
        note.status === 'failed' && note.error ? sentenceOf(note.error) : 'It is still being transcribed.'
      leftOut.push(`${titleOf(note)} (${note.createdAt.toISOString().slice(0, 10)}): ${why}`)
    }
  }
  if (leftOut.length) {
    const text = `These notes have no transcript:\n\n${leftOut.join('\n')}\n`
    yield { name: LEFT_OUT, content: Buffer.from(text), at: new Date() }
  }
}

/** Numbers names that are the same to a file system: `note.txt`, `Note (2).txt`. */
function uniqueNames(...taken: string[]): (name: string) => string {
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
