import { joinedText, PAUSE } from '@voxscribe/contracts/paragraphs'
import { countWords, endsSentence } from '@voxscribe/contracts/text'
import { meanConfidence, type RawSegment } from '../engines/engine.ts'

/** A shorter passage is a stray word. */
const WORDS_MIN = 3
/** Longest passage of a sentence recognized in several pieces: two of Moonshine's. */
const LONGEST_SECONDS = 16
/** Models begin each piece with a capital letter; only the rest of a sentence begins without one. */
const STARTS_LOWERCASE = /^\s*\p{Ll}/u

/** Joins segments with estimated times into passages: first the rest of sentences, then stray words. */
export function inPassages(segments: RawSegment[], language: string): RawSegment[] {
  return joinedWhere(isNearStray, joinedWhere(continuesSentence, segments, language), language)
}

function joinedWhere(
  belong: typeof continuesSentence,
  segments: RawSegment[],
  language: string,
): RawSegment[] {
  const passages: RawSegment[] = []
  for (const segment of segments) {
    const last = passages.at(-1)
    const from = Math.max(segment.from, last?.to ?? 0)
    const next = { ...segment, from, to: Math.max(segment.to, from) }
    const belongsToLast = last && from - last.to < PAUSE && belong(last, next)
    if (belongsToLast) passages[passages.length - 1] = both(last, next, language)
    else passages.push(next)
  }
  return passages
}

const continuesSentence = (last: RawSegment, next: RawSegment): boolean =>
  STARTS_LOWERCASE.test(next.text) &&
  !endsSentence(last.text.trim()) &&
  next.to - last.from <= LONGEST_SECONDS

/** Allows twice the length, so that a stray word joins even the longest sentence. */
const isNearStray = (last: RawSegment, next: RawSegment): boolean =>
  [last, next].some(({ text }) => countWords(text) < WORDS_MIN) && next.to - last.from <= 2 * LONGEST_SECONDS

function both(last: RawSegment, next: RawSegment, language: string): RawSegment {
  const text = joinedText([last, next], language)
  return { from: last.from, to: next.to, text, confidence: meanConfidence([last, next]) }
}
