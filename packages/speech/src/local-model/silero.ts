import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { gainFor, maybeSpoken, type Span } from '../audio/levels.ts'
import { quietest } from '../audio/pieces.ts'
import type { Detector } from '../audio/sounds.ts'
import { CannotLoad, type NativePool } from './pool.ts'

/** Silero starts up to 0.4 s late and ends 0.2 s early. */
const BEFORE_SECONDS = 0.4
const AFTER_SECONDS = 0.3
/** Limits on a busy machine: 60 s of audio normally take 0.3 s. */
const START_MS = 30_000
const MS_PER_SECOND = 500
/** Length of one task, so that short notes come in between. */
const CHUNK_SECONDS = 300
/** A task ends at the quietest moment of its last seconds. */
const BORDER_SECONDS = 10
/** A shorter note may be a single word: without a result, it is retried with silence around it. */
const SHORT_SECONDS = 3
const SILENCE_AROUND_SECONDS = 1
/** Minimum probability of speech. */
const THRESHOLD = 0.5
const THRESHOLD_OF_WORDS = 0.2
/** Minimum distance of a word from the quietest moment; steady tones and noises have less. */
const STANDS_OUT_DB = 12

interface DetectorFiles {
  /** Path of Silero's file. */
  detector(): string | undefined
  /** Marks the model as missing. */
  setAside(folder: string, why: string): void
}

/** Silero's voice activity detection. Without its model only loudness decides: the whole note or nothing. */
export function createDetector(pool: NativePool, files: DetectorFiles): Detector {
  return {
    async *speechIn(path, measured, { signal, after = 0, onlyFirst = false }) {
      const { seconds, isSilent, levels } = measured
      const detector = files.detector()
      const gain = gainFor(levels)

      /** Yields a task's spans as they are found, then all again at its end; again, too, if a second worker retries. */
      function look(detector: string, span: Span, padding: number, threshold: number): AsyncIterable<Span> {
        const found = new Readable({ objectMode: true, read() {} })
        const onFound = (spans: Span[]) => spans.forEach(each => void found.push(each))
        const task = { do: 'detect', detector, path, gain, span, padding, threshold, onlyFirst } as const
        const limitMs = START_MS + MS_PER_SECOND * (span.to - span.from)
        // Detection comes before all engines, and short notes before long ones.
        const options = { signal, limitMs, priority: 1 / Math.max(1, seconds), onFound }
        const end = (spans: Span[]) => [...spans, null].forEach(each => void found.push(each))
        pool.run(task, options).then(end, error => found.destroy(error))
        return found
      }

      async function* found(detector: string): AsyncGenerator<Span> {
        let isFound = false
        for (const chunk of maybeSpoken(measured).flatMap(stretch => chunksOf(stretch, levels))) {
          if (chunk.to <= after || (isFound && onlyFirst)) continue
          for await (const span of look(detector, chunk, 0, THRESHOLD)) {
            isFound = true
            yield span
          }
        }
        if (isFound || isSilent || seconds > SHORT_SECONDS) return
        const threshold = standsOut(levels) ? THRESHOLD_OF_WORDS : THRESHOLD
        yield* look(detector, { from: 0, to: seconds }, SILENCE_AROUND_SECONDS, threshold)
      }

      async function* all() {
        try {
          if (detector) return yield* padded(found(detector), seconds)
        } catch (error) {
          if (!detector || !(error instanceof CannotLoad)) throw error
          files.setAside(dirname(detector), error.message)
        }
        if (!isSilent) yield { from: 0, to: seconds }
      }

      let known = after
      for await (const { from, to } of all()) {
        if (to <= known) continue
        yield { from: Math.max(from, known), to }
        known = to
      }
    },
  }
}

/** Cuts a stretch into tasks where it is quiet, because the border of two tasks ends a span of speech, like a pause. */
export function chunksOf({ from, to }: Span, levels: number[]): Span[] {
  const latest = from + CHUNK_SECONDS
  if (to <= latest) return [{ from, to }]
  const border = quietest(levels, latest - BORDER_SECONDS, latest)
  return [{ from, to: border }, ...chunksOf({ from: border, to }, levels)]
}

/** Whether the loudest 100 ms are far above the quietest. */
const standsOut = (levels: number[]): boolean =>
  Math.max(...levels) > Math.min(...levels) * 10 ** (STANDS_OUT_DB / 20)

async function* padded(found: AsyncIterable<Span>, seconds: number): AsyncGenerator<Span> {
  let [last, end]: [Span?, number?] = []
  for await (const { from, to } of found) {
    if (to <= (end ?? 0)) continue
    end = to
    const span = {
      from: milliseconds(Math.max(0, from - BEFORE_SECONDS)),
      to: milliseconds(Math.min(seconds, to + AFTER_SECONDS)),
    }
    // If the padding closes a pause, each side gets half of it.
    if (last && span.from < last.to) {
      const border = milliseconds((span.from + last.to) / 2)
      last.to = border
      span.from = border
    }
    if (last) yield last
    last = span
  }
  if (last) yield last
}

/** Rounds, so that stored spans compare equal. */
const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000
