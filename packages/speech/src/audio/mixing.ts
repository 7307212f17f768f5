import { SAMPLE_RATE, SAMPLES_PER_STEP } from './levels.ts'

/** Frames compared at once: half a second. */
const WINDOW = SAMPLE_RATE / 2
/** Frames over which weights change: 20 ms, which avoids clicks. */
const RAMP = SAMPLE_RATE / 50
/** Beyond this correlation, channels are in phase or in opposite phase. */
const RELATED = 0.2
/** Weight of all earlier windows in the loudness of channels, so that a few seconds count. */
const MEMORY = 0.8

/** Levels of the left and right channels, in steps of 100 ms. */
export type Sides = [left: number[], right: number[]]

/** Mixes channels without losing any: inverts one in opposite phase; the sum is as loud as the loudest channel. */
export function createMixer(channels: number) {
  const frameBytes = 2 * channels
  const window = Buffer.alloc(WINDOW * frameBytes)
  const signs = new Array<number>(channels).fill(1)
  const loudness = new Array<number>(channels).fill(0)
  let sumLoudness = 0
  let weights: number[] | undefined
  let filled = 0
  let hasInvertedChannel = false
  const sides: Sides = [[], []]

  /** Compares differences of successive samples, because constant offsets and hum say nothing about speech. */
  function compare(samples: Int16Array, frames: number): void {
    const sum = new Float64Array(frames)
    const steps = new Float64Array(frames)
    for (let channel = 0; channel < channels; channel++) {
      let [own, before, product] = [0, 0, 0]
      for (let frame = 1; frame < frames; frame++) {
        const at = frame * channels + channel
        const step = samples[at]! - samples[at - channels]!
        const summed = sum[frame]!
        steps[frame] = step
        own += step * step
        before += summed * summed
        product += step * summed
      }
      loudness[channel] = loudness[channel]! * MEMORY + own
      if (Math.abs(product) > RELATED * Math.sqrt(own * before)) signs[channel] = Math.sign(product)
      const sign = signs[channel]!
      for (let frame = 1; frame < frames; frame++) sum[frame]! += sign * steps[frame]!
    }
    sumLoudness = sumLoudness * MEMORY + sum.reduce((total, step) => total + step * step, 0)
    hasInvertedChannel ||= signs.includes(-1)
  }

  /** Measures two channels separately. */
  function measure(samples: Int16Array, frames: number): void {
    for (let from = 0; from + SAMPLES_PER_STEP / 2 <= frames; from += SAMPLES_PER_STEP) {
      const to = Math.min(frames, from + SAMPLES_PER_STEP)
      for (const channel of [0, 1] as const) {
        let squares = 0
        for (let at = 2 * from + channel; at < 2 * to; at += 2) squares += samples[at]! * samples[at]!
        sides[channel].push(Math.sqrt(squares / (to - from)))
      }
    }
  }

  function mixed(): Buffer {
    const frames = filled / frameBytes
    filled = 0
    const samples = new Int16Array(window.buffer, window.byteOffset, frames * channels)
    compare(samples, frames)
    if (channels === 2) measure(samples, frames)
    const gain = sumLoudness ? Math.min(1, Math.sqrt(Math.max(...loudness) / sumLoudness)) : 1
    const now = signs.map(sign => sign * gain)
    const from = weights ?? now
    weights = now
    const output = new Int16Array(frames)
    for (let frame = 0; frame < frames; frame++) {
      const share = Math.min(1, frame / RAMP)
      let value = 0
      for (let channel = 0; channel < channels; channel++) {
        const weight = share < 1 ? from[channel]! + share * (now[channel]! - from[channel]!) : now[channel]!
        value += weight * samples[frame * channels + channel]!
      }
      output[frame] = Math.max(-32_768, Math.min(32_767, Math.round(value)))
    }
    return Buffer.from(output.buffer)
  }

  return {
    /** Adds whole frames, and yields the sound of each window that they fill. */
    *add(frames: Buffer): Generator<Buffer> {
      for (let at = 0; at < frames.length; ) {
        const copied = frames.copy(window, filled, at)
        at += copied
        filled += copied
        if (filled === window.length) yield mixed()
      }
    },
    /** Yields the sound of the frames added since the last full window. */
    *end(): Generator<Buffer> {
      if (filled >= frameBytes) yield mixed()
    },
    channels,
    /** Levels of two channels, in steps of 100 ms; empty unless there are two. */
    sides,
    /** Whether a channel was in opposite phase, so that other programs may lose it. */
    hasInvertedChannel: () => hasInvertedChannel,
  }
}
