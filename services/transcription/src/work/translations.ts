import { invalidField } from '@voxscribe/service'
import { languageOf } from '../note/listing.ts'
import { digestOf, type KeptTranslation } from '../note/made.ts'
import { type NoteRecord, segmentsOf } from '../note/record.ts'
import { translated } from '../text-model/translation.ts'
import type { TextWork } from './text-work.ts'

/** Of all translations of a note: a document has at most 16 MB. */
const BYTES_MAX = 2_000_000

const isOf = (note: NoteRecord, kept: KeptTranslation | undefined) => kept?.of === digestOf(note)

/** Makes the translation of a note into a language, or returns the kept one. Throws 400 for the one that it is in. */
export const createTranslations =
  ({ write }: TextWork, now: () => Date) =>
  async (note: NoteRecord, language: string): Promise<NoteRecord> => {
    if (languageOf(note) === language)
      throw invalidField('language', 'The note is already in this language', 'same_language')
    return write(
      note,
      note => isOf(note, note.translations?.[language]),
      async (note, model, signal) => {
        const passages = segmentsOf(note).map(({ id, text }) => ({ id, text }))
        const segments = await translated(model, passages, language, signal)
        const made = { language, segments, model: model.name, at: now(), of: digestOf(note) }
        return { translations: withinLimits([made, ...Object.values(note.translations ?? {})]) }
      },
    )
  }
export type Translations = ReturnType<typeof createTranslations>

/** The newest of each language, by language, for which there is room. */
function withinLimits(all: KeptTranslation[]): Record<string, KeptTranslation> {
  const kept: Record<string, KeptTranslation> = {}
  let bytes = 0
  for (const each of all.toSorted((a, b) => b.at.getTime() - a.at.getTime())) {
    bytes += Buffer.byteLength(JSON.stringify(each.segments))
    if (bytes <= BYTES_MAX || !Object.keys(kept).length) kept[each.language] ??= each
  }
  return kept
}
