import { isLanguage } from '@voxscribe/contracts/languages'
import { wordsOf } from '@voxscribe/contracts/search-words'
import type { NoteRecord } from './record.ts'

/** The language that a note is shown in: what was heard, else what is expected. */
export const languageOf = ({ spokenLanguage, language }: Pick<NoteRecord, 'spokenLanguage' | 'language'>) =>
  spokenLanguage && spokenLanguage !== 'auto' ? spokenLanguage : language

/** The language of a note as a filter names it: `auto` for one that is not in the product's list. */
export function listedLanguageOf(note: Parameters<typeof languageOf>[0]): string {
  const language = languageOf(note)
  return isLanguage(language) ? language : 'auto'
}

/** The words that a note is found by, in the same write as its text, title or file name. */
export const foundByOf = ({ text, title, fileName }: Pick<NoteRecord, 'text' | 'title' | 'fileName'>) =>
  wordsOf([text, title ?? '', fileName])
