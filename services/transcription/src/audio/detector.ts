import type { Measured } from './levels.ts'
import type { Span } from './span.ts'

/** Marks where somebody speaks. */
export interface Detector {
  /** Stretches of speech in a file of samples, in seconds, in order; none: nobody speaks. */
  speechIn(samples: string, measured: Measured, signal: AbortSignal): Promise<Span[]>
}

/** The loudest half second of a recording is brought up to this: -20 dB of full scale. */
const LOUD = 32_768 * 10 ** (-20 / 20)
const LOUDEST_STEPS = 5
const MOST = 100

/** No telephone records a voice so faintly; hardly audible beeps are taken for one. */
const FAINTEST = 32_768 * 10 ** (-75 / 20)

const loudestOf = (levels: number[]): number =>
  levels.toSorted((a, b) => b - a).at(Math.min(LOUDEST_STEPS, levels.length) - 1) ?? 0

/** Returns the factor that makes a quiet recording loud enough; 1 for one that is. */
export function gainFor(levels: number[]): number {
  return Math.min(MOST, Math.max(1, LOUD / Math.max(1, loudestOf(levels))))
}

/** Tells whether a recording is fainter than any voice. */
export function isFaint(levels: number[]): boolean {
  return loudestOf(levels) < FAINTEST
}
