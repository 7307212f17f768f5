import { hashOf, invalidField } from '@voxscribe/service'
import { type TranslationRecord, textDigest } from '../note/derived.ts'
import { languageOf } from '../note/listing.ts'
import { type NoteRecord, segmentsOf } from '../note/record.ts'
import type { TextWork } from './text-work.ts'
import { translated } from './translation.ts'

/** For all translations of a note, as a document has at most 16 MB. */
const BYTES_MAX = 2_000_000

const isOf = (note: NoteRecord, kept: TranslationRecord | undefined) => kept?.of === textDigest(note)

/** Translates a note into a language, or returns the kept translation. Throws 400 for the note's own language. */
export const createTranslations =
  ({ write }: TextWork, now: () => Date) =>
  async (note: NoteRecord, language: string): Promise<NoteRecord> => {
    if (languageOf(note) === language) throw invalidField('language', 'same_language')
    return write(
      note,
      note => isOf(note, note.translations?.[language]),
      async (note, model, signal, progress) => {
        const passages = segmentsOf(note).map(({ id, text }) => ({ id, text }))
        const of = hashOf(JSON.stringify(passages))
        const isBegun = note.unfinished?.language === language && note.unfinished.of === of
        const segments = isBegun ? [...(note.unfinished?.segments ?? [])] : []
        const made = { language, model: model.name, at: now() }
        progress({ unfinished: { ...made, segments, of } })
        const whole = await translated(model, passages, language, signal, segments)
        const all = [
          { ...made, segments: whole, of: textDigest(note) },
          ...Object.values(note.translations ?? {}),
        ]
        return { translations: withinLimits(all), unfinished: null }
      },
    )
  }

/** Returns the newest translation of each language, as far as there is room. */
function withinLimits(all: TranslationRecord[]): Record<string, TranslationRecord> {
  const kept: Record<string, TranslationRecord> = {}
  let bytes = 0
  for (const each of all.toSorted((a, b) => b.at.getTime() - a.at.getTime())) {
    bytes += Buffer.byteLength(JSON.stringify(each.segments))
    if (bytes <= BYTES_MAX || !Object.keys(kept).length) kept[each.language] ??= each
  }
  return kept
}
