import { reason } from '@voxscribe/contracts/reasons'
import { Unworkable } from '../errors.ts'
import { createClock, GAP_SECONDS } from './clock.ts'
import { SAMPLE_RATE, SAMPLES_PER_STEP, TooLong } from './levels.ts'
import type { Frame } from './matroska.ts'
import { createMixer, type Sides } from './mixing.ts'

const BYTES = 2
const CHANNELS_MAX = 64
/** All channels together may be this many times as long as the note, because this process mixes them. */
const CHANNELS_LENGTH = 4
/** Steps by which the channels' levels may differ from the track's length. */
const DRIFT_MAX = 5
const SILENCE = Buffer.alloc(SAMPLE_RATE * BYTES)

export interface TrackOptions {
  maxSeconds?: number
  /** Whether stamps may indicate pauses; if not, only the samples count. */
  isClocked?: boolean
}

/** Makes one channel of a track: fills pauses with silence and mixes channels. Throws TooLong if they're too long. */
export function createTrack({ maxSeconds = Infinity, isClocked = true }: TrackOptions = {}) {
  let mixer: ReturnType<typeof createMixer> | undefined
  /** Samples per channel, including those of pauses. */
  let samples = 0
  let filled = 0
  let mayPlayDifferently = false
  let stampsDiffer = false
  const clock = createClock()

  function* silence(seconds: number): Generator<Buffer> {
    yield* mixer?.end() ?? []
    mayPlayDifferently = true
    let bytes = Math.round(seconds * SAMPLE_RATE) * BYTES
    samples += bytes / BYTES
    filled += bytes / BYTES
    for (const side of mixer?.sides ?? [])
      while (side.length < Math.round(samples / SAMPLES_PER_STEP)) side.push(0)
    for (; bytes > 0; bytes -= SILENCE.length) yield SILENCE.subarray(0, bytes)
  }

  return {
    /** Adds a frame, and yields the sound that has been mixed so far. */
    *add(frame: Frame): Generator<Buffer> {
      const { at, channels } = frame
      if (channels > CHANNELS_MAX) throw new Unworkable(reason('unreadable_audio'))
      const gap = at - samples / SAMPLE_RATE
      if (isClocked) {
        clock.add(at, (samples - filled) / SAMPLE_RATE, filled / SAMPLE_RATE)
        if (at > maxSeconds) throw new TooLong()
        if (gap > GAP_SECONDS) yield* silence(gap)
      } else stampsDiffer ||= Math.abs(gap) > GAP_SECONDS
      samples += frame.samples.length / BYTES / channels
      if (mixer && mixer.channels !== channels) {
        yield* mixer.end()
        mixer = undefined
      }
      if (channels === 1) return yield frame.samples
      if (samples * channels > maxSeconds * SAMPLE_RATE * CHANNELS_LENGTH) throw new TooLong()
      mixer ??= createMixer(channels)
      yield* mixer.add(frame.samples)
      mayPlayDifferently ||= channels > 2 || mixer.hasInvertedChannel()
    },
    *end(): Generator<Buffer> {
      yield* mixer?.end() ?? []
    },
    /** Whether its stamps show pauses that don't exist, so that it must be read without them. */
    isClockWrong: () => clock.isWrong(),
    /** Whether its stamps differ from its samples, which then determine its times. */
    stampsDiffer: () => stampsDiffer,
    /** Whether other programs may play something else: they skip gaps, and mix channels unchanged. */
    mayPlayDifferently: () => mayPlayDifferently || stampsDiffer,
    /** Levels of the two channels of a track that has two from the start; else null. */
    sides(): Sides | null {
      const steps = samples / SAMPLES_PER_STEP
      return mixer?.sides[0].length && Math.abs(mixer.sides[0].length - steps) < DRIFT_MAX
        ? mixer.sides
        : null
    },
  }
}
