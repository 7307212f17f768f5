import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI from 'openai'
import { FILES_BY_HAND } from './testing/files-by-hand.ts'
import { ODD_FILES, type OddFile } from './testing/odd-files.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { recognised, SENTENCE, wordsOf } from './testing/speech.ts'
import { MACHINES_FFMPEG, ROOT, type System } from './testing/system.ts'

/** Real models, which are no part of the repository: `silero-vad` and `whisper-tiny.en`. */
const MODEL_DIR = join(ROOT, '../shared/models')
const withModels = existsSync(MODEL_DIR) ? describe : describe.skip
const SAID = wordsOf(SENTENCE)

interface Became {
  outcome: string
  seconds: number
  text: string
  notices: string[]
}
/** Five sentences in turn, without pauses. */
const STREAMED = 'nopause170.ogg'
const NOTHING = { seconds: 0, text: '', notices: [] }

withModels('files out of the ordinary (needs shared/models)', () => {
  let system: System
  let person: Person
  const ids = new Map<string, string>()
  let became: Map<string, Became>

  beforeAll(async () => {
    system = await startOneProcess({ ...MACHINES_FFMPEG, MODEL_DIR, SPEECH_ENGINE: 'local' })
    person = await signUp(system)
    await person.pay()
    became = new Map()
    for (const file of [...ODD_FILES, ...FILES_BY_HAND]) {
      const { status, data } = await person.upload(await file.make())
      if (status === 201) ids.set(file.name, data.data.transcription.id)
      else became.set(file.name, { outcome: `${status}`, ...NOTHING })
    }
    await person.ended(ids.size)
    for (const [name, id] of ids)
      became.set(name, outcomeOf((await person.http.get(`/transcriptions/${id}`)).data.data))
  })
  afterAll(() => system?.remove())

  // biome-ignore lint/suspicious/noExplicitAny: as any client sees it.
  function outcomeOf({ transcription }: any): Became {
    const { status, text, failure, durationSeconds: seconds } = transcription
    if (status === 'failed') return { outcome: failure.code, ...NOTHING }
    const share = recognised(SAID, text)
    const notices = transcription.notices.map(({ code }: { code: string }) => code)
    return { outcome: share >= 0.5 ? 'said' : text ? 'some' : 'silent', seconds, text, notices }
  }

  const cases = [...ODD_FILES, ...FILES_BY_HAND].map(file => [file.name, file] as [string, OddFile])
  test.each(cases)(
    '%s becomes what it should',
    (name, { outcome, seconds = 6, words = [], notices = [] }) => {
      const expected = outcome === 'some' ? expect.stringMatching(/^(some|said)$/) : outcome
      expect(became.get(name)).toMatchObject({ outcome: expected, seconds: expect.closeTo(seconds, -0.5) })
      for (const word of words) expect(became.get(name)?.text.toLowerCase()).toContain(word)
      expect(became.get(name)?.notices).toEqual(expect.arrayContaining(notices))
    },
  )

  test.each(FILES_BY_HAND.filter(({ name }) => name === STREAMED))(
    'when $name comes in a stream, then its pieces join to the text, letter by letter',
    async ({ make }) => {
      // Of another person: this one's same recording has its text at once.
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
