export interface Span {
  /** Seconds from the start. */
  from: number
  to: number
}

/** Samples of a note are 16-bit little-endian mono. */
export const SAMPLE_RATE = 16_000
export const BYTES_PER_SECOND = SAMPLE_RATE * 2
/** Bit rate of Opus in Ogg, for parts that are sent to a provider. */
export const PART_BITS_PER_SECOND = 32_000
/** Bytes on disk per second of a note: its samples, and its part for a provider. */
export const DISK_PER_SECOND = BYTES_PER_SECOND + PART_BITS_PER_SECOND / 8
/** Loudness is measured in steps of 100 ms. */
export const STEPS_PER_SECOND = 10
export const SAMPLES_PER_STEP = SAMPLE_RATE / STEPS_PER_SECOND

/** Converts decibels of full scale to the value of a 16-bit sample. */
export function decibels(loudness: number): number {
  return 32_768 * 10 ** (loudness / 20)
}

/** -55 dB of full scale: between a phone's recording of a silent room and a whisper. */
const SILENCE = decibels(-55)

/** Shorter audio contains no word. */
const SHORTEST_SOUND_SECONDS = 0.05

export interface Measured {
  /** Length of the decoded audio, to a hundredth of a second. */
  seconds: number
  /** Whether it is too short for a word, or no step is loud enough for speech. */
  isSilent: boolean
  /** Root mean square of each step. */
  levels: number[]
}

/** A file has more audio than `maxSeconds`. */
export class TooLong extends Error {
  override name = 'TooLong'
}

/** Measures PCM: `add` takes chunks as they come, `measured` returns the result. Throws TooLong past `maxSeconds`. */
export function createMeter(maxSeconds = Infinity) {
  const levels: number[] = []
  let bytes = 0
  let odd: Buffer = Buffer.alloc(0)
  let squares = 0
  let inStep = 0

  function add(chunk: Buffer): void {
    bytes += chunk.length
    if (bytes > maxSeconds * BYTES_PER_SECOND) throw new TooLong()
    const joined = odd.length ? Buffer.concat([odd, chunk]) : chunk
    const whole = joined.length - (joined.length % 2)
    odd = joined.subarray(whole)
    const aligned = joined.byteOffset % 2 ? Buffer.from(joined) : joined
    // Samples are little-endian, like every platform of Node.
    const samples = new Int16Array(aligned.buffer, aligned.byteOffset, whole / 2)
    for (const sample of samples) {
      squares += sample * sample
      inStep += 1
      if (inStep === SAMPLES_PER_STEP) endStep()
    }
  }
  function endStep(): void {
    levels.push(Math.sqrt(squares / inStep))
    squares = 0
    inStep = 0
  }

  return {
    add,
    measured(): Measured {
      if (inStep) endStep()
      const isShort = bytes < SHORTEST_SOUND_SECONDS * BYTES_PER_SECOND
      return {
        seconds: Math.round((bytes / BYTES_PER_SECOND) * 100) / 100,
        isSilent: isShort || levels.every(level => level < SILENCE),
        levels,
      }
    },
  }
}

/** Target of the loudest half second: -20 dB of full scale. */
const LOUD = decibels(-20)
const LOUDEST_STEPS = 5
const MOST = 100

/** Below this there is no voice, but the detector takes faint beeps for one. */
export const FAINTEST = decibels(-75)

export const loudestOf = (levels: number[]): number =>
  Float64Array.from(levels).sort().at(-Math.min(LOUDEST_STEPS, levels.length)) ?? 0

/** Returns the loudness of the loudest half second in decibels of full scale, at least -96. */
export const loudness = (levels: number[]): number =>
  Math.round(20 * Math.log10(Math.max(0.5, loudestOf(levels)) / 32_768))

/** Returns the gain for a quiet recording; otherwise 1. */
export function gainFor(levels: number[]): number {
  return Math.min(MOST, Math.max(1, LOUD / Math.max(1, loudestOf(levels))))
}

const BLOCK = 10 * STEPS_PER_SECOND
/** In a quiet block, a voice is louder than the tenth percentile by this factor; room noise is not. */
const STANDS_OUT = 10 ** (4 / 20)
/** Shorter gaps aren't worth another call of the detector. */
const SKIPPED_SECONDS = 20
/** Margin on both sides, for the start of a word. */
const AROUND_SECONDS = 1

/** Returns stretches that may contain a voice: louder than a silent room, or of changing loudness. */
export function maybeSpoken({ levels, seconds }: Pick<Measured, 'levels' | 'seconds'>): Span[] {
  const spans: Span[] = []
  if (seconds < SHORTEST_SOUND_SECONDS || loudestOf(levels) < FAINTEST) return spans
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
