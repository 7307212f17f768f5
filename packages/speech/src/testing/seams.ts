import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFfmpeg } from '../audio/ffmpeg.ts'
import type { Span } from '../audio/levels.ts'
import { partsOf, type SoundToCut } from '../audio/pieces.ts'
import { createLocal, LOCAL } from '../engines/local.ts'
import { createNativePool, type NativePool } from '../local-model/pool.ts'
import { createDetector } from '../local-model/silero.ts'
import { openModels } from '../models/folder.ts'
import { librivox, MODELS, withRealSpeech } from './recordings.ts'
import { decodeFirst, ffmpeg, partOf, temporaryFolder } from './sound.ts'

/** Lengths of the longest piece, each of which moves the seams. The last one is the product's own. */
export const LONGEST = [
  ...Array.from({ length: 19 }, (_, index) => 6 + 0.5 * index),
  LOCAL.whisper.pieceSeconds,
]
/** Words misheard at most, of 70. */
const MISHEARD = 4
const { signal } = new AbortController()

/** Splits a text into words that compare equal: one model writes `coldhearted`, another `cold-hearted`. */
function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('coldhearted', 'cold hearted')
      .replace(/\bmr\b/g, 'mister')
      .match(/[a-z']+/g) ?? []
  )
}

interface Seams {
  /** Checks that pieces of at most these seconds contain all speech. */
  cut(longest: number): Promise<void>
  /** Checks that a model hears each word once in pieces of at most these seconds. */
  hear(longest: number): Promise<void>
}

/** `describe` for cases about a recording of some minutes, with a real model. */
export const withSeams = (cases: (seams: Seams) => void): void =>
  withRealSpeech('the seams between the pieces of a recording', () => {
    let folder: string
    let pool: NativePool
    let sound: SoundToCut & { speech: Span[] }
    // The reader stumbles once, which the model doesn't transcribe.
    const said = wordsOf(
      librivox()
        .flatMap(({ words }) => words)
        .join(' ')
        .replace('more a amiable', 'more amiable'),
    )

    beforeAll(async () => {
      folder = await temporaryFolder()
      pool = createNativePool(2)
      const inputs = librivox().flatMap(({ path }) => ['-i', path])
      const whole = join(folder, 'whole.wav')
      await ffmpeg(...inputs, '-filter_complex', `concat=n=${librivox().length}:v=0:a=1`, whole)
      const samples = join(folder, 'samples.raw')
      const measured = await decodeFirst(createFfmpeg({ FFMPEG_TIMEOUT: 20_000 }), whole, { to: samples })
      const detector = createDetector(pool, openModels({ folder: MODELS }))
      const speech = await Array.fromAsync(detector.speechIn(samples, measured, { signal }))
      sound = { ...measured, speech }
    })
    afterAll(async () => {
      pool.close()
      await rm(folder, { recursive: true, force: true })
    })

    const piecesOf = async (pieceSeconds: number) =>
      (await Array.fromAsync(partsOf(sound, { partSeconds: 300, pieceSeconds }))).flat()

    async function cut(longest: number) {
      const pieces = await piecesOf(longest)
      for (const { from, to } of pieces) expect(to - from).toBeLessThanOrEqual(longest)
      for (let at = 0; at < sound.seconds; at += 0.01) {
        const isSpoken = sound.speech.some(({ from, to }) => at > from && at < to)
        const inside = pieces.filter(({ from, to }) => at >= from && at <= to)
        if (isSpoken) expect(inside).not.toHaveLength(0)
      }
    }

    async function hear(longest: number) {
      const model = openModels({ folder: MODELS, named: 'whisper-tiny.en' }).chosen()
      if (!model) throw new Error('no model')
      const pieces = await piecesOf(longest)
      const part = partOf({ samples: join(folder, 'samples.raw'), pieces })
      const { segments } = await createLocal(pool, model, openModels({ folder: MODELS })).recognise(
        part,
        'en',
        signal,
      )
      const heard = wordsOf(segments.map(segment => segment.text).join(' '))
      expect(heard).toHaveLength(said.length)
      // A lost or doubled word shifts all that follow; the model itself mishears a few.
      expect(heard.filter((word, at) => word !== said[at]).length).toBeLessThanOrEqual(MISHEARD)
    }

    cases({ cut, hear })
  })
