import { Readable } from 'node:stream'
import { sentenceOf } from '@voxscribe/contracts/reasons'
import type { I18n } from '@voxscribe/languages'
import { sendStream } from '@voxscribe/service'
import type { Response } from 'express'
import type { Model } from 'mongoose'
import { ZipFile } from 'yazl'
import { titleOf } from '../note/listing.ts'
import { type NoteRecord, WITHOUT_BULK } from '../note/record.ts'
import { type ExportFormat, exported } from './export.ts'
import type { Export } from './one-export.ts'

/** Ids in one answer of the database; 50,000 in one keep the process for 80 ms. */
const READ_AT_ONCE = 1_000
/** Characters of a file's name: at most 255 bytes with what is added, which is what file systems take. */
const NAME_LENGTH = 55

/** A note, or the id of one that is not there. */
type Found = NoteRecord | string

/** Reads the notes with these ids, or all of a person, newest first; one is in memory at a time. */
export async function* notesOf(
  notes: Model<NoteRecord>,
  userId: string,
  ids: string[] | undefined,
): AsyncGenerator<Found> {
  // All ids before the first note: a slow reader may take longer than a cursor lives.
  const all = () => notes.find({ userId }, { _id: 1 }).sort({ createdAt: -1, _id: 1 }).lean()
  const idsOf = () => Array.fromAsync(all().cursor({ batchSize: READ_AT_ONCE }), ({ _id }) => _id)
  for (const id of ids ?? (await idsOf())) {
    const note = await noteFor(notes, userId, id)
    if (note || ids) yield note ?? id
  }
}

/** A person's note with what its file needs; null when there is none. */
export const noteFor = (notes: Model<NoteRecord>, userId: string, id: string) =>
  notes
    .findOne({ _id: id, userId, deletedAt: null }, { ...WITHOUT_BULK, original: 0 })
    .lean<NoteRecord | null>()

/** Sends a zip of the transcripts as it is made; notes without one are listed in it. */
export async function exportAll(
  response: Response,
  notes: AsyncIterable<Found>,
  format: ExportFormat,
  { signal, release }: Export,
  i18n: I18n,
): Promise<void> {
  const zip = new ZipFile()
  const files = filesOf(notes, format, i18n)
  const addNext = async (): Promise<void> => {
    const { value: file, done } = await files.next()
    if (!done)
      return zip.addReadStreamLazy(file.name, { mtime: file.at }, give => give(null, streamOf(file.content)))
    // Before the client sees the end, and asks for the next export.
    await release()
    zip.end()
  }
  // The next file is made when the one before it has gone out, so a slow reader slows the reading.
  const streamOf = (content: Buffer) =>
    Readable.from([content], { objectMode: false }).once('end', () => void addNext().catch(fail))
  const fail = (error: unknown) => response.destroy(error as Error)
  zip.on('error', fail)
  try {
    await addNext()
    response
      .attachment('transcripts.zip')
      .set({ 'content-type': 'application/zip', 'cache-control': 'no-store' })
    await sendStream(response, zip.outputStream as Readable, { signal })
  } finally {
    await release()
  }
}

async function* filesOf(notes: AsyncIterable<Found>, format: ExportFormat, i18n: I18n) {
  const listName = i18n.t('Left out.txt')
  const unique = uniqueNames(listName)
  const leftOut: string[] = []
  for await (const note of notes) {
    if (typeof note === 'string') leftOut.push(`${note}: ${i18n.t('There is no such transcription.')}`)
    else if (note.status === 'completed') {
      const { name, content } = await exported(note, format, true, i18n)
      yield { name: unique(name), content: Buffer.from(content), at: note.createdAt }
    } else {
      const why =
        note.status === 'failed' && note.error
          ? sentenceOf(i18n, note.error)
          : i18n.t('It is still being transcribed.')
      leftOut.push(`${titleOf(note)} (${note.createdAt.toISOString().slice(0, 10)}): ${why}`)
    }
  }
  if (leftOut.length) {
    const text = `${i18n.t('These notes have no transcript:')}\n\n${leftOut.join('\n')}\n`
    yield { name: listName, content: Buffer.from(text), at: new Date() }
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
