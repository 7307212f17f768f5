import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Desk, fakeSphinx, startDesk, temporaryFolder, tone } from './testing.ts'

/** Three parts of PocketSphinx, cut at no whole number. */
const SECONDS = 152.3
const LIMIT_MS = 20_000
/** Longer than the limit in all, though no part is. */
const PART_SECONDS = 8

let folder: string
let sphinx: Awaited<ReturnType<typeof fakeSphinx>>
let note: string
let desk: Desk

beforeEach(async () => {
  folder = await temporaryFolder()
  sphinx = await fakeSphinx(folder)
  note = await tone(join(folder, 'long.ogg'), SECONDS)
})
afterEach(async () => {
  await desk.stop()
  await rm(folder, { recursive: true, force: true })
})

async function openDesk(limits: { NOTE_TIMEOUT?: string } = {}) {
  const engine = { SPEECH_ENGINE: 'sphinx', SPHINX_COMMAND: sphinx.command }
  desk = await startDesk({ ...engine, SWEEP_EVERY: '50ms', ...limits })
}

test('when each part takes its time, then a note may take longer than the limit: a finished part is progress', async () => {
  await openDesk({ NOTE_TIMEOUT: `${LIMIT_MS}ms` })
  await sphinx.slowDown(PART_SECONDS)
  const { data } = await desk.receive(note)
  await desk.reserve(data.mediaId)
  await desk.completed(data.mediaId, 1, 90_000)
  expect(await sphinx.runs()).toBe(3)
})

test('when a note fails after its first part, then that part is not recognised again', async () => {
  await openDesk()
  await sphinx.breakDownAfter(1)
  const { data } = await desk.receive(note)
  await desk.reserve(data.mediaId)
  expect((await desk.failed(data.mediaId)).data.reason.code).toBe('transcription_failed')
  await sphinx.repair()
  const before = await sphinx.runs()
  await desk.call('POST', `/transcriptions/${data.mediaId}/refresh`)
  await desk.reserve(data.mediaId, 2)
  expect((await desk.completed(data.mediaId, 2)).data.text).toBe('hello world '.repeat(3).trim())
  expect((await sphinx.runs()) - before).toBe(2)
})
