import { joinedText } from '@voxscribe/contracts/paragraphs'
import { endsSentence, joinerOf, sentencesOf, wordsIn } from '@voxscribe/contracts/text'
import type { Span } from '../audio/levels.ts'
import { lengthOfAll } from '../audio/pieces.ts'
import { hundredth, meanConfidence, type Word } from '../engines/engine.ts'
import type { Segment, Speaker } from './speech.ts'

/** A stretch of a note in which one person speaks. Turns are in order and don't overlap. */
export interface SpeakerTurn extends Span {
  speaker: string
}

/** Separates a segment's id from the number of a part that it was cut into. */
const PART = '-'
/** A shorter line isn't cut by estimated times. */
const CUT_FROM_SECONDS = 2

/** A word or sentence: the end of its text in the segment's, and its time. */
interface Unit extends Span {
  end: number
  word?: Word
}

/** Returns the speaker of most of a span, or the nearest speaker if nobody speaks in it. */
export function speakerIn(turns: readonly SpeakerTurn[], span: Span): string | undefined {
  const shares = new Map<string, number>()
  let nearest: { speaker: string; away: number } | undefined
  for (const { from, to, speaker } of turns) {
    const common = Math.min(to, span.to) - Math.max(from, span.from)
    if (common > 0) shares.set(speaker, (shares.get(speaker) ?? 0) + common)
    if (!nearest || -common < nearest.away) nearest = { speaker, away: -common }
  }
  const [most] = [...shares].sort(([, one], [, other]) => other - one)
  return most?.[0] ?? nearest?.speaker
}

/** Engines expect one speaker, so at a change the times of words are off by up to this. */
const TOLERANCE_SECONDS = 0.6

/** Moves changes of speaker to the end of a sentence, if one is near enough. */
export function atSentences(turns: readonly SpeakerTurn[], segments: readonly Segment[]): SpeakerTurn[] {
  const ends = segments
    .flatMap(({ text, to, words = [{ text, to }] }) => words)
    .flatMap(({ text, to }) => (endsSentence(text.trim()) ? to : []))
  const moved = turns.map(turn => ({ ...turn }))
  for (const [at, turn] of moved.entries()) {
    const before = moved[at - 1]
    if (!before || before.speaker === turn.speaker || turn.from - before.to > TOLERANCE_SECONDS) continue
    const change = (before.to + turn.from) / 2
    const away = (end: number) => Math.abs(end - change)
    const near = ends.filter(end => away(end) <= TOLERANCE_SECONDS && end > before.from && end < turn.to)
    if (!near.length) continue
    before.to = near.reduce((one, other) => (away(other) < away(one) ? other : one))
    turn.from = before.to
  }
  return moved
}

/** Cuts segments where the speaker changes, between timed words or else sentences. The first piece keeps the id. */
export function inTurns(
  segments: readonly Segment[],
  found: readonly SpeakerTurn[],
  language: string | null,
): Segment[] {
  const turns = atSentences(found, segments)
  return segments.flatMap(segment => {
    const within = turns.filter(({ from, to }) => to > segment.from && from < segment.to)
    const only = within.length < 2 ? (within[0]?.speaker ?? speakerIn(turns, segment)) : undefined
    if (only !== undefined || !within.length) return [spoken(segment, only)]
    return cut(segment, within, language)
  })
}

const spoken = (segment: Segment, speaker: string | undefined): Segment =>
  speaker === undefined ? segment : { ...segment, speaker }

function cut(segment: Segment, turns: SpeakerTurn[], language: string | null): Segment[] {
  const units = timedWords(segment) ?? estimated(segment, turns, language)
  const runs: { speaker: string | undefined; units: Unit[] }[] = []
  for (const unit of units) {
    const speaker = speakerIn(turns, unit)
    const last = runs.at(-1)
    if (last?.speaker === speaker) last?.units.push(unit)
    else runs.push({ speaker, units: [unit] })
  }
  if (runs.length < 2) return [spoken(segment, runs[0]?.speaker ?? speakerIn(turns, segment))]
  let begin = 0
  let free = segment.from
  return runs.map(({ speaker, units: said }, index) => {
    const isLast = index === runs.length - 1
    const words = said.flatMap(({ word }) => word ?? [])
    const end = isLast ? segment.text.length : (said.at(-1)?.end ?? begin)
    const text = segment.text.slice(begin, end).trim()
    const from = index ? Math.max(free, said[0]?.from ?? free) : segment.from
    const to = isLast
      ? Math.max(from, segment.to)
      : Math.max(from, Math.min(said.at(-1)?.to ?? from, segment.to))
    begin = end
    free = to
    const { words: _words, ...rest } = segment
    const confidence = words.length ? meanConfidence(words) : segment.confidence
    const id = index ? `${segment.id}${PART}${index + 1}` : segment.id
    const times = { from: hundredth(from), to: hundredth(to) }
    return spoken({ ...rest, id, ...times, text, confidence, ...(words.length && { words }) }, speaker)
  })
}

/** Returns a segment's words with their own times; undefined if it has none, or they differ from its text. */
function timedWords({ text, words = [] }: Segment): Unit[] | undefined {
  const units: Unit[] = []
  let end = 0
  for (const word of words) {
    const written = word.text.trim()
    const at = text.indexOf(written, end)
    // Only punctuation may be between two words.
    if (at < 0 || /[\p{L}\p{N}]/u.test(text.slice(end, at))) return undefined
    end = at + written.length
    units.push({ from: word.from, to: word.to, end, word })
  }
  return units.length && !/[\p{L}\p{N}]/u.test(text.slice(end)) ? units : undefined
}

/** Returns sentences, or the words of a single one, with estimated times within the time that is spoken. */
function estimated({ text, from, to }: Segment, turns: SpeakerTurn[], language: string | null): Unit[] {
  const spans = turns.map(turn => ({ from: Math.max(turn.from, from), to: Math.min(turn.to, to) }))
  const ends = sentenceEnds(text)
  const isShort = to - from < CUT_FROM_SECONDS
  const cuts = ends.length > 1 || isShort ? ends : wordEnds(text, language)
  const spokenSeconds = lengthOfAll(spans)
  /** Returns the second at which this much of the text has been said. */
  const timeAt = (end: number) => {
    let left = (spokenSeconds * end) / Math.max(1, text.length)
    for (const span of spans) {
      if (left <= span.to - span.from) return span.from + left
      left -= span.to - span.from
    }
    return to
  }
  return cuts.map((end, index) => ({ from: timeAt(cuts[index - 1] ?? 0), to: timeAt(end), end }))
}

function sentenceEnds(text: string): number[] {
  let end = 0
  return sentencesOf(text).map(sentence => {
    // Spaces within a sentence may differ, but not its last letters.
    const last = sentence.slice(-1)
    const at = text.indexOf(sentence, end)
    end = at < 0 ? Math.max(end, text.indexOf(last, end + sentence.length - 1) + 1) : at + sentence.length
    return end
  })
}

/** Returns the ends of words; in a language with spaces, only those before a space. */
const wordEnds = (text: string, language: string | null): number[] =>
  joinerOf(language)
    ? [...text.matchAll(/\S+/g)].map(({ index, 0: word }) => index + word.length)
    : wordsIn(text).map(({ segment, index }) => index + segment.length)

/** Joins the pieces that segments were cut into, so that they can be cut elsewhere. */
export function rejoined(segments: readonly Segment[], language: string | null): Segment[] {
  const whole: Segment[] = []
  for (const { speaker: _speaker, ...segment } of segments) {
    const last = whole.at(-1)
    const id = wholeOf(segment.id)
    if (last?.id !== id) whole.push(segment)
    else {
      const { words, ...rest } = last
      const both = [...(words ?? []), ...(segment.words ?? [])]
      const text = joinedText([last, segment], language)
      const isTimed = words?.length && segment.words?.length
      const confidence = meanConfidence([last, segment])
      whole[whole.length - 1] = { ...rest, to: segment.to, text, confidence, ...(isTimed && { words: both }) }
    }
  }
  return whole
}

const wholeOf = (id: string) => id.split(PART, 1)[0] ?? id

/** Returns the speakers of turns, unnamed; [] for a text without segments. */
export const speakersOf = (turns: readonly SpeakerTurn[], segments: readonly Segment[]): Speaker[] =>
  segments.length
    ? [...new Set(turns.map(({ speaker }) => speaker))].sort().map(id => ({ id, name: null }))
    : []

interface SpeakerLines {
  segments: readonly Segment[]
  speakers?: readonly Speaker[] | undefined
}

/** Returns speakers with earlier names: each goes to the speaker with most of its former speaker's seconds. */
export function keepingNames({ segments, speakers = [] }: SpeakerLines, before: SpeakerLines): Speaker[] {
  const known = new Map(before.speakers?.map(({ id, name }) => [id, name]))
  if (![...known.values()].some(name => name !== null)) return [...speakers]
  const lines = Map.groupBy(before.segments, ({ id }) => wholeOf(id))
  const shares = new Map<string, { was: string; is: string; seconds: number }>()
  for (const { id, from, to, speaker: is = '' } of segments)
    for (const { speaker: was = '', ...line } of lines.get(wholeOf(id)) ?? []) {
      const seconds = Math.max(0, Math.min(to, line.to) - Math.max(from, line.from))
      const key = `${was} ${is}`
      shares.set(key, { was, is, seconds: seconds + (shares.get(key)?.seconds ?? 0) })
    }
  const names = new Map<string, string | null>()
  for (const { was, is, seconds } of [...shares.values()].sort((one, other) => other.seconds - one.seconds)) {
    if (!seconds || names.has(is) || !known.has(was)) continue
    names.set(is, known.get(was) ?? null)
    known.delete(was)
  }
  return speakers.map(({ id, name }) => ({ id, name: names.get(id) ?? name }))
}
