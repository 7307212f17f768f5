import type { FormText, Gist, Translation } from '@voxscribe/contracts/http'
import { hashOf } from '@voxscribe/service'

/** A note's gist and translations, made by a text model. */
interface Derived {
  language: string
  model: string
  at: Date
  /** Digest of the words that it was made of. */
  of: string
}
/** `said`: digest of the words with who says them, as the model has read them. */
export type GistRecord = Pick<Gist, 'lines' | 'tasks'> & Derived & { said?: string }
export type TranslationRecord = Pick<Translation, 'segments'> & Derived

/** `said`: digest of the words and the form that it was made of; `of`: of the words alone. */
export type FormTextRecord = Pick<FormText, 'formId' | 'name' | 'status' | 'text'> & {
  at: Date
  of: string
  said: string
}

/** The words and their digest are compared, not the version: that counts titles, too, and a correction may be undone. */
export const textDigest = ({ text }: { text: string }): string => hashOf(text.trim().replace(/\s+/g, ' '))

/** As the API shows it. */
export const presentDerived = ({ language, model, at, of }: Derived, note: { text: string }) => ({
  language,
  model,
  at: at.toISOString(),
  stale: of !== textDigest(note),
})
