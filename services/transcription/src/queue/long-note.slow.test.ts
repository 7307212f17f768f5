import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '@voxscribe/service/testing'
import { SAMPLE_RATE } from '@voxscribe/speech'
import {
  ffmpeg as convert,
  createFfmpeg,
  decodeFirst,
  folderOfTests,
  librivox,
  MODELS,
  openAiError,
  QUICK_FFMPEG,
  STEPS_PER_SECOND,
  startOpenAiFake,
  withRealSpeech,
} from '@voxscribe/speech/testing'
import { deskFor } from '../testing.ts'

const SECONDS = 130
/** Of 15, 30 and 60 s, and the rest. */
const PARTS = 4
/** Speed of the stand-in, relative to real time. */
const QUICK = 300
const WAV_HEADER = 44
const OPUS = { mime: 'audio/ogg; codecs=opus' }
const ffmpeg = createFfmpeg({ FFMPEG_PATH: QUICK_FFMPEG, FFMPEG_TIMEOUT: 20_000 })

interface Word {
  at: number
  text: string
}

withRealSpeech('minutes of speech at a provider', () => {
  const folder = folderOfTests()
  const note = join(folder, 'minutes.ogg')
  let words: Word[]
  let levels: number[]
  let fake: Awaited<ReturnType<typeof startOpenAiFake>>
  let isLimited: boolean
  /** Parts after the first are answered once this resolves. */
  let mayGoOn: Promise<void>
  let modelDir = MODELS
  const here = deskFor(
    async () => {
      fake = await startOpenAiFake(answer)
      const key = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: fake.baseUrl }
      return { SPEECH_ENGINE: 'openai', ...key, MODEL_DIR: modelDir, SWEEP_EVERY: '50ms' }
    },
    { each: true },
  )
  afterEach(() => fake.stop())

  beforeAll(async () => {
    words = await readAloud(note)
    levels = (await decodeFirst(ffmpeg, note, { to: join(folder, 'note.raw') })).levels
  })
  beforeEach(() => {
    isLimited = false
    mayGoOn = Promise.resolve()
  })

  /** Finds a call's audio in the note by its loudness, and returns the words in that stretch. */
  async function answer({ form }: { form: FormData }) {
    if (isLimited) {
      isLimited = false
      return { ...openAiError(429, 'rate_limit_exceeded', 'requests'), headers: { 'retry-after-ms': '300' } }
    }
    const path = join(folder, crypto.randomUUID())
    await writeFile(path, Buffer.from(await (form.get('file') as File).arrayBuffer()))
    const sound = await decodeFirst(ffmpeg, path, { to: `${path}.raw` })
    const from = placeOf(sound.levels, levels)
    await wait((sound.seconds / QUICK) * 1000)
    if (form.has('languages[]')) await mayGoOn
    const inside = words.filter(({ at }) => at > from && at < from + sound.seconds)
    const text = inside.map(({ text }) => text).join(' ')
    return { body: { text, languages: [{ code: 'en' }] } }
  }

  const said = () => words.map(({ text }) => text)
  const wordsIn = (text: string) => text.split(/\s+/)
  async function send() {
    const { data } = await here.desk.receive(note, OPUS)
    await here.desk.reserve(data.mediaId)
    return data.mediaId
  }
  const textOf = async (id: string) => wordsIn((await here.desk.completed(id)).data.text)

  test('when it is sent, then its text grows from the first 15 s on, in one language, and no word is lost or doubled', async () => {
    const first = Promise.withResolvers<void>()
    mayGoOn = first.promise
    const id = await send()
    const seen: string[] = []
    for (;;) {
      const { status, partial } = await here.desk.noteOf(id)
      if (status !== 'processing') break
      if (partial && partial.text !== seen.at(-1)) seen.push(partial.text)
      if (seen.length > 0) first.resolve()
      await wait(20)
    }
    expect(await textOf(id)).toEqual(said())
    expect(seen.length).toBeGreaterThan(1)
    expect(wordsIn(seen[0] ?? '').length).toBeLessThan(60)
    for (const text of seen) expect(said().slice(0, wordsIn(text).length)).toEqual(wordsIn(text))
    expect(fake.received.map(({ form }) => form.get('languages[]'))).toEqual([
      null,
      ...Array(PARTS - 1).fill('en'),
    ])
  })

  test('when the provider asks to wait in the middle, then only that call is repeated', async () => {
    const id = await send()
    await eventually(() => fake.received.length === 1)
    isLimited = true
    expect(await textOf(id)).toEqual(said())
    expect(fake.received).toHaveLength(PARTS + 1)
  })

  test('when the service ends in the middle, then finished parts are not sent again', async () => {
    const id = await send()
    await eventually(async () => (await here.desk.noteOf(id)).partial)
    await here.desk.restart()
    expect(await textOf(id)).toEqual(said())
    const firsts = fake.received.filter(({ form }) => form.get('languages[]') === null)
    expect(firsts).toHaveLength(1)
  })

  describe('without a detector', () => {
    beforeAll(() => {
      modelDir = folder
    })

    test('when all parts overlap by 2 s, then no word is lost or doubled', async () => {
      expect(await textOf(await send())).toEqual(said())
      expect(fake.received).toHaveLength(PARTS)
    })
  })
})

/** Joins recordings with pauses of 0.2 to 0.8 s; returns their words with times. None repeats, as loops are cut. */
async function readAloud(note: string): Promise<Word[]> {
  const recordings = await Promise.all(
    librivox().map(async ({ path, words }) => ({
      words,
      sound: (await readFile(path)).subarray(WAV_HEADER),
    })),
  )
  const sounds: Buffer[] = []
  const all: Word[] = []
  let [at, seed] = [0, 1]
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const add = (sound: Buffer) => {
    sounds.push(sound)
    at += sound.length / 2 / SAMPLE_RATE
  }
  let which = 0
  while (at < SECONDS) {
    which = (which + 1 + random(recordings.length - 1)) % recordings.length
    const { words, sound } = recordings[which]!
    const seconds = sound.length / 2 / SAMPLE_RATE
    for (const [nth, text] of words.entries()) {
      all.push({ text, at: at + ((nth + 0.5) / words.length) * seconds })
    }
    add(sound)
    add(Buffer.alloc(2 * Math.round(SAMPLE_RATE * (0.2 + random(600) / 1000))))
  }
  await writeFile(`${note}.raw`, Buffer.concat(sounds))
  await convert('-f', 's16le', '-ar', `${SAMPLE_RATE}`, '-ac', '1', '-i', `${note}.raw`, note)
  return all
}

/** Returns the second of the whole at which this part begins. */
function placeOf(part: number[], whole: number[]): number {
  let [place, least] = [0, Number.POSITIVE_INFINITY]
  for (let at = 0; at + part.length <= whole.length + 1; at++) {
    let sum = 0
    for (let step = 0; step < part.length && sum < least; step++)
      sum += Math.abs((part[step] ?? 0) - (whole[at + step] ?? 0))
    if (sum < least) [place, least] = [at, sum]
  }
  return place / STEPS_PER_SECOND
}
