import { decibels, type Measured, SILENCE, type Span, STEPS_PER_SECOND } from './levels.ts'

export interface Detector {
  /**
   * Stretches of speech in a file of samples, in seconds, in order, each as soon as it is certain. Ends early when the
   * signal is aborted.
   */
  speechIn(samples: string, measured: Measured, options: DetectOptions): AsyncIterable<Span>
}

interface DetectOptions {
  signal: AbortSignal
  /** The end of the last stretch that is known: only later ones are returned. */
  after?: number | undefined
  /** Ends as soon as there certainly is speech. */
  onlyFirst?: boolean
}

/** Target of the loudest half second: -20 dB of full scale. */
const LOUD = decibels(-20)
const LOUDEST_STEPS = 5
const MOST = 100

/** Below this there is no voice; the detector takes faint beeps for one. */
const FAINTEST = decibels(-75)

const loudestOf = (levels: number[]): number =>
  levels.toSorted((a, b) => b - a).at(Math.min(LOUDEST_STEPS, levels.length) - 1) ?? 0

/** Returns the gain for a quiet recording; otherwise 1. */
export function gainFor(levels: number[]): number {
  return Math.min(MOST, Math.max(1, LOUD / Math.max(1, loudestOf(levels))))
}

/** Steps of a block of ten seconds. */
const BLOCK = 10 * STEPS_PER_SECOND
/** In a quiet block, a voice is louder than the tenth percentile by this factor; room noise is not. */
const STANDS_OUT = 10 ** (4 / 20)
/** Shorter gaps are not worth a further call of the detector. */
const SKIPPED_SECONDS = 20
/** Margin on both sides, for the start of a word. */
const AROUND_SECONDS = 1

/**
 * Returns the stretches that may contain a voice: louder than a silent room, or of changing loudness. Hours of silence
 * only cost their decoding.
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
