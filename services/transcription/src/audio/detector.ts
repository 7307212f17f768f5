import type { Models } from '../models/folder.ts'
import type { NativePool } from '../native/pool.ts'
import type { Measured } from './levels.ts'
import type { Span } from './span.ts'

/** Marks where somebody speaks. */
export interface Detector {
  /** Stretches of speech in a file of samples, in seconds, in order; none: nobody speaks. */
  speechIn(samples: string, measured: Measured, signal: AbortSignal): Promise<Span[]>
}

/** Silero starts up to 0.4 s late and ends 0.2 s early. */
const BEFORE_SECONDS = 0.4
const AFTER_SECONDS = 0.3
/** 60 s of audio take 0.3 s; a busy machine gets much more. */
const START_MS = 30_000
const MS_PER_SECOND = 500

/**
 * Silero's voice activity detection, in a child process. Without its model loudness alone decides: sound or silence,
 * all of it or none.
 */
export function createDetector(pool: NativePool, models: Models): Detector {
  return {
    async speechIn(path, measured, signal) {
      const { seconds, isSilent } = measured
      const detector = models.detector()
      if (!detector) return isSilent ? [] : [{ from: 0, to: seconds }]
      const task = { do: 'detect', detector, path, gain: gainFor(measured.levels) } as const
      const limitMs = START_MS + MS_PER_SECOND * seconds
      // Quick, and no engine can begin before it.
      const found = await pool.run(task, { signal, limitMs, priority: 1 })
      return padded(found, seconds)
    },
  }
}

function padded(found: Span[], seconds: number): Span[] {
  const spans: Span[] = []
  for (const { from, to } of found) {
    const span = { from: Math.max(0, from - BEFORE_SECONDS), to: Math.min(seconds, to + AFTER_SECONDS) }
    const last = spans.at(-1)
    // Half of a pause that the padding closes belongs to either side.
    if (last && span.from < last.to) {
      const border = (span.from + last.to) / 2
      last.to = border
      span.from = border
    }
    spans.push(span)
  }
  return spans
}

/** The loudest half second of a recording is brought up to this: -20 dB of full scale. */
const LOUD = 32_768 * 10 ** (-20 / 20)
const LOUDEST_STEPS = 5
const MOST = 100

/** Returns the factor that makes a quiet recording loud enough; 1 for one that is. */
export function gainFor(levels: number[]): number {
  const loudest = levels.toSorted((a, b) => b - a).at(Math.min(LOUDEST_STEPS, levels.length) - 1) ?? LOUD
  return Math.min(MOST, Math.max(1, LOUD / Math.max(1, loudest)))
}
