import { join } from 'node:path'
import { NoteWithdrawn } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { ffmpeg } from '@voxscribe/speech/testing'
import { deskWithSphinx } from '../testing.ts'

const { folder, sphinx, desk, note } = await deskWithSphinx({
  RATE_LIMITS: 'off',
  ENGINE_CHECK_EVERY: '50ms',
})
const silence = join(folder, 'silence.ogg')
await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '2', silence)
afterEach(async () => {
  await sphinx.release()
  await sphinx.repair()
})

/** Gives the same bytes a new hash, so that cases do not share notes. */
const newSound = () => ({ sha256: crypto.randomUUID().replaceAll('-', '').repeat(2) })

const find = (mediaId: string) => desk.noteOf(mediaId)
const today = () => new Date().toISOString().slice(0, 10)
const askedFor = (mediaId: string) =>
  desk.bus.sent('MediaNormalised').filter(({ data }) => data.transcriptionId === mediaId)
const took = (mediaId: string, step: string) =>
  eventually(async () => (await find(mediaId))?.timeline.at(-1).step === step)
const waits = (mediaId: string) => took(mediaId, 'waitingForSame')

const receive = async (facts = {}, path = note) => (await desk.receive(path, facts)).data.mediaId
const completed = async (facts = {}) => (await desk.complete(note, facts)).id
/** Creates a note that waits for its minutes, and `count` notes of the same audio that wait for it. */
async function firstOf(count: number) {
  const sound = newSound()
  const first = await receive(sound)
  await took(first, 'minutesAsked')
  const others = await Promise.all(Array.from({ length: count }, () => receive(sound)))
  for (const other of others) await waits(other)
  return { first, others, second: others[0]! }
}

test('when audio comes again, then it is completed at once, without engine and without minutes', async () => {
  const sound = newSound()
  const first = await completed({ ...sound, title: 'Monday’s talk' })
  const runs = await sphinx.runs()
  const second = await receive({ ...sound, fileName: 'again.ogg', language: 'en' })
  const { data } = await desk.completed(second)
  const notice = `Same as Monday’s talk of ${today()}`
  expect(data).toMatchObject({
    text: 'hello world',
    words: 2,
    seconds: 0,
    remainingSeconds: null,
    attempt: 1,
  })
  expect(data.audioSeconds).toBeCloseTo(2, 1)
  const [one, other] = [await find(first), await find(second)]
  expect(other).toMatchObject({
    status: 'completed',
    title: 'again.ogg',
    notice,
    sameAs: first,
    notices: [{ code: 'same_as' }],
    text: one.text,
    segments: one.segments,
    levels: one.levels,
    language: one.language,
    engine: one.engine,
    durationSeconds: one.durationSeconds,
    timesExact: one.timesExact,
    wordCount: 2,
    confidenceScore: one.confidenceScore,
    audioAvailable: true,
  })
  expect(one.notice).not.toBe(notice)
  const steps = other.timeline.map(({ step }: { step: string }) => step)
  expect(steps).toEqual(['received', 'fetched', 'sameFound'])
  expect(askedFor(second)).toEqual([])
  expect(await sphinx.runs()).toBe(runs)
})

test('when another person sends it, or other bytes, then it is recognised', async () => {
  const sound = newSound()
  await completed(sound)
  await completed({ ...sound, userId: 'u2' })
  await completed(newSound())
})

test('when the first was corrected, then the correction counts, and can be undone', async () => {
  const sound = newSound()
  const first = await completed(sound)
  await desk.call('PATCH', `/transcriptions/${first}`, 'u1', {
    body: { segments: [{ id: '1', text: 'Hi' }] },
  })
  const second = await receive(sound)
  await desk.completed(second)
  expect(await find(second)).toMatchObject({ edited: true, text: (await find(first)).text })
  const { body } = await desk.call('PATCH', `/transcriptions/${second}`, 'u1', { body: { restore: true } })
  expect(body.data.transcription.text).toBe('hello world')
})

test('when the first is still in progress, then the others wait for it', async () => {
  const sound = newSound()
  await sphinx.hold()
  const first = await receive(sound)
  await desk.reserve(first)
  await took(first, 'listening')
  const others = [await receive(sound), await receive(sound)]
  for (const other of others) await waits(other)
  expect(await find(others[0] ?? '')).toMatchObject({
    status: 'processing',
    notices: [{ code: 'same_under_way' }],
  })
  await sphinx.release()
  for (const other of others) expect((await desk.completed(other)).data.seconds).toBe(0)
  expect(others.flatMap(askedFor)).toEqual([])
})

test('when ten come at once, then one is recognised', async () => {
  const sound = newSound()
  const ids = await Promise.all(Array.from({ length: 10 }, () => receive(sound)))
  const first = await eventually(() => ids.find(id => askedFor(id).length))
  await desk.reserve(first)
  for (const id of ids) await desk.completed(id)
  expect(ids.flatMap(askedFor)).toHaveLength(1)
})

test.each(['failed', 'deleted', 'withdrawn'])(
  'when the first is %s while others wait, then the next is recognised, and the rest wait for that',
  async how => {
    const { first, others } = await firstOf(2)
    if (how === 'failed') await desk.exceed(first)
    else if (how === 'deleted') await desk.remove(first)
    else await desk.bus.publish(NoteWithdrawn.create({ mediaId: first, userId: 'u1' }))
    const next = await eventually(() => others.find(id => askedFor(id).length))
    await desk.reserve(next)
    for (const other of others) await desk.completed(other)
    expect(others.flatMap(askedFor)).toHaveLength(1)
    expect((await find(first))?.status).toBe(how === 'failed' ? 'failed' : undefined)
  },
)

test('when the first was deleted, then it does not count, and a second that it left does', async () => {
  const sound = newSound()
  const first = await completed(sound)
  const second = await receive({ ...sound, title: 'Second' })
  await desk.completed(second)
  await desk.remove(first)
  expect(await find(second)).toMatchObject({ status: 'completed', text: 'hello world' })
  const third = await receive(sound)
  await desk.completed(third)
  expect((await find(third)).notice).toBe(`Same as Second of ${today()}`)
  for (const id of [second, third]) await desk.remove(id)
  await completed(sound)
})

test('when the second is refreshed, then the engine runs, and it still costs nothing', async () => {
  const sound = newSound()
  await completed(sound)
  const second = await receive(sound)
  await desk.completed(second)
  const runs = await sphinx.runs()
  expect((await desk.refresh(second)).status).toBe(200)
  expect((await desk.finish(second, 2)).done.seconds).toBe(0)
  expect(askedFor(second).map(({ data }) => data.seconds)).toEqual([0])
  expect(await sphinx.runs()).toBe(runs + 1)
  expect((await find(second)).notice ?? '').not.toContain('Same as')
})

test('when the first is being refreshed, then the second waits for its new text', async () => {
  const sound = newSound()
  const first = await completed(sound)
  await desk.refresh(first)
  const second = await receive(sound)
  await waits(second)
  await sphinx.says('new', 'text')
  await desk.reserve(first, 2)
  const { data } = await desk.completed(second)
  await sphinx.says('hello', 'world')
  expect(data.text).toBe('new text')
})

test('when nobody speaks in it, then each says so', async () => {
  const sound = newSound()
  const { id: first } = await desk.complete(silence, sound)
  const second = await receive(sound, silence)
  expect((await desk.completed(second)).data).toMatchObject({ text: '', seconds: 0 })
  for (const id of [first, second]) expect((await find(id)).notice).toBe('No speech found')
})

test('when a process died before it could wake those who wait, then the next start does', async () => {
  const { first, second } = await firstOf(1)
  await desk.notes.updateOne(
    { _id: first },
    { $set: { status: 'failed', stage: null }, $unset: { firstOf: 1 } },
  )
  await desk.finish(second)
})
