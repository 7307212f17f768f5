import type { Transcription } from '@voxscribe/contracts/http'
import { isLanguage } from '@voxscribe/contracts/languages'
import { wordsOf } from '@voxscribe/contracts/search-words'
import { tagKey } from '@voxscribe/contracts/tags'
import { normalized, sentencesOf, wordSegmenter, wordsUpTo } from '@voxscribe/contracts/text'
import { dateOf, oneLine } from '@voxscribe/contracts/wording'
import type { I18n } from '@voxscribe/languages'
import type { NoteRecord } from './record.ts'

// How lists show and find a note: its title, its language, its words.

/** Characters searched for the first word. */
const LOOKED_AT = 1_000

export type Titled = Pick<NoteRecord, 'title' | 'fileName'> &
  Partial<Pick<NoteRecord, 'text' | 'spokenLanguage' | 'gist'>>
export const TITLED = { title: 1, fileName: 1, text: 1, spokenLanguage: 1, gist: 1 } as const

/** Maximum length in characters of an automatic title. */
const MADE_TITLE_MAX = 60

/** Returns a note's title: as typed, else a file name that a person chose, else the start of its gist or text. */
export function titled({
  title,
  fileName,
  text = '',
  spokenLanguage = null,
  gist,
}: Titled): Pick<Transcription, 'title' | 'titleFrom'> {
  if (title !== null) return { title, titleFrom: 'person' }
  if (!isMachineName(fileName)) return { title: fileName, titleFrom: 'file' }
  const ofGist = wordsUpTo(oneLine(gist?.lines[0] ?? ''), MADE_TITLE_MAX)
  if (ofGist) return { title: ofGist, titleFrom: 'gist' }
  const ofText = firstWords(text, spokenLanguage)
  return ofText ? { title: ofText, titleFrom: 'text' } : { title: fileName, titleFrom: 'none' }
}
export const titleOf = (note: Titled): string => titled(note).title

/** Returns the heading above a note's whole text; it never repeats words of the text. */
export function headingOf(i18n: I18n, note: Titled & Pick<NoteRecord, 'createdAt'>): string {
  const { title, titleFrom } = titled(note)
  if (titleFrom !== 'text') return title
  return i18n.t('Voice note, {date}', { date: dateOf(i18n, note.createdAt.toISOString()) })
}

/** First words of file names from WhatsApp, Telegram, Signal, phones and recorders. */
const RECORDINGS =
  'aud audio ptt vn vid video voice voicemail voicememo whatsapp signal recording rec dss dvt img mov mvi file blob ' +
  'untitled unnamed unknown aufnahme sprachaufnahme sprachmemo sprachnotiz grabación enregistrement registrazione ' +
  'gravação opname запись rekaman تسجيل 录音 錄音 녹음 録音'
const NEW = 'new standard neue nueva nouvel nuova nova nieuwe новая'
/** Words that appear with them. */
const ADDED =
  'recording note memo message mail recorder recorded clip copy at am pm wa t z o clock from on ptt'
const STARTERS = new Set(RECORDINGS.split(' '))
const PREFIXES = new Set(NEW.split(' '))
const MACHINE_WORDS = new Set(`${RECORDINGS} ${NEW} ${ADDED}`.split(' '))
/** UUIDs, hashes and other ids in hexadecimal. */
const HEX_ID = /(?<![\da-z])[\da-f-]{12,}(?![\da-z])/gi

/** Whether a program named the file: digits only, or only words of recorders. */
export function isMachineName(fileName: string): boolean {
  const stem = normalized(fileName, 'NFC').replace(/\.[\p{L}\p{N}]{1,8}$/u, '')
  const words =
    stem
      .toLowerCase()
      .replace(HEX_ID, id => (/\d/.test(id) ? ' ' : id))
      .match(/[\p{L}\p{M}]+/gu) ?? []
  const first = words.find(word => !PREFIXES.has(word))
  return !words.length || (STARTERS.has(first ?? '') && words.every(word => MACHINE_WORDS.has(word)))
}

/** Filler sounds, in any language. */
const FILLERS =
  /^(?:u+h+m*|u+m{2,}|e+h+m+|e+r+m+|a+h+m*|h+m+|m+h*m+|ä+h*m*|ö+h*m*|e+u+h+|h+eu+|э+м*|м{2,}|хм+|гм+|음+|उम्म*|अं|ام+م|اه+)$/u
/** English fillers that are words in other languages: `um` is Portuguese and German, `er` is German. */
const ENGLISH_FILLERS = /^(?:um|er|eh|oh|huh)$/

/** Fillers in scripts without spaces, followed by punctuation or a space. */
const UNSPACED_FILLERS = /^(?:(?:え[ーっ]+と?|うーん|あ[のー]+|呃+|嗯+|เอ่อ|อืม)[、，,。.…\s]+)+/u

/** Returns a text's first sentence from its first word that is no filler, in one line; empty if there is none. */
function firstWords(text: string, language: string | null): string {
  const looked = text.slice(0, LOOKED_AT).replace(/\p{Bidi_Control}/gu, '')
  const line = oneLine(looked).replace(UNSPACED_FILLERS, '')
  for (const { segment, index, isWordLike } of wordSegmenter.segment(line)) {
    const word = segment.toLowerCase()
    const isSetOff = /^\s*[,.…–—-]/.test(line.slice(index + segment.length))
    const isFiller = FILLERS.test(word) || (ENGLISH_FILLERS.test(word) && (isSetOff || language === 'en'))
    if (!isWordLike || isFiller) continue
    const [opening = ''] =
      /(?<![\p{Ps}\p{Pi}\p{Sc}¿¡"#+])[\p{Ps}\p{Pi}\p{Sc}¿¡"#+]*$/u.exec(line.slice(0, index)) ?? []
    return wordsUpTo(sentencesOf(line.slice(index - opening.length))[0] ?? '', MADE_TITLE_MAX)
  }
  return ''
}

/** Returns the language to show for a note: the detected one, else the expected one. */
export const languageOf = ({ spokenLanguage, language }: Pick<NoteRecord, 'spokenLanguage' | 'language'>) =>
  spokenLanguage && spokenLanguage !== 'auto' ? spokenLanguage : language

/** Returns the language that lists filter by: `auto` if it is not in the product's list. */
export function listedLanguageOf(note: Parameters<typeof languageOf>[0]): string {
  const language = languageOf(note)
  return isLanguage(language) ? language : 'auto'
}

/** Returns the entry by which a tag is found. No word begins with `#`. */
export const foundByTag = (tag: string): string => `#${tagKey(tag)}`

type FoundBy = Pick<NoteRecord, 'text' | 'title' | 'fileName' | 'tags' | 'speakers'>
/** Returns the tags and words that find a note; written with its tags, text, speakers, title or file name. */
export const foundByOf = ({ text, title, fileName, tags = [], speakers = [] }: FoundBy) => [
  ...tags.map(foundByTag),
  // File names count with and without their extension, as near matches are compared with whole words.
  ...wordsOf([
    text,
    title ?? '',
    fileName,
    fileName.replace(/\.[\p{L}\p{N}]{1,8}$/u, ''),
    ...speakers.map(({ name }) => name ?? ''),
  ]),
]
