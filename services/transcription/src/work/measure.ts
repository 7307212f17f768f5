import type { Sounds } from '../audio/sounds.ts'
import type { SameAudio } from '../note/same-audio.ts'
import type { StepWork } from './loop.ts'

/** Before a note is measured: WhatsApp's Opus has 16 kbit/s. */
const BYTES_PER_SECOND = 2_000

export const secondsOfBytes = (bytes: number) => bytes / BYTES_PER_SECOND

/** Measures a note, and only then asks for its minutes. */
export const createMeasuring = (sounds: Sounds, sameAudio: SameAudio): StepWork => ({
  short: {},
  fits: () => ({}),
  secondsOf: ({ bytes }) => secondsOfBytes(bytes),
  work: async (note, signal) => sameAudio.goOn({ ...note, ...(await sounds.measure(note, signal)) }),
})
