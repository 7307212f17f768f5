import { languageOfCountry } from '@voxscribe/contracts/languages'
import { languageOf } from '../note/listing.ts'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'

const LAST_NOTES = 5

/**
 * The language that a few words of a person are taken to be in: that of most of their last notes, else that of their
 * country; `auto` when neither is known.
 */
export async function usualLanguage(notes: Notes, note: NoteRecord): Promise<string> {
  const spoken = (await notes.lastTexts(note, LAST_NOTES)).map(languageOf)
  const times = (language: string) => spoken.filter(each => each === language).length
  const most = spoken.find(language => language !== 'auto' && times(language) > spoken.length / 2)
  return most ?? languageOfCountry(note.country) ?? 'auto'
}
