import type { FormText, Gist, TranscriptionDocument, Translation } from '@voxscribe/contracts/http'
import { paragraphsOf } from '@voxscribe/contracts/paragraphs'
import { sentenceOf } from '@voxscribe/contracts/reasons'
import { english } from '@voxscribe/languages'
import { presentDerived, textDigest } from '../note/derived.ts'
import { presentNote } from '../note/item.ts'
import { type NoteRecord, segmentsOf } from '../note/record.ts'

function gistOf(note: NoteRecord): Gist | null {
  if (!note.gist) return null
  const { lines, tasks } = note.gist
  return { lines, tasks, ...presentDerived(note.gist, note) }
}

const translationsOf = (note: NoteRecord): Translation[] =>
  Object.values(note.translations ?? {}).map(made => ({
    segments: made.segments,
    ...presentDerived(made, note),
  }))

const textsOf = (note: NoteRecord): FormText[] =>
  (note.texts ?? []).map(({ formId, name, status, text, at, of }) => ({
    ...{ formId, name, text, at: at.toISOString() },
    // Other work has replaced the work on this text.
    status: status === 'working' && note.work?.step !== 'forming' ? 'failed' : status,
    stale: of !== textDigest(note),
  }))

/** Presents a note for its own page, field by field. */
export function presentDocument(
  note: NoteRecord,
  audioUrl: string | null,
  share: TranscriptionDocument['share'],
  partial: TranscriptionDocument['partial'] = null,
): TranscriptionDocument {
  const { timeline } = note
  const segments = segmentsOf(note)
  return {
    ...presentNote(note),
    engine: note.engine && { name: note.engine.name, model: note.engine.model },
    passedOver: note.engine?.instead ?? [],
    segments,
    paragraphs: paragraphsOf(segments, note.spokenLanguage),
    partial,
    speakersProgress: note.work?.step === 'voices' ? (note.work.progress ?? 0) : null,
    timesExact: note.timesExact,
    timeline: timeline.map(({ step, at, detail }, index) => {
      const before = timeline[index - 1]
      // The machines that recorded these steps may have different clocks.
      const ms = before ? Math.max(0, at.getTime() - before.at.getTime()) : null
      const reason = typeof detail === 'string' ? null : detail
      const said = reason ? sentenceOf(english, reason) : (detail as string | null)
      return { step, at: at.toISOString(), ms, detail: said, reason }
    }),
    original: note.original && { text: note.original.text, segments: note.original.segments },
    audioUrl,
    levels: note.levels,
    gist: gistOf(note),
    share,
    translations: translationsOf(note),
    texts: textsOf(note),
  }
}
