import { createHash, hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileNameFor } from '@voxscribe/contracts/file-names'
import { spokenBy } from '@voxscribe/contracts/paragraphs'
import { clock, momentOf, oneLine, speakerNames } from '@voxscribe/contracts/wording'
import { type I18n, inTimeZone } from '@voxscribe/languages'
import {
  type Blobs,
  invalidField,
  type Logger,
  leftSignal,
  refusal,
  temporaryPlace,
} from '@voxscribe/service'
import { type Clip, type Ffmpeg, type Span, Unworkable } from '@voxscribe/speech'
import type { Response } from 'express'
import { titled, titleOf } from '../note/listing.ts'
import { type NoteRecord, segmentsOf, WITHOUT_BULK } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import { printable } from './formats.ts'
import type { OneExport } from './one-export.ts'
import { remarkOn } from './options.ts'
import { inPlace } from './places.ts'
import { sendZip, type ZippedFile } from './zip.ts'

/** Seconds of a line that have to be in a stretch; less is the border with a neighboring line. */
const HEARD_SECONDS = 0.25
/** Tolerance beyond the measured length, as engines and pages round their times up. */
const BEYOND_END_SECONDS = 1

/** Shorter stretches are extended, as they have no sound. */
const SHORTEST_SECONDS = 0.1

/** Returns the whole lines that overlap enough with a stretch. */
export const linesIn = <Line extends Span>(lines: Line[], { from, to }: Span): Line[] =>
  lines.filter(
    line =>
      Math.min(line.to, to) - Math.max(line.from, from) >=
      Math.min(HEARD_SECONDS, (line.to - line.from) / 2, (to - from) / 2),
  )

/** The file that a clip was cut from. */
interface Source {
  sha256: string
  clip: Clip
}

/** Writes a passage with its speakers as text; corrected lines also have the engine's original words. */
export function quoteText(found: NoteRecord, span: Span, { sha256, clip }: Source, language: I18n): string {
  const i18n = inTimeZone(language, found.timeZone)
  const note = printable(found)
  const nameOf = speakerNames(i18n, note.speakers)
  const originals = new Map(note.original?.segments.map(({ id, text }) => [id, oneLine(text)]))
  const lines = linesIn(segmentsOf(note), span).flatMap(({ id, from, text, speaker }) => {
    const said = oneLine(text)
    const before = originals.get(id)
    const isCorrected = before !== undefined && before !== said
    return [
      `[${clock(from)}] ${spokenBy(nameOf(speaker), said)}`,
      ...(isCorrected ? [i18n.t('Corrected by hand; originally: {text}', { text: before })] : []),
    ]
  })
  const file = `clip${clip.ending}`
  const how = clip.isCopy
    ? i18n.t(
        '{file} is cut from the audio without encoding it again. Whole packets are kept, so it may be a fraction of a second longer.',
        { file },
      )
    : i18n.t('{file} was encoded again, as Opus, because audio of this kind can’t be cut as it is.', {
        file,
      })
  const parts = [
    [
      titled(note).title,
      momentOf(i18n, note.createdAt.toISOString()),
      `${clock(span.from)} – ${clock(span.to)}`,
    ],
    [...lines, remarkOn(note, i18n)].filter(Boolean),
    [how],
    [
      `${i18n.t('Original file')}: ${note.fileName} (${note.bytes} B)`,
      `${i18n.t('SHA-256 of the audio')}: ${sha256}`,
    ],
  ]
  return `${parts.map(part => part.join('\n')).join('\n\n')}\n`
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path)) digest.update(chunk)
  return digest.digest('hex')
}

interface Deps {
  notes: Notes
  blobs: Blobs
  cut: Ffmpeg['clip']
  beginExport: OneExport
  log: Logger
}

/** Quotes passages of notes, each as a zip of clip, text and digests. */
export function createQuoting({ notes, blobs, cut, beginExport, log }: Deps) {
  /** Copies the audio to this machine. Throws if it is not the file that was received. */
  async function fetchOriginal({ _id, objectKey, sha256 }: NoteRecord, to: string, signal: AbortSignal) {
    if (!objectKey || !(await blobs.exists(objectKey))) throw refusal('quote_needs_audio')
    await pipeline(await blobs.read(objectKey), createWriteStream(to), { signal })
    const digest = await digestOf(to)
    if (!sha256 || sha256 === digest) return digest
    log.error({ id: _id }, 'the stored audio of a note is not what came')
    throw refusal('clip_failed')
  }

  async function* filesOf(
    note: NoteRecord,
    span: Span,
    source: Source,
    i18n: I18n,
  ): AsyncGenerator<ZippedFile> {
    const { path, ending } = source.clip
    const at = note.createdAt
    const text = Buffer.from(quoteText(note, span, source, i18n))
    const digests = {
      [`clip${ending}`]: await digestOf(path),
      'quote.txt': hash('sha256', text),
    }
    const sums = Object.entries(digests).map(([name, digest]) => `${digest}  ${name}\n`)
    yield { name: `clip${ending}`, at, content: createReadStream(path) }
    yield { name: 'quote.txt', at, content: text }
    yield { name: 'SHA256SUMS', at, content: Buffer.from(sums.join('')) }
  }

  return {
    /** Returns a note and the stretch to quote. Throws 404, 409 without a transcript, 400 beyond the note's end. */
    async find(id: string, userId: string, { from, to }: Span) {
      const note = await notes.find(id, userId, WITHOUT_BULK)
      if (note.status !== 'completed') throw refusal('not_completed')
      const seconds = note.durationSeconds ?? 0
      if (from >= seconds || to > seconds + BEYOND_END_SECONDS)
        throw invalidField('to', 'quote_beyond_end', { seconds })
      const begin = Math.max(0, Math.min(from, seconds - SHORTEST_SECONDS))
      return { note, span: { from: begin, to: Math.min(Math.max(to, begin + SHORTEST_SECONDS), seconds) } }
    },

    /** Sends a stretch of a note. The clip is cut first, so that a failure gets an error response. */
    async send(response: Response, note: NoteRecord, span: Span, i18n: I18n): Promise<void> {
      const begun = await beginExport(note.userId)
      const left = leftSignal(response)
      const signal = AbortSignal.any([begun.signal, left])
      const { path: folder, remove } = temporaryPlace('voxscribe-quote-')
      const original = join(folder, 'original')
      try {
        await mkdir(folder, { mode: 0o700 })
        const sha256 = await fetchOriginal(note, original, signal)
        const { mime, heardTrack } = note
        const options = { ...span, mime, heardTrack, folder, signal }
        const clip = await inPlace(() => cut(original, options), { signal })
        const name = fileNameFor(
          titleOf(note),
          `.${clock(span.from)}-${clock(span.to)}.zip`.replaceAll(':', '.'),
        )
        await sendZip(response, name, filesOf(note, span, { sha256, clip }, i18n), begun)
      } catch (error) {
        if (left.aborted) return
        // The person was erased.
        if (begun.signal.aborted) throw refusal('note_unknown')
        throw error instanceof Unworkable ? refusal('clip_failed') : error
      } finally {
        await begun.release()
        await remove()
      }
    },
  }
}
export type Quoting = ReturnType<typeof createQuoting>
