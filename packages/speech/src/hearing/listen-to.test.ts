import { Readable } from 'node:stream'
import { eventually } from '@voxscribe/service/testing'
import type { Span } from '../audio/levels.ts'
import { bordersOf } from '../audio/sounds.ts'
import type { Engine, PartSpeech } from '../engines/engine.ts'
import { knownModel } from '../engines/known-models.ts'
import { LOCAL } from '../engines/local.ts'
import { joined, listenTo } from './listen-to.ts'
import type { SavedPart } from './speech.ts'

const FILES = { folder: '/nowhere', original: '/nowhere/original', samples: '/nowhere/samples.raw' }
const NOTE = { _id: 'n', attempt: 1, language: 'en', mime: null, parts: [] }
const openAiModel = (model: string) => knownModel('openai', model, 'https://api.openai.com/v1').abilities
const engine = { name: 'local', model: 'm', instead: [] }
const allOf = (speech: Span[]) => ({ speech, detect: () => Readable.from(speech) })
/** An engine's response that states the position in the note. */
function placeOf(pieces: Span[]) {
  const [from, to] = [pieces[0]!.from, pieces.at(-1)!.to]
  const segments = [{ from, to, text: `From ${from} on.`, confidence: null }]
  return { from, to, answer: { segments, language: 'en', timesExact: true } }
}
const part = (text: string, seconds: number, language: string, confidence: number | null): PartSpeech => ({
  segments: [{ from: 0, to: seconds, text, confidence }],
  language,
  timesExact: true,
})

test('when parts are joined, then the longest language wins and confidence is weighted by time', () => {
  const parts = [part('hola ', 10, 'es', 0.2), part(' good morning', 30, 'en', 0.6)]
  expect(joined(parts, engine)).toMatchObject({
    text: 'hola good morning',
    segments: [
      { id: '1', from: 0, to: 10, text: 'hola ' },
      { id: '2', from: 0, to: 30, text: ' good morning' },
    ],
    timesExact: true,
    wordCount: 3,
    spokenLanguage: 'en',
    confidence: 0.5,
    notices: [],
  })
})

test('when a language is written without spaces, then parts are joined without one', () => {
  const chinese = part('你好', 2, 'zh', null)
  expect(joined([chinese, chinese], engine)).toMatchObject({ text: '你好你好', confidence: null })
})

test('when no part has any text, then it says that no speech was found', () => {
  expect(joined([part('  ', 3, 'en', 0.9)], engine)).toMatchObject({
    text: '',
    segments: [],
    wordCount: 0,
    confidence: null,
    spokenLanguage: 'en',
    notices: [{ code: 'no_speech' }],
  })
})

describe('two hours in one note', () => {
  const SECONDS = 7_200.37
  const { signal } = new AbortController()
  /** Continuous speech, with a pause of half a second every seven seconds. */
  const speech = Array.from({ length: Math.floor(SECONDS / 7) }, (_, at) => ({
    from: at * 7,
    to: at * 7 + 6.5,
  }))
  const sound = {
    seconds: SECONDS,
    isSilent: false,
    mayPlayDifferently: false,
    levels: Array.from({ length: Math.ceil(SECONDS * 10) }, () => 1_000),
    ...allOf(speech),
    ...FILES,
  }
  const LONG = [
    ['gpt-4o-mini-transcribe', openAiModel('gpt-4o-mini-transcribe'), 480, 4],
    ['gpt-transcribe', openAiModel('gpt-transcribe'), 1_200, 4],
    ['a server of one’s own', openAiModel('another'), 1_200, 2],
    ['a model on this machine', { ...LOCAL.whisper, languages: ['en'] }, 300, 2],
  ] as const

  /** An engine that returns positions in the note; later parts finish before earlier ones. */
  function engineThat(abilities: Engine['abilities'], fail: (from: number) => boolean = () => false) {
    const seen = { now: 0, atOnce: 0, parts: [] as number[], saved: [] as SavedPart[] }
    const waiting: (() => void)[] = []
    const engine: Engine = {
      name: 'openai',
      kind: 'openai',
      model: 'm',
      abilities,
      async recognise({ pieces }) {
        const { from, to, answer } = placeOf(pieces)
        seen.now += 1
        seen.atOnce = Math.max(seen.atOnce, seen.now)
        seen.parts.push(to - from)
        // The part that came last finishes first.
        const others = waiting.splice(0)
        await new Promise<void>(resolve => {
          waiting.push(resolve, ...others)
          setImmediate(() => waiting.shift()?.())
        })
        seen.now -= 1
        if (fail(from)) throw new Error('overloaded')
        return answer
      },
    }
    const note = { ...NOTE, parts: seen.saved }
    const deps = {
      engine,
      savePart: async (part: SavedPart) => seen.saved.push(part),
      likelyLanguage: async () => 'en',
    }
    return { seen, listen: () => listenTo(deps, note, sound, signal) }
  }

  test.each(LONG)(
    'when they are for %s, then its bounds are kept, and every part is in the text, in order',
    async (_who, abilities, partSeconds, atOnce) => {
      const { seen, listen } = engineThat(abilities)
      const { segments } = await listen()
      expect(seen.atOnce).toBe(atOnce)
      expect(Math.max(...seen.parts)).toBeLessThanOrEqual(partSeconds + 1)
      expect(segments).toHaveLength(seen.parts.length)
      expect(seen.saved).toHaveLength(seen.parts.length)
      const spoken = segments.reduce((sum, { from, to }) => sum + to - from, 0)
      expect(spoken).toBeCloseTo(speech.at(-1)!.to + 0.2, 0)
      for (const [at, { from }] of segments.entries()) if (at) expect(from).toBe(segments[at - 1]!.to)
    },
  )

  test.each([
    ['gpt-4o-mini-transcribe', 0.003],
    ['whisper-1', 0.006],
    ['another', 0],
  ])('when a part of %s fails, then only unfinished parts are repeated', async (model, perMinute) => {
    let isBroken = true
    const { seen, listen } = engineThat(openAiModel(model), from => isBroken && from > 3_600)
    await expect(listen()).rejects.toThrow('overloaded')
    const [done, tried] = [seen.saved.length, seen.parts.length]
    expect(done).toBeGreaterThan(2)
    isBroken = false
    const { segments, engineCost: cost } = await listen()
    expect(seen.parts.length - tried).toBe(segments.length - done)
    expect(cost).toBeCloseTo(((speech.at(-1)!.to + 0.2) / 60) * perMinute, 6)
  })
})

describe('nine minutes, of which most is not looked at yet', () => {
  const speech = Array.from({ length: 180 }, (_, at) => ({ from: at * 3, to: at * 3 + 2.5 }))
  const abilities = { ...LOCAL.moonshine, languages: ['en'] }

  /** The detector stops after 90 s until it is released or aborted. */
  function held(before: (from: number) => Promise<void>) {
    const gate = Promise.withResolvers<void>()
    gate.promise.catch(() => {})
    const found: Span[] = []
    const asked: Span[] = []
    const saved: { part: SavedPart; spokenSoFar: number[] }[] = []
    const sound = {
      ...FILES,
      seconds: 540,
      isSilent: false,
      mayPlayDifferently: false,
      levels: Array.from({ length: 5_400 }, () => 1_000),
      speech: found,
      async *detect(signal: AbortSignal) {
        signal.addEventListener('abort', () => gate.reject(signal.reason))
        for (const span of speech) {
          if (span.from === 90) await gate.promise
          found.push(span)
          yield span
        }
      },
    }
    const engine: Engine = {
      name: 'local',
      kind: 'local',
      model: 'm',
      abilities,
      async recognise({ pieces }) {
        const { from, to, answer } = placeOf(pieces)
        asked.push({ from, to })
        await before(from)
        return answer
      },
    }
    const savePart = async (part: SavedPart, spokenSoFar: number[]) => saved.push({ part, spokenSoFar })
    const deps = { engine, savePart, likelyLanguage: async () => 'en' }
    const listen = (parts: SavedPart[] = []) =>
      listenTo(deps, { ...NOTE, parts }, sound, new AbortController().signal)
    return { gate, found, asked, saved, listen }
  }

  test('when the detector stands still, then the first parts are recognised and saved with what is known', async () => {
    const { gate, found, asked, saved, listen } = held(async () => {})
    const speech = listen()
    await eventually(() => saved.length === 2)
    expect(found).toHaveLength(30)
    expect(asked[0]!.to).toBeLessThan(16)
    for (const { part, spokenSoFar } of saved) {
      expect(spokenSoFar).toEqual(bordersOf(found).slice(0, spokenSoFar.length))
      expect(spokenSoFar.at(-1)).toBeGreaterThan(part.to - 1)
    }
    gate.resolve()
    const { segments } = await speech
    expect(segments.map(({ from, to }) => ({ from, to }))).toEqual(asked)
    expect(saved).toHaveLength(asked.length)
  })

  test('when all of it is heard again after a crash, then no finished part is asked for again', async () => {
    const before = held(async () => {})
    before.gate.resolve()
    await before.listen()
    const { gate, asked, listen } = held(async () => {})
    gate.resolve()
    const kept = before.saved.map(({ part }) => part).filter((_, at) => at % 2)
    await listen(kept)
    expect(asked).toEqual(before.asked.filter((_, at) => at % 2 === 0))
  })

  test('when an engine is slow, then the detector goes few parts ahead', async () => {
    const go = Promise.withResolvers<void>()
    const { gate, found, asked, listen } = held(() => go.promise)
    gate.resolve()
    const speech = listen()
    await eventually(() => asked.length === abilities.partsAtOnce)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(found.at(-1)!.to).toBeLessThan(15 + 30 + 60 + 120 + 60)
    go.resolve()
    expect((await speech).segments.at(-1)?.to).toBeGreaterThan(530)
  })

  test('when a part fails, then the detector is stopped, and that failure is told', async () => {
    const { asked, listen } = held(async () => {
      throw new Error('overloaded')
    })
    await expect(listen()).rejects.toThrow('overloaded')
    expect(asked.length).toBeLessThanOrEqual(abilities.partsAtOnce)
  })
})

test.each([
  ['9,600 characters without an end', Array.from({ length: 1_100 }, (_, at) => `word${at}`).join(' '), 0, []],
  ['a phantom sentence alone', 'Thanks for watching!', 0.9, [{ code: 'doubtful' }]],
  ['a sentence that the engine takes for silence', 'Call me back.', 0.99, []],
])('when an engine gives %s, then that is the text of the note', async (_what, text, noSpeech, notices) => {
  const engine: Engine = {
    name: 'openai',
    kind: 'openai',
    model: 'm',
    abilities: openAiModel('another'),
    recognise: async () => ({
      segments: [{ from: 0, to: 9, text, confidence: null, noSpeech }],
      language: 'en',
      timesExact: true,
    }),
  }
  const span = { from: 0, to: 9 }
  const sound = {
    seconds: 9,
    isSilent: false,
    mayPlayDifferently: false,
    levels: [1_000],
    ...allOf([span]),
    ...FILES,
  }
  const deps = { engine, savePart: async () => {}, likelyLanguage: async () => 'en' }
  expect(await listenTo(deps, NOTE, sound, new AbortController().signal)).toMatchObject({ text, notices })
})
