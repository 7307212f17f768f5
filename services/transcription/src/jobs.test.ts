import { existsSync } from 'node:fs'
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MediaExpired } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { FOLDER_PREFIX } from './audio/sounds.ts'
import { expectIn } from './models/expected.ts'
import { DEFAULT } from './models/table.ts'
import { type Desk, fakeSphinx, startDesk, temporaryFolder, tone } from './testing.ts'

const LIMIT_MS = 4_000

let folder: string
let note: string
let desk: Desk

beforeEach(async () => {
  folder = await temporaryFolder()
  note = await tone(join(folder, 'note.ogg'))
  desk = await startDesk({
    SPEECH_ENGINE: 'auto',
    MODEL_DIR: join(folder, 'models'),
    SPHINX_COMMAND: join(folder, 'fake-sphinx'),
    NOTE_TIMEOUT: `${LIMIT_MS}ms`,
    SWEEP_EVERY: '50ms',
    ENGINE_CHECK_EVERY: '50ms',
  })
})
afterEach(async () => {
  await desk.stop()
  await rm(folder, { recursive: true, force: true })
})

const shown = async () => (await desk.call('GET', '/transcriptions')).body.data.transcriptions

test('when listening never ends, then the sweeper fails the note and stops the engine', async () => {
  const sphinx = await fakeSphinx(folder)
  await sphinx.hold()
  const { data } = await desk.receive(note)
  await desk.reserve(data.mediaId)
  expect((await desk.failed(data.mediaId)).data.reason.code).toBe('timed_out')
  expect(await shown()).toMatchObject([{ status: 'failed', text: '' }])
  // A held program ends only when it is killed.
  const [pid] = await sphinx.pids()
  await eventually(() => !existsSync(`/proc/${pid}`))
})

test('when an engine is installed later, then waiting notes continue, having held no minutes', async () => {
  const { data } = await desk.receive(note)
  const waiting = await eventually(async () => {
    const notes = await shown()
    return notes[0]?.notice && Date.now() - Date.parse(notes[0].createdAt) > LIMIT_MS + 300 && notes
  })
  expect(waiting).toMatchObject([
    { status: 'processing', text: '', notice: expect.stringMatching(/^Waiting for a speech engine/) },
  ])
  expect(desk.bus.sent('MediaNormalised')).toEqual([])
  await fakeSphinx(folder)
  await desk.reserve(data.mediaId)
  expect((await desk.completed(data.mediaId)).data.text).toBe('hello world')
})

test('when the engine goes while a note waits for minutes, then the note waits for an engine', async () => {
  const sphinx = await fakeSphinx(folder)
  const { data } = await desk.receive(note)
  await eventually(() => desk.bus.sent('MediaNormalised').length === 1)
  await rm(sphinx.command)
  await desk.reserve(data.mediaId)
  await eventually(async () => (await shown())[0].notice?.startsWith('Waiting for a speech engine'))
  await fakeSphinx(folder)
  await eventually(async () => (await shown())[0].notice === null)
  await desk.reserve(data.mediaId)
  expect((await desk.completed(data.mediaId)).data.text).toBe('hello world')
})

test('when the model for a language is being fetched, then its notes wait until that is over', async () => {
  await fakeSphinx(folder)
  const ended = expectIn(join(folder, 'models'), DEFAULT)
  const { data } = await desk.receive(note, { language: 'de' })
  await eventually(async () => (await shown())[0]?.notice?.startsWith('Waiting for a speech engine'))
  const english = await desk.receive(note, { language: 'en' })
  await desk.reserve(english.data.mediaId)
  await desk.completed(english.data.mediaId)
  expect(desk.bus.sent('MediaNormalised')).toHaveLength(1)
  // It could not be fetched.
  ended()
  await desk.reserve(data.mediaId)
  expect((await desk.failed(data.mediaId)).data.reason.code).toBe('language_not_supported')
})

test('when the audio expires while a note waits for an engine, then the note fails and says so', async () => {
  const { data } = await desk.receive(note)
  await eventually(async () => (await shown())[0]?.notice)
  await desk.bus.publish(MediaExpired.create({ mediaId: data.mediaId, userId: 'u1' }))
  expect((await desk.failed(data.mediaId)).data.reason.code).toBe('audio_deleted')
  expect(await shown()).toMatchObject([{ status: 'failed', audioAvailable: false }])
})

test('when a killed process left samples, then they are deleted; those in use stay', async () => {
  const agedFolder = async (ageMs: number) => {
    const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX))
    const then = new Date(Date.now() - ageMs)
    await utimes(folder, then, then)
    return folder
  }
  const ofAnother = await agedFolder(3 * LIMIT_MS)
  const left = await agedFolder(2 * 3_600_000)
  try {
    await eventually(() => !existsSync(left))
    expect(existsSync(ofAnother)).toBe(true)
  } finally {
    await rm(ofAnother, { recursive: true, force: true })
  }
})
