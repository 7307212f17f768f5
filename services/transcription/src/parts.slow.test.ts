import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@voxscribe/service/testing'
import { type Desk, fakeSphinx, startDesk, temporaryFolder, tone } from './testing.ts'

/** Three parts of PocketSphinx, cut at no whole number. */
const SECONDS = 152.3
const LIMIT_MS = 600_000
/** Longer than the limit in all, though no part is. */
const PART_MS = 240_000

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

test('when parts finish one by one, then a note may take longer than the limit', async () => {
  await openDesk({ NOTE_TIMEOUT: `${LIMIT_MS}ms` })
  await sphinx.hold()
  const { data } = await desk.receive(note)
  await desk.reserve(data.mediaId)
  for (const part of [1, 2, 3]) {
    await eventually(async () => (await sphinx.runs()) === part)
    // As if it had begun that much earlier.
    const { since } = (await desk.notes.findOne({ _id: data.mediaId })) as unknown as { since: Date }
    await desk.notes.updateOne(
      { _id: data.mediaId },
      { $set: { since: new Date(since.getTime() - PART_MS) } as object },
    )
    await sphinx.letPass(part)
  }
  await desk.completed(data.mediaId)
  expect(await sphinx.runs()).toBe(3)
})

test('when a note fails after its first part, then that part is not recognised again', async () => {
  await openDesk()
  await sphinx.breakDownAfter(1)
  const { data } = await desk.receive(note)
  await desk.reserve(data.mediaId)
  expect((await desk.failed(data.mediaId, 100_000)).data.reason.code).toBe('transcription_failed')
  await sphinx.repair()
  const before = await sphinx.runs()
  await desk.call('POST', `/transcriptions/${data.mediaId}/refresh`)
  await desk.reserve(data.mediaId, 2)
  expect((await desk.completed(data.mediaId, 2)).data.text).toBe(Array(3).fill('hello world').join('\n\n'))
  expect((await sphinx.runs()) - before).toBe(2)
}, 240_000)
