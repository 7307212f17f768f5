import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { limitMemory } from './testing/memory-limit.ts'
import { startOneProcess } from './testing/one-process.ts'
import { signUp } from './testing/person.ts'
import { fileWith, speechOf } from './testing/speech.ts'
import { ROOT, running } from './testing/system.ts'

const MEGABYTES = 512
const LARGE_FILE = 300_000_000
/** Real models, which aren't in the repository: `silero-vad` and `whisper-tiny.en`. */
const MODEL_DIR = join(ROOT, '../shared/models')

const group = existsSync(MODEL_DIR) ? await limitMemory(MEGABYTES) : null
const whereLimited = group ? test : test.skip
afterAll(() => group?.remove())

whereLimited(
  `when everything shares ${MEGABYTES} MB, then a large file is refused, a local model transcribes, and nothing is killed`,
  async () => {
    const env = { MODEL_DIR, LOCAL_MODEL: 'whisper-tiny.en', SPEECH_ENGINE: 'local' }
    const system = await group!.within(() => startOneProcess(env))
    try {
      const person = await signUp(system)
      const large = fileWith('large.mp4', Buffer.alloc(LARGE_FILE))
      expect((await person.upload(large)).status).toBe(413)
      const note = await person.sendNote(await speechOf(3, 'short.ogg'), { voice: true })
      expect((await person.replyTo(note)).text).toMatch(/Only English/)
      expect([running(system.process('voxscribe')), await group!.kills()]).toEqual([true, 0])
    } finally {
      await system.remove()
    }
  },
)
