import { hash } from 'node:crypto'
import { languageName } from '@voxscribe/contracts/languages'
import { inParagraphs, joinedText } from '@voxscribe/contracts/paragraphs'
import { joinerAt } from '@voxscribe/contracts/text'
import { audioLength, clock, dateOf } from '@voxscribe/contracts/wording'
import { languageOf } from '../note/listing.ts'
import { type NoteRecord, segmentsOf } from '../note/record.ts'
import { writtenIn } from './corrections.ts'
import { type ExportOptions, linesIn, type ResolvedOptions, textsIn } from './options.ts'

/** Matches a letter that is in none of the fonts of `typeset.ts`. */
export const OTHER_LETTER =
  /[[\p{L}\p{M}]--[\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Arabic}\p{scx=Devanagari}\p{scx=Thai}\p{scx=Common}\p{scx=Inherited}]]/v

interface Run {
  text: string
  /** Whether a person wrote it in place of the engine's text. */
  isCorrected: boolean
}
/** The data of `pdf.typ`. */
export interface Sheet {
  title: string
  language: string
  direction: Direction
  facts: { name: string; value: string }[]
  paragraphs: {
    time: string
    address: string
    direction: Direction
    language: string
    speaker: string
    runs: Run[]
    /** The words before the corrections; empty: not shown. */
    before: string
  }[]
  remarks: string[]
  texts: { name: string; direction: Direction; lines: string[] }[]
}
export type Direction = 'ltr' | 'rtl'

/** Returns a text's direction by its first letter, as browsers do. */
export const directionOf = (text: string): Direction =>
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text)
    ? 'rtl'
    : 'ltr'

/** Cuts a passage where a person has changed it. */
export function runsOf(text: string, before: string | undefined): Run[] {
  const runs: Run[] = []
  let end = 0
  for (const { from, to } of before === undefined || before === text ? [] : writtenIn(before, text)) {
    runs.push(
      { text: text.slice(end, from), isCorrected: false },
      { text: text.slice(from, to), isCorrected: true },
    )
    end = to
  }
  return [...runs, { text: text.slice(end), isCorrected: false }].filter(run => run.text)
}

/** Returns a language as Typst expects it: its first two or three letters; "und" if unknown. */
export const typstLanguage = (tag: string) => /^[a-z]{2,3}(?=-|$)/.exec(tag)?.[0] ?? 'und'

function factsOf(note: NoteRecord, { i18n, isCertified }: ResolvedOptions): Sheet['facts'] {
  const { durationSeconds, tags = [], sha256, createdAt, original } = note
  const facts = {
    [i18n.t('Received')]: dateOf(i18n, createdAt.toISOString()),
    [i18n.t('Length')]: durationSeconds === null ? '' : audioLength(i18n, durationSeconds),
    [i18n.t('Language')]: languageName(i18n, languageOf(note)),
    [i18n.t('Tags')]: tags.map(tag => `#${tag}`).join(' '),
    [i18n.t('SHA-256 of the audio')]: sha256 ?? '',
    ...(isCertified && {
      [i18n.t('Original file')]: note.fileName,
      [i18n.t('SHA-256 of the text')]: hash('sha256', note.text),
      [i18n.t('SHA-256 of the original text')]: original ? hash('sha256', original.text) : '',
    }),
  }
  return Object.entries(facts).flatMap(([name, value]) => (value ? [{ name, value }] : []))
}

export function sheetOf(note: NoteRecord, options: ResolvedOptions): Sheet {
  const { i18n, publicUrl, nameOf, remark, isCertified = false } = options
  const withTimes = options.withTimes || isCertified
  const originals = new Map(note.original?.segments.map(({ id, text }) => [id, text]))
  const language = typstLanguage(languageOf(note))
  const paragraphs = inParagraphs(segmentsOf(note).filter(({ text }) => text.trim())).map(passages => {
    const [{ from, speaker } = { from: 0, speaker: undefined }] = passages
    const runs = passages.flatMap(({ id, text }, at) => [
      ...(at
        ? [{ text: joinerAt(passages[at - 1]?.text ?? '', text, note.spokenLanguage), isCorrected: false }]
        : []),
      ...runsOf(text.trim(), originals.get(id)?.trim()),
    ])
    const time = withTimes ? clock(from) : ''
    const address = `${publicUrl}/transcriptions/${note._id}?t=${Math.floor(from)}`
    const direction = directionOf(runs.map(({ text }) => text).join(''))
    const heard = passages.map(({ id, text }) => (originals.get(id) ?? text).trim())
    const isChanged = passages.some(({ text }, index) => text.trim() !== heard[index])
    const before =
      isCertified && isChanged
        ? i18n.t('Corrected by hand; originally: {text}', {
            text: joinedText(
              heard.map(text => ({ text })),
              note.spokenLanguage,
            ),
          })
        : ''
    return { time, address, direction, language, speaker: nameOf(speaker), runs, before }
  })
  const hasCorrections = paragraphs.some(({ runs }) => runs.some(({ isCorrected }) => isCorrected))
  return {
    title: options.heading,
    language: typstLanguage(i18n.locale),
    direction: directionOf(i18n.t('Received')),
    facts: factsOf(note, options),
    paragraphs,
    remarks: [
      hasCorrections ? i18n.t('The marked words were corrected by hand.') : '',
      withTimes ? remark : '',
    ].filter(Boolean),
    texts: options.texts.map(({ name, text }) => ({
      ...{ name, direction: directionOf(text), lines: linesIn(text) },
    })),
  }
}

/** Whether our fonts have all letters of a note's PDF; others would show as boxes. */
export function hasItsLetters(
  note: NoteRecord,
  { isCertified = false, withSpeakers = true, withTexts }: ExportOptions,
): boolean {
  const { title, text, tags = [], speakers = [], fileName, original } = note
  const names = withSpeakers ? speakers.map(({ name }) => name ?? '') : []
  const more = isCertified ? [fileName, original?.text ?? ''] : []
  const texts = textsIn(note, { withTexts }).flatMap(({ name, text }) => [name, text])
  return ![title ?? '', text, ...tags, ...names, ...more, ...texts].some(each => OTHER_LETTER.test(each))
}
