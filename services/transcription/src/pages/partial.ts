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

/** Seconds by which borders of speech and of parts may differ. */
const SLACK = 0.5
/** Seconds by which a part's end may differ from the middle of the pause in which it was cut. */
const SAME_SECONDS = 0.02

/** Seconds that the rest takes if it takes as long as what was heard; null before anything was. */
function secondsLeftOf({ timeline, durationSeconds, work }: NoteRecord, heard: number): number | null {
  const began = timeline.findLast(({ step }) => step === 'listening')?.at
  if (!began || !work || !durationSeconds || !heard) return null
  const took = (work.since.getTime() - began.getTime()) / 1000
  const sinceThen = (Date.now() - work.since.getTime()) / 1000
  return Math.max(1, Math.round((took / heard) * (durationSeconds - heard) - sinceThen))
}

/**
 * The text of the finished parts of a note in progress, from its beginning to the first gap, and their end in seconds:
 * as it will be written, so that more text only follows it.
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
  const { parts: cleaned } = withoutLoops(finished, { goesOn: true })
  const { text } = written(joined(cleaned, null), replacements)
  const secondsLeft = secondsLeftOf(note, lengthOfAll(ofAttempt))
  return text ? { text, seconds: last.to, secondsLeft } : null
}

/** Whether a part that ends at a second ends in a pause of the speech; another part repeats the end of one that doesn't. */
function endsInPause(spans: Span[], second: number): boolean {
  const next = spans.findIndex(({ to }) => to > second)
  const [before, after] = [spans[next - 1], spans[next]]
  if (!after || after.from - second >= LONG_SILENCE_SECONDS) return true
  return before !== undefined && Math.abs((before.to + after.from) / 2 - second) < SAME_SECONDS
}

/** Writes a person's replacements; the last passage, in which one may begin, waits for what follows it. */
function written(speech: Speech, replacements: OwnWords['replacements']): Speech {
  if (!replacements.length) return speech
  const segments = speech.segments.slice(0, -1)
  const text = joinedText(segments, speech.spokenLanguage)
  return withReplacements({ ...speech, segments, text }, replacements)
}
