import type { OwnWords, TranscriptionDocument } from '@voxscribe/contracts/http'
import { joinedText } from '@voxscribe/contracts/paragraphs'
import {
  joined,
  LONG_SILENCE_SECONDS,
  lengthOfAll,
  OVERLAP_SECONDS,
  type Span,
  type Speech,
  spansOf,
  withoutLoops,
  withoutOverlaps,
  withoutTail,
} from '@voxscribe/speech'
import type { NoteRecord } from '../note/record.ts'
import { withReplacements } from '../note/replacements.ts'

type Partial = NonNullable<TranscriptionDocument['partial']>

/** Tolerance in seconds between the borders of speech and of parts. */
const SLACK = 0.5
/** Tolerance in seconds between a part's end and the middle of the pause in which it was cut. */
const SAME_SECONDS = 0.02

/** Estimates the seconds left, at the pace so far; null before the first part. */
function secondsLeftOf({ timeline, durationSeconds, work }: NoteRecord, heard: number): number | null {
  const began = timeline.findLast(({ step }) => step === 'listening')?.at
  if (!began || !work || !durationSeconds || !heard) return null
  const took = (work.since.getTime() - began.getTime()) / 1000
  const sinceThen = (Date.now() - work.since.getTime()) / 1000
  return Math.max(1, Math.round((took / heard) * (durationSeconds - heard) - sinceThen))
}

/**
 * Returns the text of a note in progress, from its beginning to the first gap between finished parts, and its end in
 * seconds. The text is final, so that more text only follows it.
 */
export function partialOf(note: NoteRecord, replacements: OwnWords['replacements'] = []): Partial | null {
  const { status, parts, spoken, spokenSoFar } = note
  const newest = parts?.at(-1)
  if (status !== 'processing' || !newest) return null
  const spans = spansOf(spoken ?? spokenSoFar ?? [])
  /** Whether there is speech between two seconds. */
  const isSpoken = (after: number, before: number) =>
    before > after && spans.some(({ from, to }) => from < before - SLACK && to > after + SLACK)
  const ofAttempt = parts
    .filter(({ engine, asked }) => engine === newest.engine && asked === newest.asked)
    .sort((a, b) => a.from - b.from)
  const gap = ofAttempt.findIndex(({ from }, at) => isSpoken(ofAttempt[at - 1]?.to ?? 0, from))
  const finished = withoutOverlaps(gap < 0 ? ofAttempt : ofAttempt.slice(0, gap))
  const last = finished.at(-1)
  if (!last) return null
  if (!endsInPause(spans, last.to)) {
    const segments = withoutTail(last.segments, last.to - OVERLAP_SECONDS)
    finished.splice(-1, 1, { ...last, segments })
  }
  const { parts: cleaned } = withoutLoops(finished, { hasMoreParts: true })
  const { text } = replacedSoFar(joined(cleaned, null), replacements)
  const secondsLeft = secondsLeftOf(note, lengthOfAll(ofAttempt))
  return text ? { text, seconds: last.to, secondsLeft } : null
}

/** Whether a part that ends at this second ends in a pause. If not, the next part repeats its end. */
function endsInPause(spans: Span[], second: number): boolean {
  const next = spans.findIndex(({ to }) => to > second)
  const [before, after] = [spans[next - 1], spans[next]]
  if (!after || after.from - second >= LONG_SILENCE_SECONDS) return true
  return before !== undefined && Math.abs((before.to + after.from) / 2 - second) < SAME_SECONDS
}

/** Applies a person's replacements. The last segment is held back, as a replacement may begin in it. */
function replacedSoFar(speech: Speech, replacements: OwnWords['replacements']): Speech {
  if (!replacements.length) return speech
  const segments = speech.segments.slice(0, -1)
  const text = joinedText(segments, speech.spokenLanguage)
  return withReplacements({ ...speech, segments, text }, replacements)
}
