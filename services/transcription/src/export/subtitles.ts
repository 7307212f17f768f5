import { spokenBy } from '@voxscribe/contracts/paragraphs'
import { sharesOf, wordSegmenter } from '@voxscribe/contracts/text'
import type { Segment } from '@voxscribe/speech'
import { type NoteRecord, segmentsOf } from '../note/record.ts'
import { columnsOf, cutEvenly } from './columns.ts'
import type { ResolvedOptions } from './options.ts'
import { timecode } from './timecode.ts'

type NameOf = ResolvedOptions['nameOf']

// Common rules of subtitles (the guides of Netflix and the BBC agree on them), so that people can read along.
/** Columns of a line: a Chinese, Japanese or Korean letter takes two. */
const LINE_COLUMNS = 42
const LINES = 2
const SHORTEST = 1
const LONGEST = 7
/** A cue lasts at least this long even in fast speech; its neighbors are moved. */
const SHORTEST_AT_ALL = 0.3

export interface Cue {
  /** Seconds from the beginning. */
  from: number
  to: number
  lines: string[]
  speaker?: string | undefined
}

/** The lines of a cue, and the columns of the last one. */
interface Page {
  lines: string[]
  columns: number
}

interface Token {
  from: number
  to: number
  text: string
  columns: number
  /** Whether a space precedes it. */
  isSpaced: boolean
  speaker?: string | undefined
}

/** Returns subtitles in SRT, with a speaker's name before their first words. */
export const srtOf = (note: NoteRecord, nameOf: NameOf): string =>
  cueTexts(note, nameOf, ',', (text, name, isNew) => (isNew ? spokenBy(name, text) : text)).join('\n')

/** Returns subtitles in WebVTT; `remark` precedes them as a note. */
export function vttOf(note: NoteRecord, nameOf: NameOf, remark: string): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const said = (text: string, name: string) =>
    name ? `<v ${escaped(name).replaceAll('>', '&gt;')}>${escaped(text)}` : escaped(text)
  const all = cueTexts(note, nameOf, '.', said)
  return ['WEBVTT\n', ...(remark && [`NOTE ${remark}\n`]), ...all].join('\n')
}

/** Returns the text of each cue in a file; in SRT with its number. */
function cueTexts(
  note: NoteRecord,
  nameOf: NameOf,
  decimal: ',' | '.',
  said: (text: string, name: string, isNew: boolean) => string,
): string[] {
  let last: string | undefined
  // `-->` would begin another cue.
  const clear = (text: string) => text.replaceAll('-->', '→')
  return cuesOf(segmentsOf(note), note.durationSeconds ?? undefined).map(
    ({ from, to, lines, speaker }, index) => {
      const text = said(clear(lines.join('\n')), clear(nameOf(speaker)), speaker !== last)
      last = speaker
      const number = decimal === ',' ? `${index + 1}\n` : ''
      return `${number}${timecode(from, decimal)} --> ${timecode(to, decimal)}\n${text}\n`
    },
  )
}

/** Cuts segments into cues of two lines of 42 columns that last 0.3 to 7 seconds and never overlap. */
export function cuesOf(segments: readonly Segment[], noteSeconds = Number.POSITIVE_INFINITY): Cue[] {
  const cues = cut(segments.map(tokensOf))
  const end = Math.max(noteSeconds, cues.at(-1)?.to ?? 0)
  const begins = apart(
    cues.map(({ from }) => from),
    end,
  )
  return cues.map(({ to, lines, speaker }, index) => {
    const from = begins[index] ?? 0
    const latest = Math.min(from + LONGEST, begins[index + 1] ?? Math.max(end, from + SHORTEST_AT_ALL))
    return { from, to: Math.min(Math.max(to, from + SHORTEST), latest), lines, speaker }
  })
}

/** Moves start times apart, in whole milliseconds: later at first, then earlier if they would pass the end. */
function apart(begins: readonly number[], end: number): number[] {
  const later = (times: readonly number[]) => {
    let free = 0
    return times.map(time => {
      const from = Math.round(Math.max(time, free) * 1000) / 1000
      free = from + SHORTEST_AT_ALL
      return from
    })
  }
  const latest = (count: number) => end - count * SHORTEST_AT_ALL
  return later(later(begins).map((from, index) => Math.min(from, latest(begins.length - index))))
}

function cut(segments: Token[][]): Cue[] {
  const cues: (Cue & Page)[] = []
  let open: (Cue & Page) | undefined
  // Segments may overlap; cues do not.
  let from = 0
  for (const tokens of segments) {
    if (open && !isTooShort(open, tokens)) open = undefined
    for (const token of tokens) {
      from = Math.max(from, token.from)
      const page: Page | undefined = open && withWord(open, token)
      if (open && page && token.to - open.from <= LONGEST)
        Object.assign(open, page, { to: Math.max(open.to, token.to) })
      else {
        const { text, columns, speaker } = token
        open = { from, to: Math.max(from, token.to), lines: [text], columns, speaker }
        cues.push(open)
      }
    }
  }
  return cues
}

/** Whether a cue would last less than a second before the next segment, which fits into it. */
function isTooShort(cue: Cue & Page, next: Token[]): boolean {
  const [first, last] = [next[0], next.at(-1)]
  if (first?.speaker !== cue.speaker) return false
  if (!first || !last || first.from - cue.from >= SHORTEST || last.to - cue.from > LONGEST) return false
  return next.reduce<Page | undefined>((page, token) => page && withWord(page, token), cue) !== undefined
}

/** Returns the lines with one more word, or undefined when it does not fit. */
function withWord({ lines, columns }: Page, { text, isSpaced, columns: more }: Token): Page | undefined {
  const space = isSpaced ? ' ' : ''
  const longer = columns + space.length + more
  if (longer <= LINE_COLUMNS)
    return { lines: [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${space}${text}`], columns: longer }
  return lines.length < LINES ? { lines: [...lines, text], columns: more } : undefined
}

const tokensOf = (segment: Segment): Token[] =>
  wordsIn(segment).map(token => ({ ...token, speaker: segment.speaker }))

function wordsIn(segment: Segment): Token[] {
  const parts = segment.text.split(/\s+/).filter(Boolean)
  const heard = segment.words ?? []
  // Words with times do not match a corrected text.
  const isUnedited =
    heard.length === parts.length && parts.every((part, index) => part === heard[index]?.text.trim())
  return isUnedited
    ? heard.flatMap(({ from, to, text }) => shared(from, to, fitting(text.trim())))
    : shared(segment.from, segment.to, parts.flatMap(fitting))
}

type Piece = Pick<Token, 'text' | 'isSpaced' | 'columns'>

/** Cuts a word that is longer than a line: between words in scripts without spaces, else evenly. */
function fitting(text: string): Piece[] {
  const isLong = columnsOf(text) > LINE_COLUMNS
  const pieces = isLong
    ? Array.from(wordSegmenter.segment(text), ({ segment }) => segment).flatMap(word =>
        cutEvenly(word, LINE_COLUMNS),
      )
    : [text]
  return pieces.map((piece, index) => ({ text: piece, isSpaced: index === 0, columns: columnsOf(piece) }))
}

function shared(from: number, to: number, pieces: Piece[]): Token[] {
  const shares = sharesOf(
    { from, to },
    pieces.map(({ text }) => text),
  )
  return pieces.map((piece, at) => ({ ...piece, from, to, ...shares[at] }))
}
