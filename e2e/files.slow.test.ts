import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { api, DataOf } from '@voxscribe/contracts/http'
import OpenAI from 'openai'
import { eventually } from './testing/eventually.ts'
import { FILES_BY_HAND } from './testing/files-by-hand.ts'
import { ODD_FILES, type OddFile } from './testing/odd-files.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { recognised, SENTENCE, wordsOf } from './testing/speech.ts'
import { MACHINES_FFMPEG, ROOT, type System } from './testing/system.ts'

/** Real models, which aren't in the repository: `silero-vad` and `whisper-tiny.en`. */
const MODEL_DIR = join(ROOT, '../shared/models')
const withModels = existsSync(MODEL_DIR) ? describe : describe.skip
const SAID = wordsOf(SENTENCE)

/** Five sentences without pauses between them. */
const STREAMED = 'nopause170.ogg'
const NOTHING = { seconds: 0, text: '', notices: [] as string[] }

withModels('unusual files (needs shared/models)', () => {
  let system: System
  let person: Person

  beforeAll(async () => {
    system = await startOneProcess({ ...MACHINES_FFMPEG, MODEL_DIR, SPEECH_ENGINE: 'local' })
    person = await signUp(system)
    await person.pay()
  })
  afterAll(() => system?.remove())

  /** Returns the result of a file and, for a note with text, its seconds, text and notice codes. */
  async function becomes(file: string) {
    const { status, data } = await person.upload(file)
    if (status !== 201) return { outcome: `${status}`, ...NOTHING }
    const path = `/transcriptions/${data.data.transcription.id}`
    const ended = await eventually('the note has ended', async () => {
      const { transcription } = (await person.http.get(path)).data.data as DataOf<typeof api.transcription>
      return transcription.status !== 'processing' && transcription
    })
    if (ended.failure) return { outcome: ended.failure.code, ...NOTHING }
    const { text, durationSeconds: seconds } = ended
    const notices = ended.notices.map(({ code }) => code)
    const outcome = recognised(SAID, text) >= 0.5 ? 'said' : text ? 'some' : 'silent'
    return { outcome, seconds, text, notices }
  }

  const cases = [...ODD_FILES, ...FILES_BY_HAND].map(file => [file.name, file] as [string, OddFile])
  test.each(cases)(
    '%s becomes what it should',
    async (_, { make, outcome, seconds = 6, words = [], notices = [] }) => {
      const expected = outcome === 'some' ? expect.stringMatching(/^(some|said)$/) : outcome
      const became = await becomes(await make())
      expect(became).toMatchObject({ outcome: expected, seconds: expect.closeTo(seconds, -0.5) })
      for (const word of words) expect(became.text.toLowerCase()).toContain(word)
      expect(became.notices).toEqual(expect.arrayContaining(notices))
    },
  )

  test.each(FILES_BY_HAND.filter(({ name }) => name === STREAMED))(
    'when $name is streamed, then the deltas join to exactly the text',
    async ({ make }) => {
      // Sent by another person, as the same recording of this one would get its text at once.
      const { http } = await signUp(system)
      const { data } = await http.post('/keys', { name: 'stream', scopes: ['read', 'write'] })
      const openai = new OpenAI({ apiKey: data.data.secret, baseURL: `${system.appUrl}/v1` })
      const upload = { file: createReadStream(await make()), model: 'whisper-1' }
      const stream = await openai.audio.transcriptions.create({ ...upload, stream: true })
      const events = await Array.fromAsync(stream)
      const pieces = events.flatMap(event => (event.type === 'transcript.text.delta' ? [event.delta] : []))
      expect(pieces.length).toBeGreaterThan(1)
      expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text: pieces.join('') })
    },
  )
})
