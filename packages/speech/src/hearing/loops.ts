import { UNSPACED } from '@voxscribe/contracts/text'
import type { PartSpeech, RawSegment, Word } from '../engines/engine.ts'

/** Below this confidence a note is marked as doubtful, and four repetitions are a loop, however short. */
export const UNSURE = 0.5
/** Fewer repetitions are never a loop. */
const TIMES_MIN = 4
/** Repetitions that make a loop at any confidence, by words in the run: people repeat words, not paragraphs. */
const TIMES: [words: number, times: number][] = [
  [8, 4],
  [3, 5],
  [1, 12],
]
/** Repetitions that make a loop of numbers: no phone number has as many equal digits. */
const TIMES_OF_NUMBERS = 20
/** Repetitions of a number that stay; up to this many are never held back for later parts. */
const NUMBERS_KEPT = 4
/** Fastest speech, in words (or letters in scripts without spaces) per second: faster repetitions were never said. */
const FASTEST = 7
const FASTEST_UNSPACED = 14
/** Longest run that counts as a loop, in words or letters. */
const RUN_MAX = 120

/** A word; in scripts without spaces, a letter with its marks. */
export const TOKEN = new RegExp(`${UNSPACED}\\p{M}*|(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])+`, 'gv')
const LETTER = new RegExp(`^${UNSPACED}`, 'v')
const DIGITS = /^\p{N}+$/u

/** Words that a model repeated; one occurrence stays. */
export interface Loop {
  text: string
  times: number
}

interface Token {
  segment: RawSegment
  /** Offset in its segment's text. */
  index: number
  letters: string
  /** Equal for equal letters, because there may be 150,000 words to compare. */
  id: number
}

/**
 * Reduces a model's loops to one repetition, or a few of numbers, within and across segments. `hasMoreParts`: more parts
 * follow, so repetitions at the end are held back, as they may become a loop.
 */
export function withoutLoops<P extends PartSpeech>(
  parts: P[],
  { hasMoreParts = false } = {},
): { parts: P[]; loops: Loop[] } {
  const ids = new Map<string, number>()
  const tokens = parts.flatMap(({ segments }) => segments.flatMap(segment => tokensOf(segment, ids)))
  const loops: Loop[] = []
  const once = onceEach(tokens, loops)
  const kept = new Set(hasMoreParts ? once.slice(0, once.length - repeatedAtEnd(once)) : once)
  if (kept.size === tokens.length) return { parts, loops }
  const left = Map.groupBy(tokens, ({ segment }) => segment)
  const cut = parts.map(part => ({
    ...part,
    segments: part.segments.flatMap(segment => {
      const its = left.get(segment) ?? []
      const stay = its.filter(token => kept.has(token))
      if (stay.length === its.length) return [segment]
      return stay.length ? [withOnly(segment, its, stay)] : []
    }),
  }))
  return { parts: cut, loops }
}

const tokensOf = (segment: RawSegment, ids: Map<string, number>): Token[] =>
  [...segment.text.matchAll(TOKEN)].map(({ 0: written, index }) => {
    const letters = written.toLowerCase()
    const id = ids.get(letters) ?? ids.size
    ids.set(letters, id)
    return { segment, index, letters, id }
  })

/** Opening punctuation right before a word. */
const OPENING = /[\p{Ps}\p{Pi}"¿¡]{1,3}$/u

/** Returns a segment with only these tokens, each with its punctuation. */
function withOnly(segment: RawSegment, all: Token[], stay: Token[]): RawSegment {
  const { text, words } = segment
  const begins = all.map(({ index }, at) => {
    const between = text.slice(all[at - 1]?.index ?? 0, index)
    return index - (OPENING.exec(between)?.[0].length ?? 0)
  })
  const written = new Map(all.map((token, at) => [token, text.slice(begins[at], begins[at + 1])]))
  const before = text.slice(0, begins[0])
  const cut = stay.map(token => written.get(token))
  const places = stay.map(({ index }) => index)
  return {
    ...segment,
    text: (before + cut.join('')).trim(),
    ...(words && { words: wordsAt(places, text, words) }),
  }
}

/** Returns the words at these offsets of the text; the engine's words must be separated by spaces. */
function wordsAt(places: number[], text: string, words: Word[]): Word[] {
  const written = [...text.matchAll(/\S+/gu)]
  if (written.length !== words.length) return words
  return words.filter((_, which) => {
    const [word, from] = [written[which]?.[0] ?? '', written[which]?.index ?? 0]
    return places.some(place => place >= from && place < from + word.length)
  })
}

/** Returns the tokens that stay, and adds the removed loops to `loops`; shorter runs are removed first. */
function onceEach(tokens: Token[], loops: Loop[]): Token[] {
  let kept = tokens
  let ids = Int32Array.from(kept, ({ id }) => id)
  for (let run = 1; run <= Math.min(RUN_MAX, kept.length / TIMES_MIN); run++) {
    const dropped = new Set<Token>()
    for (const { from, times } of repeatsIn(ids, run)) {
      const repeated = kept.slice(from, from + times * run)
      if (!isLoop(repeated, run, times)) continue
      loops.push({ text: textOf(repeated.slice(0, run)), times })
      for (const token of repeated.slice(run * timesKept(repeated.slice(0, run)))) dropped.add(token)
    }
    if (!dropped.size) continue
    kept = kept.filter(token => !dropped.has(token))
    ids = Int32Array.from(kept, ({ id }) => id)
  }
  return kept
}

/** Returns where a run of this length occurs `TIMES_MIN` times or more in a row. */
function repeatsIn(ids: Int32Array, run: number): { from: number; times: number }[] {
  const found: { from: number; times: number }[] = []
  let same = 0
  for (let at = 0; at + run <= ids.length; at++) {
    if (ids[at] === ids[at + run]) {
      same += 1
      continue
    }
    const times = Math.floor(same / run) + 1
    if (times >= TIMES_MIN) found.push({ from: at - same, times })
    same = 0
  }
  return found
}

/** Returns how many tokens at the end repeat the tokens before them. */
function repeatedAtEnd(tokens: Token[]): number {
  const ids = Int32Array.from(tokens, ({ id }) => id)
  let most = 0
  for (let run = 1; run <= Math.min(RUN_MAX, tokens.length / 2); run++) {
    let same = 0
    while (same < ids.length - run && ids[ids.length - 1 - same] === ids[ids.length - 1 - same - run])
      same += 1
    const waiting = same - run * (timesKept(tokens.slice(-run)) - 1)
    if (same >= run) most = Math.max(most, waiting)
  }
  return most
}

const timesKept = (run: Token[]) => (isNumber(run) ? NUMBERS_KEPT : 1)
const isNumber = (run: Token[]) => run.every(({ letters }) => DIGITS.test(letters))

function isLoop(tokens: Token[], run: number, times: number): boolean {
  const words = tokens.slice(0, run)
  if (isNumber(words)) return times >= TIMES_OF_NUMBERS
  const segments = new Set(tokens.map(({ segment }) => segment))
  if ([...segments].every(({ confidence }) => confidence !== null && confidence < UNSURE)) return true
  const isUnspaced = words.every(({ letters }) => LETTER.test(letters))
  const [, least = Infinity] =
    TIMES.find(([most]) => (isUnspaced ? run / 2 : run) >= most) ?? TIMES.at(-1) ?? []
  if (times >= least) return true
  const first = tokens[0]?.segment.from ?? 0
  const seconds = (tokens.at(-1)?.segment.to ?? 0) - first
  return tokens.length / Math.max(seconds, 0.1) > (isUnspaced ? FASTEST_UNSPACED : FASTEST)
}

/** Returns a run as it was written, with its punctuation. */
function textOf(run: Token[]): string {
  const [first, last] = [run[0], run.at(-1)]
  if (!first || !last) return ''
  const end = (segment: RawSegment) =>
    segment === last.segment ? last.index + last.letters.length : undefined
  const begin = (segment: RawSegment) => (segment === first.segment ? first.index : 0)
  const segments = [...new Set(run.map(({ segment }) => segment))]
  return segments.map(each => each.text.slice(begin(each), end(each)).trim()).join(' ')
}
