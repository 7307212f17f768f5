import { sentenceOf } from '@voxscribe/contracts/reasons'
import { REFUSALS, refusalIn } from '@voxscribe/contracts/refusals'
import { Problem } from '@voxscribe/service'
import type { Model } from 'mongoose'
import { titleOf } from '../note/listing.ts'
import { type NoteRecord, WITHOUT_BULK } from '../note/record.ts'
import { exportedInTurn } from './export.ts'
import type { ExportFormat } from './formats.ts'
import type { ExportOptions } from './options.ts'
import { uniqueNames, type ZippedFile } from './zip.ts'

/** Ids per batch from the database; 50,000 at once block the process for 80 ms. */
const READ_AT_ONCE = 1_000

/** A note, or the id of a missing one. */
type Found = NoteRecord | string

/** Yields the notes with these ids, or all of a person's, newest first, with one in memory at a time. */
export async function* notesOf(
  notes: Model<NoteRecord>,
  userId: string,
  ids: string[] | undefined,
): AsyncGenerator<Found> {
  for (const id of ids ?? (await everyNote(notes, userId)).ids) {
    const note = await noteFor(notes, userId, id)
    if (note || ids) yield note ?? id
  }
}

/** Returns the ids of a person's notes, newest first, and their bytes of audio. Cursors expire on slow readers. */
export async function everyNote(notes: Model<NoteRecord>, userId: string) {
  const found = notes.find({ userId }, { bytes: 1, objectKey: 1 }).sort({ createdAt: -1, _id: 1 }).lean()
  let audioBytes = 0
  const ids = await Array.fromAsync(
    found.cursor({ batchSize: READ_AT_ONCE }),
    ({ _id, bytes, objectKey }) => {
      if (objectKey) audioBytes += bytes
      return _id
    },
  )
  return { ids, audioBytes }
}

/** Returns a person's note with the fields that its file needs; null if there is none. */
const noteFor = (notes: Model<NoteRecord>, userId: string, id: string) =>
  notes.findOne({ _id: id, userId, deletedAt: null }, WITHOUT_BULK).lean<NoteRecord | null>()

/** Yields the transcripts as files of a zip; the last file lists the notes without one. */
export async function* transcriptsOf(
  notes: AsyncIterable<Found>,
  format: ExportFormat,
  options: ExportOptions,
  signal: AbortSignal,
): AsyncGenerator<ZippedFile> {
  const { i18n } = options
  const listName = i18n.t('Left out.txt')
  const unique = uniqueNames(listName)
  const leftOut: string[] = []
  const leaveOut = (note: NoteRecord, why: string) =>
    leftOut.push(`${titleOf(note)} (${note.createdAt.toISOString().slice(0, 10)}): ${why}`)
  for await (const note of notes) {
    if (typeof note === 'string') leftOut.push(`${note}: ${i18n.t(REFUSALS.note_unknown.text)}`)
    else if (note.status === 'completed') {
      try {
        const { name, content } = await exportedInTurn(note, format, options, signal)
        yield { name: unique(name), content: Buffer.from(content), at: note.createdAt }
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        leaveOut(note, refusalIn(i18n, error.code, error.message) ?? error.message)
      }
    } else {
      const why =
        note.status === 'failed' && note.error
          ? sentenceOf(i18n, note.error)
          : i18n.t('It’s still being transcribed.')
      leaveOut(note, why)
    }
  }
  if (leftOut.length) {
    const text = `${i18n.t('These notes have no transcript:')}\n\n${leftOut.join('\n')}\n`
    yield { name: listName, content: Buffer.from(text), at: new Date() }
  }
}
