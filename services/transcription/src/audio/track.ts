import { setImmediate } from 'node:timers/promises'
import { reason } from '@voxscribe/contracts/reasons'
import { Unworkable } from '../failure.ts'
import { Outgrown, SAMPLE_RATE, SAMPLES_PER_STEP } from './levels.ts'
import { createMatroskaReader, type Frame } from './matroska.ts'
import { createMixer, type Sides } from './mixing.ts'

const BYTES = 2
/** Less is a rounded time, or the drift of a clock. */
const GAP_SECONDS = 0.2
const MOST_CHANNELS = 64
/** All channels together may be this many times as long as the note: they are mixed in this process. */
const CHANNELS_LENGTH = 4
/** Frames that are passed on at once. */
const MOST_TOGETHER = 100
/** Steps by which the levels of channels may differ from the length. */
const MOST_DRIFT = 5
const SILENCE = Buffer.alloc(SAMPLE_RATE * BYTES)

/** Makes one channel of a track: gaps are silence, channels are mixed. Throws Outgrown for too many too long ones. */
export function createTrack(mostSeconds = Infinity) {
  let mixer: ReturnType<typeof createMixer> | undefined
  /** Samples of each channel. */
  let samples = 0
  let isChanged = false

  function* silence(seconds: number): Generator<Buffer> {
    yield* mixer?.end() ?? []
    isChanged = true
    let bytes = Math.round(seconds * SAMPLE_RATE) * BYTES
    samples += bytes / BYTES
    for (const side of mixer?.sides ?? [])
      while (side.length < Math.round(samples / SAMPLES_PER_STEP)) side.push(0)
    for (; bytes > 0; bytes -= SILENCE.length) yield SILENCE.subarray(0, bytes)
  }

  function* soundOf(frame: Frame): Generator<Buffer> {
    const { channels } = frame
    if (channels > MOST_CHANNELS) throw new Unworkable(reason('unreadable_audio'))
    if (frame.at > mostSeconds) throw new Outgrown()
    const gap = frame.at - samples / SAMPLE_RATE
    if (gap > GAP_SECONDS) yield* silence(gap)
    samples += frame.samples.length / BYTES / channels
    if (channels === 1) return yield frame.samples
    if (samples * channels > mostSeconds * SAMPLE_RATE * CHANNELS_LENGTH) throw new Outgrown()
    mixer ??= createMixer(channels)
    yield* mixer.add(frame.samples)
    isChanged ||= channels > 2 || mixer.isTurned()
  }

  return {
    /** Turns ffmpeg's Matroska into samples, in a pipeline. */
    async *tap(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      const framesIn = createMatroskaReader()
      for await (const chunk of source) {
        const sounds: Buffer[] = []
        for (const frame of framesIn(chunk)) {
          for (const sound of soundOf(frame)) {
            sounds.push(sound)
            if (sounds.length < MOST_TOGETHER) continue
            yield Buffer.concat(sounds.splice(0))
            // One frame may come after hours of silence, which need no reading: others have their turn.
            await setImmediate()
          }
        }
        if (sounds.length) yield Buffer.concat(sounds)
      }
      yield* mixer?.end() ?? []
    },
    /** Whether other programs may hear something else: they leave out gaps, and mix the channels as they are. */
    isChanged: () => isChanged,
    /** Levels of the two channels of a track that has two from its beginning on; else null. */
    sides(): Sides | null {
      const steps = samples / SAMPLES_PER_STEP
      return mixer?.sides[0].length && Math.abs(mixer.sides[0].length - steps) < MOST_DRIFT
        ? mixer.sides
        : null
    },
  }
}
