import { spokenBy } from '@voxscribe/contracts/paragraphs'
import { letterSegmenter, sharesOf, wordSegmenter } from '@voxscribe/contracts/text'
import type { Segment } from '../hearing/speech.ts'
import { type NoteRecord, segmentsOf } from '../note/record.ts'
import type { Written } from './manner.ts'
import { timecode } from './timecode.ts'

type NameOf = Written['nameOf']

// The usual rules of subtitles (Netflix's and the BBC's guides agree on them): what a person can read in the time.
const LINE_LENGTH = 42
const LINES = 2
const SHORTEST = 1
const LONGEST = 7
/** A cue is shown for so long even where more is said than can be read: its neighbours are moved. */
const SHORTEST_AT_ALL = 0.3

export interface Cue {
  /** Seconds from the beginning. */
  from: number
  to: number
  lines: string[]
  speaker?: string | undefined
}

interface Token {
  from: number
  to: number
  text: string
  /** Whether a space stands before it. */
  isSpaced: boolean
  speaker?: string | undefined
}

/** Returns subtitles in SRT: a speaker's name stands before the first words. */
export const srtOf = (note: NoteRecord, nameOf: NameOf): string =>
  cueTexts(note, nameOf, ',', (text, name, isNew) => (isNew ? spokenBy(name, text) : text)).join('\n')

/** Returns subtitles in WebVTT; `remark` stands above them, as a note. */
export function vttOf(note: NoteRecord, nameOf: NameOf, remark: string): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const said = (text: string, name: string) =>
    name ? `<v ${escaped(name).replaceAll('>', '&gt;')}>${escaped(text)}` : escaped(text)
  const all = cueTexts(note, nameOf, '.', said)
  return ['WEBVTT\n', ...(remark && [`NOTE ${remark}\n`]), ...all].join('\n')
}

/** Returns each cue as it stands in a file; in SRT with its number. */
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

/** Cuts segments into cues of two lines of 42 characters that last 0.3 to 7 seconds and never overlap. */
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

/** Moves begins apart, in whole milliseconds: later ones first, and all of them earlier where the note would end. */
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
  const cues: Cue[] = []
  let open: Cue | undefined
  // Segments may overlap; cues do not.
  let from = 0
  for (const tokens of segments) {
    if (open && !isTooShort(open, tokens)) open = undefined
    for (const token of tokens) {
      from = Math.max(from, token.from)
      const lines: string[] | undefined = open && withWord(open.lines, token)
      if (open && lines && token.to - open.from <= LONGEST) {
        open.lines = lines
        open.to = Math.max(open.to, token.to)
      } else {
        open = { from, to: Math.max(from, token.to), lines: [token.text], speaker: token.speaker }
        cues.push(open)
      }
    }
  }
  return cues
}

/** Whether a cue cannot last a second before the next segment, which fits into it. */
function isTooShort(cue: Cue, next: Token[]): boolean {
  const [first, last] = [next[0], next.at(-1)]
  if (first?.speaker !== cue.speaker) return false
  if (!first || !last || first.from - cue.from >= SHORTEST || last.to - cue.from > LONGEST) return false
  return (
    next.reduce<string[] | undefined>((lines, token) => lines && withWord(lines, token), cue.lines) !==
    undefined
  )
}

/** Returns the lines with one more word, or undefined when it does not fit. */
function withWord(lines: readonly string[], { text, isSpaced }: Token): string[] | undefined {
  const last = lines.at(-1) ?? ''
  const longer = `${last}${isSpaced ? ' ' : ''}${text}`
  if (lengthOf(longer) <= LINE_LENGTH) return [...lines.slice(0, -1), longer]
  return lines.length < LINES ? [...lines, text] : undefined
}

const charactersOf = (text: string) => Array.from(letterSegmenter.segment(text), ({ segment }) => segment)
const lengthOf = (text: string) => charactersOf(text).length

const tokensOf = (segment: Segment): Token[] =>
  wordsIn(segment).map(token => ({ ...token, speaker: segment.speaker }))

function wordsIn(segment: Segment): Token[] {
  const parts = segment.text.split(/\s+/).filter(Boolean)
  const heard = segment.words ?? []
  // A corrected text has other words than those that were heard.
  const isUnedited =
    heard.length === parts.length && parts.every((part, index) => part === heard[index]?.text.trim())
  return isUnedited
    ? heard.flatMap(({ from, to, text }) => shared(from, to, fitting(text.trim())))
    : shared(segment.from, segment.to, parts.flatMap(fitting))
}

type Piece = Pick<Token, 'text' | 'isSpaced'>

/** Cuts a word that is longer than a line: between words where no spaces are written, else evenly. */
function fitting(text: string): Piece[] {
  const isLong = lengthOf(text) > LINE_LENGTH
  const pieces = isLong
    ? Array.from(wordSegmenter.segment(text), ({ segment }) => segment).flatMap(inLines)
    : [text]
  return pieces.map((piece, index) => ({ text: piece, isSpaced: index === 0 }))
}

function inLines(text: string): string[] {
  const characters = charactersOf(text)
  const lines = Math.ceil(characters.length / LINE_LENGTH)
  const length = Math.ceil(characters.length / lines)
  return Array.from({ length: lines }, (_, line) =>
    characters.slice(line * length, (line + 1) * length).join(''),
  )
}

function shared(from: number, to: number, pieces: Piece[]): Token[] {
  const shares = sharesOf(
    { from, to },
    pieces.map(({ text }) => text),
  )
  return pieces.map((piece, at) => ({ ...piece, from, to, ...shares[at] }))
}
