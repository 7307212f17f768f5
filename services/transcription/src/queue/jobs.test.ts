import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MediaExpired } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { DEFAULT } from '@voxscribe/speech'
import { expectIn, fakeSphinx, tone } from '@voxscribe/speech/testing'
import { deskFor, SOURCE } from '../testing.ts'

const here = deskFor(
  folder => ({
    SPEECH_ENGINE: 'auto',
    MODEL_DIR: join(folder, 'models'),
    SPHINX_COMMAND: join(folder, 'fake-sphinx'),
    ENGINE_CHECK_EVERY: '50ms',
    WORKING_NOTICE: '20s',
  }),
  { each: true },
)
const receive = async (facts = {}) =>
  (await here.desk.receive(await tone(join(here.folder, 'note.ogg')), facts)).data.mediaId
const shown = async () => (await here.desk.call('GET', '/transcriptions')).body.data.transcriptions
const waits = () =>
  eventually(async () => (await shown())[0]?.notice?.startsWith('Waiting for a speech engine'))
const change = (_id: string, $set: object) => here.desk.notes.updateOne({ _id }, { $set })
/** Makes a note exceed the time in its stage. */
const isLate = (id: string) => change(id, { since: new Date(0), createdAt: new Date(0) })

test('when listening never ends, then the sweeper fails the note and stops the engine', async () => {
  const sphinx = await fakeSphinx(here.folder)
  await sphinx.hold()
  const id = await receive()
  await here.desk.reserve(id)
  const pid = await eventually(async () => (await sphinx.pids())[0])
  await isLate(id)
  await here.desk.runJob('sweep')
  expect((await here.desk.failed(id)).data.reason.code).toBe('timed_out')
  expect(await shown()).toMatchObject([{ status: 'failed', text: '' }])
  // A held program ends only if it is killed.
  await eventually(() => !existsSync(`/proc/${pid}`))
})

test('when an engine is installed later, then waiting notes continue, having held no minutes', async () => {
  const id = await receive()
  await waits()
  await isLate(id)
  await here.desk.runJob('sweep')
  expect(await shown()).toMatchObject([
    { status: 'processing', text: '', notice: expect.stringMatching(/^Waiting for a speech engine/) },
  ])
  expect(here.desk.bus.sent('MediaNormalised')).toEqual([])
  await fakeSphinx(here.folder)
  expect((await here.desk.finish(id)).done.text).toBe('hello world')
})

test('when the engine goes while a note waits for minutes, then the note waits for an engine', async () => {
  const sphinx = await fakeSphinx(here.folder)
  const id = await receive()
  await eventually(() => here.desk.bus.sent('MediaNormalised').length === 1)
  await rm(sphinx.command)
  await here.desk.reserve(id)
  await waits()
  await fakeSphinx(here.folder)
  await eventually(async () => (await shown())[0].notice === null)
  expect((await here.desk.finish(id)).done.text).toBe('hello world')
})

test('when the model for a language is being fetched, then its notes wait until that is over', async () => {
  await fakeSphinx(here.folder)
  const ended = expectIn(join(here.folder, 'models'), DEFAULT)
  const id = await receive({ language: 'de' })
  await waits()
  await here.desk.finish(await receive({ language: 'en' }))
  expect(here.desk.bus.sent('MediaNormalised')).toHaveLength(1)
  // Its download failed.
  ended()
  await here.desk.reserve(id)
  expect((await here.desk.failed(id)).data.reason.code).toBe('language_not_supported')
})

test('when the audio expires while a note waits for an engine, then the note fails and says so', async () => {
  const id = await receive()
  await waits()
  await here.desk.bus.publish(MediaExpired.create({ mediaId: id, userId: 'u1' }))
  await here.desk.runJob('sweep')
  expect((await here.desk.failed(id)).data.reason.code).toBe('audio_deleted')
  expect(await shown()).toMatchObject([{ status: 'failed', audioAvailable: false }])
})

test('when a killed process left samples, then they are deleted', async () => {
  const left = join(tmpdir(), `voxscribe-${randomUUID()}`)
  await mkdir(left)
  await writeFile(join(left, 'in-use'), '')
  await here.desk.runJob('delete-leftovers')
  expect(existsSync(left)).toBe(false)
})

test('when a note takes longer than it may without a word, then its chat is told once', async () => {
  const sphinx = await fakeSphinx(here.folder)
  await sphinx.hold()
  const ago = (ms: number) => ({ receivedAt: new Date(Date.now() - ms).toISOString() })
  await receive(ago(1_000))
  await receive({ ...ago(21_000), source: { channel: 'web' } })
  await receive({ ...ago(21_000), source: { ...SOURCE, claimed: true } })
  const notices = () => here.desk.bus.sent('NoteQueued').map(({ data }) => data)
  async function receiveLate() {
    const id = await receive(ago(21_000))
    await here.desk.normalised(id)
    await here.desk.runJob('notify-long-waits')
    return id
  }
  const first = await receiveLate()
  await eventually(() => notices().length === 1)
  const second = await receiveLate()
  await eventually(() => notices().length === 2)
  expect(notices()).toMatchObject([first, second].map(id => ({ transcriptionId: id, waitSeconds: null })))
})
