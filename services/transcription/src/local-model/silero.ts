import { dirname } from 'node:path'
import { type Detector, gainFor, maybeSpoken } from '../audio/detector.ts'
import type { Span } from '../audio/levels.ts'
import { quietest } from '../audio/pieces.ts'
import { CannotLoad, type NativePool } from './pool.ts'

/** Silero starts up to 0.4 s late and ends 0.2 s early. */
const BEFORE_SECONDS = 0.4
const AFTER_SECONDS = 0.3
/** Limits on a busy machine: 60 s of audio normally take 0.3 s. */
const START_MS = 30_000
const MS_PER_SECOND = 500
/** Length of one task, so that short notes come in between. */
const CHUNK_SECONDS = 300
/** Last seconds of a task in which the quietest moment ends it. */
const BORDER_SECONDS = 10
/**
 * A shorter note may be one word, and the detector needs a moment to start. Without a result it runs again with silence
 * before and after, and with a lower threshold if something stands out.
 */
const SHORT_SECONDS = 3
const SILENCE_AROUND_SECONDS = 1
/** Least probability of speech. */
const THRESHOLD = 0.5
const THRESHOLD_OF_WORDS = 0.2
/** Least distance of a word from the quietest moment; steady tones and noises have less. */
const STANDS_OUT_DB = 12

interface DetectorFiles {
  /** Path of Silero's file. */
  detector(): string | undefined
  /** Counts the model as missing. */
  setAside(folder: string, why: string): void
}

/**
 * Silero's voice activity detection, in a child process. Without its model, or with one that cannot be loaded, loudness
 * alone decides: all of a note or nothing.
 */
export function createDetector(pool: NativePool, files: DetectorFiles): Detector {
  return {
    async speechIn(path, measured, signal) {
      const { seconds, isSilent, levels } = measured
      const detector = files.detector()
      const byLoudness = isSilent ? [] : [{ from: 0, to: seconds }]
      if (!detector) return byLoudness
      const gain = gainFor(levels)
      const look = (span: Span, padding: number, threshold: number) =>
        pool.run({ do: 'detect', detector, path, gain, span, padding, threshold } as const, {
          signal,
          limitMs: START_MS + MS_PER_SECOND * (span.to - span.from),
          // Before all engines, and short notes before long ones.
          priority: 1 / Math.max(1, seconds),
        })
      try {
        const found: Span[] = []
        for (const chunk of maybeSpoken(measured).flatMap(stretch => chunksOf(stretch, levels)))
          found.push(...(await look(chunk, 0, THRESHOLD)))
        if (!found.length && !isSilent && seconds <= SHORT_SECONDS) {
          const threshold = standsOut(levels) ? THRESHOLD_OF_WORDS : THRESHOLD
          found.push(...(await look({ from: 0, to: seconds }, SILENCE_AROUND_SECONDS, threshold)))
        }
        return padded(found, seconds)
      } catch (error) {
        if (!(error instanceof CannotLoad)) throw error
        files.setAside(dirname(detector), error.message)
        return byLoudness
      }
    },
  }
}

/** Cuts a stretch into tasks where it is quiet: the border of two tasks ends a span of speech, like a pause. */
export function chunksOf({ from, to }: Span, levels: number[]): Span[] {
  const latest = from + CHUNK_SECONDS
  if (to <= latest) return [{ from, to }]
  const border = quietest(levels, latest - BORDER_SECONDS, latest)
  return [{ from, to: border }, ...chunksOf({ from: border, to }, levels)]
}

/** Whether the loudest 100 ms are far above the quietest. */
const standsOut = (levels: number[]): boolean =>
  Math.max(...levels) > Math.min(...levels) * 10 ** (STANDS_OUT_DB / 20)

function padded(found: Span[], seconds: number): Span[] {
  const spans: Span[] = []
  for (const { from, to } of found) {
    const span = {
      from: milliseconds(Math.max(0, from - BEFORE_SECONDS)),
      to: milliseconds(Math.min(seconds, to + AFTER_SECONDS)),
    }
    const last = spans.at(-1)
    // Half of a pause that the padding closes belongs to either side.
    if (last && span.from < last.to) {
      const border = milliseconds((span.from + last.to) / 2)
      last.to = border
      span.from = border
    }
    spans.push(span)
  }
  return spans
}

/** Rounded, so that stored spans compare equal. */
const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000
