import type { FormText, Gist, Translation } from '@voxscribe/contracts/http'
import { hashOf } from '@voxscribe/service'

/** Common fields of what a text model makes of a note. */
interface Derived {
  language: string
  model: string
  at: Date
  /** Digest of the text that it was made from. */
  of: string
}
/** `said`: digest of the text with the names of speakers, as the model read it. */
export type GistRecord = Pick<Gist, 'lines' | 'tasks'> & Derived & { said?: string }
export type TranslationRecord = Pick<Translation, 'segments'> & Derived

/** `said`: digest of the text and the form that it was made from; `of`: of the text alone. */
export type FormTextRecord = Pick<FormText, 'formId' | 'name' | 'status' | 'text'> & {
  at: Date
  of: string
  said: string
}

/** Shows whether a text has changed. The version won't do: titles change it, too, and corrections may be undone. */
export const textDigest = ({ text }: { text: string }): string => hashOf(text.trim().replace(/\s+/g, ' '))

export const presentDerived = ({ language, model, at, of }: Derived, note: { text: string }) => ({
  language,
  model,
  at: at.toISOString(),
  stale: of !== textDigest(note),
})
