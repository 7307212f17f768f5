import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { createFfmpeg } from '../../../packages/speech/src/audio/ffmpeg.ts'
import type { Detector, Sound } from '../../../packages/speech/src/audio/sounds.ts'
import type { Engine } from '../../../packages/speech/src/engines/engine.ts'
import { listenTo } from '../../../packages/speech/src/hearing/listen-to.ts'

/** Creates the product's path from a file to its text, without its services. Samples are written to `folder`. */
export function createHearing(folder: string) {
  const { signal } = new AbortController()
  const ffmpeg = createFfmpeg({ FFMPEG_TIMEOUT: 3_600_000 })
  return {
    ffmpeg,
    async read(original: string, by: Detector): Promise<Sound> {
      const samples = join(folder, `${basename(original)}.samples`)
      const [measured] = await ffmpeg.decode(original, { to: samples, signal })
      if (!measured) throw new Error(`${original} has no sound`)
      const speech = await Array.fromAsync(by.speechIn(samples, measured, { signal }))
      return { ...measured, folder, original, speech, detect: () => Readable.from(speech) }
    },
    listen(engine: Engine, sound: Sound, language = 'auto') {
      const note = { _id: 'bench', attempt: 1, language, mime: null, parts: [] }
      const deps = { engine, savePart: async () => {}, likelyLanguage: async () => language }
      return listenTo(deps, note, sound, signal)
    },
  }
}
