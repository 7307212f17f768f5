import { insertOnce } from '@voxscribe/service'
import { createMemory, drained, silentLog } from '@voxscribe/service/testing'
import { edit } from '../api/edit.ts'
import type { NoteRecord } from '../note/record.ts'
import { createNotes } from '../note/store.ts'
import { createSecondListener } from './second-listener.ts'

const TEXT = 'come home please'
const segments = [{ id: '1', from: 0, to: 2, text: TEXT, confidence: null }]
const heard = {
  segments: [{ from: 1, to: 2, text: TEXT, confidence: null }],
  language: 'en',
  timesExact: true,
}

/** Creates a completed note without times, and a listener that can recognize it if `sound` is given. */
async function open(facts: Partial<NoteRecord> = {}) {
  const memory = createMemory()
  const changed: string[] = []
  const notes = createNotes(
    memory.documentsOf(),
    () => new Date(0),
    ({ _id }) => changed.push(_id),
  )
  const completed = {
    _id: 'n1',
    userId: 'u1',
    attempt: 1,
    version: 2,
    status: 'completed',
    deletedAt: null,
    text: TEXT,
    segments,
    timesExact: false,
    confidence: null,
    notices: [],
    durationSeconds: 2,
    engine: { name: 'openai', model: 'gpt-transcribe', instead: [] },
    spokenLanguage: 'en',
    language: 'auto',
    parts: [],
    mime: null,
    fileName: 'note.ogg',
    outbox: [],
    ...facts,
  } as unknown as NoteRecord
  await insertOnce(notes.model, completed)
  const asked: string[] = []
  const world = { isIdle: true }
  let sound = async () => {}
  const listener = createSecondListener({
    notes,
    sounds: {
      use: async () => {
        asked.push('n1')
        await sound()
        return heard
      },
    } as never,
    engines: { engineForSecondHearing: () => ({ name: 'local', model: 'whisper' }) } as never,
    isIdle: () => world.isIdle,
    quietMs: 0,
    log: silentLog,
  })
  const stored = () => memory.all('transcriptions')[0]
  return {
    notes,
    world,
    completed,
    listener,
    changed,
    asked,
    stored,
    heldBy: (held: () => Promise<void>) => (sound = held),
  }
}

test('when a note without times is completed, then it gets them, its page hears of it, and its version stays', async () => {
  const { listener, completed, stored, changed } = await open()
  listener.offer(completed)
  await listener.settled()
  expect(stored()).toMatchObject({ timesExact: true, confidence: 1, text: TEXT, version: 2 })
  expect(stored()?.segments[0].words).toHaveLength(3)
  expect(changed).toEqual(['n1'])
})

test.each([
  ['edited', { version: 3, text: 'come home' }],
  ['deleted', { deletedAt: new Date() }],
  ['transcribed again', { attempt: 2, status: 'processing' }],
])('when a note is %s meanwhile, then nothing of it changes', async (_name, change) => {
  const { listener, completed, notes, stored, changed, heldBy } = await open()
  const { promise, resolve } = Promise.withResolvers<void>()
  heldBy(() => promise)
  listener.offer(completed)
  await notes.model.updateOne({ _id: 'n1' }, { $set: change })
  const before = structuredClone(stored())
  resolve()
  await listener.settled()
  expect(stored()).toEqual(before)
  expect(changed).toEqual([])
})

test('when a note is heard again while a correction is on its way, then the corrected passage has its times', async () => {
  const { listener, completed, notes, stored } = await open()
  const find = async () => {
    const read = await notes.model.findById('n1').lean()
    listener.offer(completed)
    await listener.settled()
    return read!
  }
  await edit(notes, find, { segments: [{ id: '1', text: 'come here please' }] }, 2)
  expect(stored()).toMatchObject({ version: 3, timesExact: true })
  expect(stored()?.segments[0]).toMatchObject({ from: 1, to: 2, text: 'come here please' })
  expect(stored()?.original.segments[0].words).toHaveLength(3)
})

test.each([
  ['has times and a confidence', { timesExact: true, confidence: 0.9 }],
  ['has no text', { text: '' }],
  ['is longer than half an hour', { durationSeconds: 1_801 }],
])('when a note %s, then it is not heard again', async (_name, facts) => {
  const { listener, completed, asked } = await open(facts as Partial<NoteRecord>)
  listener.offer(completed)
  await listener.settled()
  expect(asked).toEqual([])
})

test('when a note cannot be heard again, then it stays as it is, and the next one is heard', async () => {
  const { listener, completed, stored, heldBy } = await open()
  heldBy(() => Promise.reject(new Error('the audio is gone')))
  listener.offer(completed)
  await listener.settled()
  expect(stored()).toMatchObject({ timesExact: false, confidence: null })
  heldBy(async () => {})
  listener.offer(completed)
  await listener.settled()
  expect(stored()).toMatchObject({ timesExact: true })
})

test('when a note is at work, then no other is heard again before it is done', async () => {
  const { listener, completed, asked, world } = await open()
  world.isIdle = false
  listener.offer(completed)
  await drained()
  expect(asked).toEqual([])
  world.isIdle = true
  await listener.settled()
  expect(asked).toEqual(['n1'])
})
