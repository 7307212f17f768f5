import { languageOfCountry } from '@voxscribe/contracts/languages'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'

const LAST_NOTES = 5

/**
 * Returns a function for the language of little speech in a note: the guess if it is that of the person's country, their
 * pages or one of their last notes, else the language of more than half of these, else the country's, else `auto`. Reads
 * the last notes once, as a note may have thousands of short pieces.
 */
export function likelyLanguageIn(
  note: Pick<NoteRecord, '_id' | 'userId' | 'country' | 'uiLanguage'>,
  notes: Pick<Notes, 'lastLanguages'>,
) {
  let last: Promise<string[]> | undefined
  return async (guess: string): Promise<string> => {
    last ??= notes.lastLanguages(note, LAST_NOTES)
    const spoken = await last
    const ofCountry = languageOfCountry(note.country)
    if (guess !== 'auto' && [...spoken, ofCountry, note.uiLanguage].includes(guess)) return guess
    const times = (language: string) => spoken.filter(each => each === language).length
    const most = spoken.find(language => language !== 'auto' && times(language) > spoken.length / 2)
    return most ?? ofCountry ?? 'auto'
  }
}
