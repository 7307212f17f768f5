import { lengthOfAll } from '../audio/pieces.ts'
import { spansOf } from '../audio/sounds.ts'
import { withoutOverlaps } from '../engines/overlaps.ts'
import { joined } from '../hearing/listen-to.ts'
import type { NoteRecord } from '../note/record.ts'

/** Seconds by which borders of speech and of parts may differ. */
const SLACK = 0.5

/** Seconds that the rest takes if it takes as long as what was heard; null before anything was. */
function secondsLeftOf({ timeline, durationSeconds, work }: NoteRecord, heard: number): number | null {
  const began = timeline.findLast(({ step }) => step === 'listening')?.at
  if (!began || !work || !durationSeconds || !heard) return null
  const took = (work.since.getTime() - began.getTime()) / 1000
  const sinceThen = (Date.now() - work.since.getTime()) / 1000
  return Math.max(1, Math.round((took / heard) * (durationSeconds - heard) - sinceThen))
}

/** The text of the finished parts of a note in progress, from its beginning to the first gap, and their end in seconds. */
export function partialOf(note: NoteRecord) {
  const { status, parts, spoken, spokenSoFar } = note
  const newest = parts?.at(-1)
  if (status !== 'processing' || !newest) return null
  const spans = spansOf(spoken ?? spokenSoFar ?? [])
  /** Whether there is speech between two seconds. */
  const isSpoken = (after: number, before: number) =>
    spans.some(({ from, to }) => from < before - SLACK && to > after + SLACK)
  const ofAttempt = parts
    .filter(({ engine, asked }) => engine === newest.engine && asked === newest.asked)
    .sort((a, b) => a.from - b.from)
  const gap = ofAttempt.findIndex(({ from }, at) => isSpoken(ofAttempt[at - 1]?.to ?? 0, from))
  const finished = withoutOverlaps(gap < 0 ? ofAttempt : ofAttempt.slice(0, gap))
  const { text } = joined(finished, null)
  const secondsLeft = secondsLeftOf(note, lengthOfAll(ofAttempt))
  return text ? { text, seconds: finished.at(-1)?.to ?? 0, secondsLeft } : null
}
