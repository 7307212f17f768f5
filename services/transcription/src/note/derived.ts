import type { Gist, Translation } from '@voxscribe/contracts/http'
import { textInParagraphs } from '@voxscribe/contracts/paragraphs'
import { speakerNames } from '@voxscribe/contracts/wording'
import { english } from '@voxscribe/languages'
import { hashOf } from '@voxscribe/service'
import type { NoteRecord } from './record.ts'

/** A note's gist and translations, made by a text model. */
interface Derived {
  language: string
  model: string
  at: Date
  /** Digest of the text that it was made of. */
  of: string
}
export type KeptGist = Pick<Gist, 'lines' | 'tasks'> & Derived
export type KeptTranslation = Pick<Translation, 'segments'> & Derived

/** The text and its digest are compared, not the version: that counts titles, too, and a correction may be undone. */
export const digestOf = ({ text }: { text: string }): string => hashOf(text)

/** The text that a gist is made of: with the names of speakers, so that it can say who promised what. */
export const saidBy = (
  note: Pick<NoteRecord, 'segments' | 'speakers' | 'spokenLanguage' | 'text'>,
): string =>
  note.speakers?.length
    ? textInParagraphs(note.segments, note.spokenLanguage, note.text, speakerNames(english, note.speakers))
    : note.text

/** As the API shows it. */
export const presentDerived = ({ language, model, at, of }: Derived, note: { text: string }) => ({
  language,
  model,
  at: at.toISOString(),
  stale: of !== digestOf(note),
})
