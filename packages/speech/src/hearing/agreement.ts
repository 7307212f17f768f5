import diffSequences from '@jest/diff-sequences'
import { sharesOf } from '@voxscribe/contracts/text'
import type { Span } from '../audio/levels.ts'
import { hundredth, meanConfidence, type RawSegment } from '../engines/engine.ts'
import { TOKEN } from './loops.ts'
import type { Speech } from './speech.ts'

/** Share of a note's words that must match before it gets the times of the second hearing. */
const ENOUGH = 0.6
/** At most one word in this many is marked as doubtful. */
const WORDS_PER_MARK = 10

/** The package's types describe a different module format from the one that Node loads. */
export const commonRuns = diffSequences as unknown as typeof diffSequences.default

type TimedSpeech = Pick<Speech, 'segments' | 'timesExact' | 'confidence'>

/** A word as written, between two spaces; in scripts without spaces, a stretch of letters. */
interface Written {
  text: string
  segment: number
  /** Its words or letters in lower case. */
  tokens: string[]
  /** Times of the tokens that the second hearing has, too. */
  matched: Span[]
}

/** Adds the times of a second hearing to a text, with the share of matching words as confidence. The text stays. */
export function agreeing(first: TimedSpeech, again: RawSegment[]): TimedSpeech {
  const second = again.flatMap(({ words, ...whole }) => (words ?? [whole]).flatMap(timedTokens))
  const written = writtenIn(first, second)
  const whole = { from: first.segments[0]?.from ?? 0, to: first.segments.at(-1)?.to ?? 0 }
  if (!second.length || !written.length) return first
  const isEnough = (shareOf(written) ?? 0) >= ENOUGH
  const places = isEnough ? placesOf(written, whole) : []
  const doubted = doubtedIn(written)
  const bySegment = Map.groupBy(written.keys(), at => written[at]?.segment)
  const segments = first.segments.map((segment, index) => {
    const own = bySegment.get(index) ?? []
    const confidence = shareOf(own.flatMap(at => written[at] ?? []))
    if (!isEnough || !own.length) return { ...segment, confidence }
    const words = own.map(at => {
      const { from, to } = first.timesExact ? within(places[at] ?? segment, segment) : (places[at] ?? segment)
      return { text: written[at]?.text ?? '', from, to, confidence: doubted.has(at) ? 0 : null }
    })
    const times = first.timesExact ? {} : { from: words[0]?.from ?? 0, to: words.at(-1)?.to ?? 0 }
    return { ...segment, ...times, confidence, words }
  })
  return { segments, timesExact: first.timesExact || isEnough, confidence: meanConfidence(segments) }
}

const tokensIn = (text: string): string[] => text.toLowerCase().match(TOKEN) ?? []

function timedTokens({ text, ...span }: Span & { text: string }) {
  const tokens = tokensIn(text)
  return spread(tokens, span).map((times, index) => ({ ...times, letters: tokens[index] }))
}

function writtenIn({ segments }: TimedSpeech, second: (Span & { letters: string | undefined })[]): Written[] {
  const written = segments.flatMap(({ text }, segment) =>
    (text.match(/\S+/g) ?? []).map(word => ({ text: word, segment, tokens: tokensIn(word), matched: [] })),
  ) as Written[]
  const all = written.flatMap(word => word.tokens.map(letters => ({ letters, word })))
  // The tokens become numbers, because two long texts are compared millions of times.
  const ids = new Map([...all, ...second].map(({ letters }, id) => [letters, id]))
  const [ours, theirs] = [all, second].map(tokens => tokens.map(({ letters }) => ids.get(letters)))
  const isCommon = (one: number, other: number) => ours?.[one] === theirs?.[other]
  commonRuns(all.length, second.length, isCommon, (count, one, other) => {
    for (let at = 0; at < count; at++)
      all[one + at]?.word.matched.push(...second.slice(other + at, other + at + 1))
  })
  return written
}

/** Returns the share of words that match; null if there are no words. */
function shareOf(written: Written[]): number | null {
  const count = written.reduce((sum, { tokens }) => sum + tokens.length, 0)
  return count ? written.reduce((sum, { matched }) => sum + matched.length, 0) / count : null
}

/** Returns the time of each word: its match's, else a share of the time between the nearest words that match. */
function placesOf(written: Written[], whole: Span): Span[] {
  const places: Span[] = []
  while (places.length < written.length) {
    const at = places.length
    let next = at
    while (next < written.length && !written[next]?.matched.length) next++
    const from = places.at(-1)?.to ?? whole.from
    const [first, last] = [written[next]?.matched[0], written[next]?.matched.at(-1)]
    const between = { from, to: Math.max(from, first?.from ?? whole.to) }
    const texts = written.slice(at, next).map(({ text }) => text)
    places.push(...spread(texts, between))
    if (first && last) places.push({ from: Math.max(from, first.from), to: Math.max(from, last.to) })
  }
  return places
}

/** Divides a span among texts, to hundredths of a second. */
const spread = (texts: string[], span: Span): Span[] =>
  sharesOf(span, texts).map(({ from, to }) => ({ from: hundredth(from), to: hundredth(to) }))

const within = (place: Span, { from, to }: Span): Span => ({
  from: Math.min(to, Math.max(from, place.from)),
  to: Math.min(to, Math.max(from, place.to)),
})

/** Indexes of words to mark: the shortest differing runs, as long ones are more often the second hearing's fault. */
function doubtedIn(written: Written[]): Set<number> {
  const runs: number[][] = []
  for (const [at, { tokens, matched }] of written.entries()) {
    if (!tokens.length || matched.length * 2 > tokens.length) continue
    if (runs.at(-1)?.at(-1) === at - 1) runs.at(-1)?.push(at)
    else runs.push([at])
  }
  let left = Math.floor(written.length / WORDS_PER_MARK)
  return new Set(
    runs
      .sort((one, other) => one.length - other.length)
      .filter(({ length }) => {
        left -= length
        return left >= 0
      })
      .flat(),
  )
}
