import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { folderOfTests } from '../testing/sound.ts'
import { DISK_PER_SECOND, TooLong } from './levels.ts'
import { createSounds, type Sound } from './sounds.ts'

const folder = folderOfTests()
const { signal } = new AbortController()
const store = async () => 'stored'
const SECONDS = 2
const note = (_id: string) => ({ _id, objectKey: _id, bytes: 0, durationSeconds: SECONDS })

/** Every file contains two seconds of speech; calls of the decoder are counted. */
function deskOf({
  roomForNotes = 10,
  speech = [{ from: 0, to: SECONDS }],
  broken = false,
  seconds = SECONDS,
  levels = [1_000],
  speechOf = {} as Record<number, { from: number; to: number }[]>,
} = {}) {
  const decoded: string[] = []
  let detections = 0
  const sounds = createSounds({
    files: { exists: async () => true, read: async () => Readable.from(['sound']) },
    temporaryFolder: () => folder,
    ffmpeg: {
      async decode(path, { to, maxSeconds = 0, track: only }) {
        decoded.push(path)
        if (broken) throw new Error('broken')
        if (seconds > maxSeconds) throw new TooLong()
        const track = {
          seconds,
          isSilent: false,
          mayPlayDifferently: false,
          isCounted: false,
          sides: null,
          levels,
        }
        const places = [0, ...Object.keys(speechOf).map(Number)].filter(each => each === (only ?? each))
        const samplesOf = (place: number) => (place ? `${to}-${place}` : to)
        for (const place of places) await writeFile(samplesOf(place), `${place}`)
        return places.map(place => ({ ...track, place, samples: samplesOf(place) }))
      },
      clip: async (_path, { folder }) => ({ path: folder, ending: '.ogg', isCopy: true }),
    },
    detector: {
      async *speechIn(path, _measured, { after = 0, onlyFirst, signal }) {
        detections += 1
        const later = (speechOf[Number(/-(\d)$/.exec(path)?.[1] ?? 0)] ?? speech).filter(
          ({ to }) => to > after,
        )
        for (const span of onlyFirst ? later.slice(0, 1) : later) if (!signal.aborted) yield span
      },
    },
    diskBytes: roomForNotes * SECONDS * DISK_PER_SECOND,
  })
  return { sounds, decoded, detections: () => detections, isLeft: (path: string) => existsSync(path) }
}
const detected = (sound: Sound) => Array.fromAsync(sound.detect(signal))
const originalOf = async ({ original }: { original: string }) => original

test('when a note was measured, then its samples are kept until the work ends, then deleted', async () => {
  const { sounds, decoded, isLeft } = deskOf()
  await sounds.measure(note('a'), signal, store)
  const path = await sounds.use(note('a'), signal, async ({ original }) => {
    expect(isLeft(original)).toBe(true)
    return original
  })
  expect(decoded).toEqual([path])
  expect(isLeft(path)).toBe(false)
})

test('when a note was measured anywhere before, then the detector is not asked again', async () => {
  const speech = [
    { from: 0.1, to: 0.9 },
    { from: 1.2, to: 1.5 },
  ]
  const before = deskOf({ speech })
  const { spoken } = await before.sounds.measure(note('a'), signal, store)
  await before.sounds.close()
  const { sounds, detections } = deskOf()
  const heard = await sounds.use({ ...note('a'), spoken }, signal, detected)
  expect(heard).toEqual(speech)
  expect(detections()).toBe(0)
})

test('when a note is long, then measuring finds the first speech, and the work the rest, after what is known', async () => {
  const speech = Array.from({ length: 60 }, (_, at) => ({ from: 2 * at, to: 2 * at + 1.5 }))
  const { sounds, detections } = deskOf({ speech, seconds: 120, roomForNotes: 100 })
  expect(await sounds.measure(note('a'), signal, store)).toMatchObject({ isSilent: false, spoken: null })
  const twice = async (sound: Sound) => [await detected(sound), await detected(sound), sound.speech]
  expect(await sounds.use(note('a'), signal, twice)).toEqual([speech, speech, speech])
  expect(detections()).toBe(2)
  // Another process would continue like this after a crash.
  const spokenSoFar = [0, 1.5, 2, 3.4]
  const [first, second] = await sounds.use({ ...note('a'), spokenSoFar }, signal, detected)
  expect([first, second?.to]).toEqual([speech[0], 3.4])
})

test('when the search for speech is broken off, then the next engine gets the rest', async () => {
  const speech = [
    { from: 0, to: 5 },
    { from: 70, to: 80 },
  ]
  const { sounds } = deskOf({ seconds: 100, speech })
  await sounds.measure(note('a'), signal, store)
  const found = sounds.use(note('a'), signal, async sound => {
    const failed = new AbortController()
    for await (const _ of sound.detect(failed.signal)) failed.abort()
    return detected(sound)
  })
  expect(await found).toEqual(speech)
})

test('when work on samples fails, then they are deleted, and a repeat decodes again', async () => {
  const { sounds, decoded, isLeft } = deskOf()
  await sounds.measure(note('a'), signal, store)
  const fail = async () => {
    throw new Error('broken')
  }
  await expect(sounds.use(note('a'), signal, fail)).rejects.toThrow('broken')
  expect(isLeft(decoded[0]!)).toBe(false)
  await sounds.use(note('a'), signal, originalOf)
  expect(decoded).toHaveLength(2)
})

test('when there is room for one note, then another one takes it, and the first is decoded again', async () => {
  const { sounds, decoded, isLeft } = deskOf({ roomForNotes: 1 })
  await sounds.measure(note('a'), signal, store)
  await sounds.measure(note('b'), signal, store)
  expect(isLeft(decoded[0]!)).toBe(false)
  await sounds.use(note('b'), signal, originalOf)
  await sounds.use(note('a'), signal, originalOf)
  expect(decoded).toHaveLength(3)
})

test('when room is needed, then the oldest sound goes that no work has', async () => {
  const { sounds, decoded, isLeft } = deskOf({ roomForNotes: 3 })
  for (const id of ['a', 'b', 'c']) await sounds.measure(note(id), signal, store)
  await sounds.use(note('a'), signal, async () => {
    await sounds.measure(note('d'), signal, store)
    expect(decoded.map(isLeft)).toEqual([true, false, true, true])
  })
  await sounds.close()
})

test.each([
  ['no one speaks in it', deskOf({ speech: [] })],
  ['it cannot be decoded', deskOf({ broken: true })],
])('when %s, then nothing of a note is kept', async (_why, { sounds, decoded, isLeft }) => {
  await sounds.measure(note('a'), signal, store).catch(() => {})
  expect(decoded).toHaveLength(1)
  expect(isLeft(decoded[0]!)).toBe(false)
})

test('when the same note is measured again, then the earlier sound is deleted', async () => {
  const { sounds, decoded, isLeft } = deskOf()
  await sounds.measure(note('a'), signal, store)
  await sounds.measure(note('a'), signal, store)
  expect(await sounds.use(note('a'), signal, originalOf)).toBe(decoded[1])
  expect(isLeft(decoded[0]!)).toBe(false)
})

test('when the service stops, then what was kept is deleted', async () => {
  const { sounds, decoded, isLeft } = deskOf()
  await sounds.measure(note('a'), signal, store)
  await sounds.close()
  expect(isLeft(decoded[0]!)).toBe(false)
})

const HOUR = 3_600
const small = { ...note('a'), bytes: 1_000, durationSeconds: null }

test('when a small file has hours of sound, then its length is known and reserved at once', async () => {
  const { sounds, decoded, isLeft } = deskOf({ roomForNotes: 3 * HOUR, seconds: 2 * HOUR })
  expect((await sounds.measure(small, signal, store)).durationSeconds).toBe(2 * HOUR)
  expect(decoded).toHaveLength(2)
  expect(decoded.filter(isLeft)).toHaveLength(1)
  await sounds.close()
})

test('when a small file has hours of silence, then it is decoded once, without the detector', async () => {
  const { sounds, decoded, detections } = deskOf({ seconds: 2 * HOUR, levels: [0] })
  expect(await sounds.measure(small, signal, store)).toMatchObject({
    durationSeconds: 2 * HOUR,
    isSilent: true,
  })
  expect(decoded).toHaveLength(1)
  expect(detections()).toBe(0)
})

test.each([
  ['there is room for', 2 * HOUR, 5 * HOUR],
  ['any plan has minutes for', 60 * HOUR, 20 * HOUR],
])(
  'when a small file is more sound than %s, then it is refused in bounded time',
  async (_why, room, seconds) => {
    const { sounds, decoded, isLeft } = deskOf({ roomForNotes: room / SECONDS, seconds })
    await expect(sounds.measure(small, signal, store)).rejects.toMatchObject({
      reason: { code: 'too_long_here' },
    })
    expect(decoded).toHaveLength(1)
    expect(decoded.filter(isLeft)).toEqual([])
  },
)

const span = (to: number) => [{ from: 0, to }]

test.each([
  ['music first, speech second', [], { 1: span(2) }, { place: 1, unheard: [] }],
  ['two speakers on two tracks', span(1.9), { 1: span(1) }, { place: 0, unheard: [1] }],
  ['little speech first, more on the third', span(0.5), { 1: [], 2: span(1.5) }, { place: 2, unheard: [0] }],
  ['two microphones before one speaker', span(1.7), { 1: span(1.8) }, { place: 0, unheard: [1] }],
])(
  'when a file has %s, then the detector chooses the track, which is kept',
  async (_what, speech, speechOf, chosen) => {
    const { sounds, detections } = deskOf({ speech, speechOf })
    const measured = await sounds.measure(note('a'), signal, store)
    const played = chosen.place ? 'stored' : null
    expect(measured).toMatchObject({ isSilent: false, heardTrack: { ...chosen, isCounted: false }, played })
    expect(detections()).toBe(1 + Object.keys(speechOf).length)
    const heard = async ({ samples, speech }: Sound) => [await readFile(samples, 'utf8'), speech]
    const first = await sounds.use({ ...note('a'), ...measured }, signal, heard)
    expect(first[0]).toBe(`${chosen.place}`)
    // Much later, or in another process.
    expect(await sounds.use({ ...note('a'), ...measured }, signal, heard)).toEqual(first)
  },
)
