import { languageOfCountry } from '@voxscribe/contracts/languages'
import { languageOf } from '../note/listing.ts'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'

const LAST_NOTES = 5

/**
 * Returns the language of a short note: the guess if one of the person's last notes is in it, else the language of
 * more than half of them, else that of their country, else `auto`.
 */
export async function likelyLanguage(
  notes: Pick<Notes, 'lastTexts'>,
  note: NoteRecord,
  guess: string,
): Promise<string> {
  const spoken = (await notes.lastTexts(note, LAST_NOTES)).map(languageOf)
  if (guess !== 'auto' && spoken.includes(guess)) return guess
  const times = (language: string) => spoken.filter(each => each === language).length
  const most = spoken.find(language => language !== 'auto' && times(language) > spoken.length / 2)
  return most ?? languageOfCountry(note.country) ?? 'auto'
}
