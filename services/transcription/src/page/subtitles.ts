import type { Segment } from '../hearing/speech.ts'

// The usual rules of subtitles (Netflix's and the BBC's guides agree on them): what a person can read in the time.
const LINE_LENGTH = 42
const LINES = 2
const SHORTEST = 1
const LONGEST = 7

export interface Cue {
  /** Seconds from the beginning. */
  from: number
  to: number
  lines: string[]
}

interface Token {
  from: number
  to: number
  text: string
  /** Whether a space stands before it. */
  isSpaced: boolean
}

/**
 * Cuts segments into cues of at most two lines of 42 characters that stand for 1 to 7 seconds and never overlap. Where
 * words have no times of their own, they share their segment's by length.
 */
export function cuesOf(segments: readonly Segment[]): Cue[] {
  const cues = segments.flatMap(segment => cut(tokensOf(segment)))
  return cues.map(readable(cues))
}

/** A cue that is too short stays until it can be read, and the next one begins later for it. */
function readable(cues: readonly Cue[]) {
  let end = 0
  return (cue: Cue, index: number): Cue => {
    const from = Math.max(cue.from, end)
    const next = cues[index + 1]?.from ?? Number.POSITIVE_INFINITY
    const wanted = Math.min(Math.max(cue.to, from + SHORTEST), from + LONGEST)
    end = Math.max(from + SHORTEST, Math.min(wanted, next))
    return { ...cue, from, to: end }
  }
}

function cut(tokens: Token[]): Cue[] {
  const cues: Cue[] = []
  let open: { from: number; to: number; lines: string[] } | undefined
  for (const token of tokens) {
    const lines: string[] | undefined = open && withWord(open.lines, token)
    if (open && lines && token.to - open.from <= LONGEST) {
      open.lines = lines
      open.to = token.to
    } else {
      open = { from: token.from, to: token.to, lines: [token.text] }
      cues.push(open)
    }
  }
  return cues
}

/** Returns the lines with one more word, or undefined when it does not fit. */
function withWord(lines: readonly string[], { text, isSpaced }: Token): string[] | undefined {
  const last = lines.at(-1) ?? ''
  const longer = `${last}${isSpaced ? ' ' : ''}${text}`
  if (lengthOf(longer) <= LINE_LENGTH) return [...lines.slice(0, -1), longer]
  return lines.length < LINES ? [...lines, text] : undefined
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const charactersOf = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment)
const lengthOf = (text: string) => charactersOf(text).length

function tokensOf(segment: Segment): Token[] {
  const parts = segment.text.split(/\s+/).filter(Boolean)
  const heard = segment.words ?? []
  // A corrected text has other words than those that were heard.
  if (heard.length === parts.length && parts.every((part, index) => part === heard[index]?.text.trim()))
    return heard.flatMap(({ from, to, text }) => shared(from, to, fitting(text.trim())))
  return shared(segment.from, segment.to, parts.flatMap(fitting))
}

type Piece = Pick<Token, 'text' | 'isSpaced'>

/** Cuts a word that is longer than a line: between words where no spaces are written, else anywhere. */
function fitting(text: string): Piece[] {
  const isLong = lengthOf(text) > LINE_LENGTH
  const pieces = isLong ? Array.from(words.segment(text), ({ segment }) => segment).flatMap(inLines) : [text]
  return pieces.map((piece, index) => ({ text: piece, isSpaced: index === 0 }))
}

function inLines(text: string): string[] {
  const characters = charactersOf(text)
  return Array.from({ length: Math.ceil(characters.length / LINE_LENGTH) }, (_, line) =>
    characters.slice(line * LINE_LENGTH, (line + 1) * LINE_LENGTH).join(''),
  )
}

function shared(from: number, to: number, pieces: Piece[]): Token[] {
  const total = pieces.reduce((sum, { text }) => sum + text.length, 0)
  let before = 0
  const at = () => from + ((to - from) * before) / Math.max(1, total)
  return pieces.map(piece => {
    const begin = at()
    before += piece.text.length
    return { ...piece, from: begin, to: at() }
  })
}
