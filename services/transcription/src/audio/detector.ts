import { decibels, type Measured, SILENCE, STEPS_PER_SECOND } from './levels.ts'
import type { Span } from './span.ts'

/** Marks speech. */
export interface Detector {
  /** Stretches of speech in a file of samples, in seconds, in order. */
  speechIn(samples: string, measured: Measured, signal: AbortSignal): Promise<Span[]>
}

/** The loudest half second of a recording is brought up to this: -20 dB of full scale. */
const LOUD = decibels(-20)
const LOUDEST_STEPS = 5
const MOST = 100

/** No telephone records a voice so faintly; hardly audible beeps are taken for one. */
const FAINTEST = decibels(-75)

const loudestOf = (levels: number[]): number =>
  levels.toSorted((a, b) => b - a).at(Math.min(LOUDEST_STEPS, levels.length) - 1) ?? 0

/** Returns the factor that makes a quiet recording loud enough; 1 for one that is. */
export function gainFor(levels: number[]): number {
  return Math.min(MOST, Math.max(1, LOUD / Math.max(1, loudestOf(levels))))
}

/** Loudness is judged in blocks of ten seconds. */
const BLOCK = 10 * STEPS_PER_SECOND
/** In a quiet block a voice stands out by more than this above the tenth quietest step; the noise of a room does not. */
const STANDS_OUT = 10 ** (4 / 20)
/** Shorter stretches without a voice are not worth a call of the detector of their own. */
const SKIPPED_SECONDS = 20
/** Looked at on both sides of a stretch: a word may begin there. */
const AROUND_SECONDS = 1

/**
 * Returns the stretches in which there may be a voice: all that is louder than a silent room, and all whose loudness
 * moves. Hours of a silent room cost nothing but their decoding.
 */
export function maybeSpoken({ levels, seconds }: Pick<Measured, 'levels' | 'seconds'>): Span[] {
  const spans: Span[] = []
  if (loudestOf(levels) < FAINTEST) return spans
  for (let at = 0; at < levels.length; at += BLOCK) {
    const block = levels.slice(at, at + BLOCK).sort((a, b) => a - b)
    const loudest = block.at(-1) ?? 0
    const floor = block[Math.floor(block.length / 10)] ?? 0
    if (loudest < FAINTEST || (loudest < SILENCE && loudest < floor * STANDS_OUT)) continue
    const from = Math.max(0, at / STEPS_PER_SECOND - AROUND_SECONDS)
    const to = Math.min(seconds, (at + BLOCK) / STEPS_PER_SECOND + AROUND_SECONDS)
    const last = spans.at(-1)
    if (last && from - last.to < SKIPPED_SECONDS) last.to = to
    else spans.push({ from, to })
  }
  return spans
}
