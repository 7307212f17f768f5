import { join } from 'node:path'
import { eventually } from '@voxscribe/service/testing'
import { fakeSphinx, folderOfTests, tone } from '@voxscribe/speech/testing'
import { deskFor } from '../testing.ts'

/** PocketSphinx gets parts of 15 and 30 s, then of up to a minute. */
const PARTS = 3
const SECONDS = 72.3
const LIMIT_MS = 600_000
/** The parts together exceed the limit, though no single one does. */
const PART_MS = 240_000

const note = await tone(join(folderOfTests(), 'long.ogg'), SECONDS)
let sphinx: Awaited<ReturnType<typeof fakeSphinx>>
const here = deskFor(
  async folder => {
    sphinx = await fakeSphinx(folder)
    const engine = { SPEECH_ENGINE: 'sphinx', SPHINX_COMMAND: sphinx.command }
    return { ...engine, SWEEP_EVERY: '50ms', NOTE_TIMEOUT: `${LIMIT_MS}ms` }
  },
  { each: true },
)

test('when parts finish one by one, then a note may take longer than the limit', async () => {
  await sphinx.hold()
  const { data } = await here.desk.receive(note)
  await here.desk.reserve(data.mediaId)
  for (let part = 1; part <= PARTS; part++) {
    await eventually(async () => (await sphinx.runs()) === part)
    // Imitates a part that takes that long.
    const { since } = (await here.desk.notes.findOne({ _id: data.mediaId })) as unknown as { since: Date }
    await here.desk.notes.updateOne(
      { _id: data.mediaId },
      { $set: { since: new Date(since.getTime() - PART_MS) } as object },
    )
    await sphinx.letPass(part)
  }
  await here.desk.completed(data.mediaId)
  expect(await sphinx.runs()).toBe(PARTS)
})

test('when a note fails after its first part, then that part is not recognised again', async () => {
  await sphinx.breakDownAfter(1)
  const { data } = await here.desk.receive(note)
  await here.desk.reserve(data.mediaId)
  expect((await here.desk.failed(data.mediaId)).data.reason.code).toBe('transcription_failed')
  await sphinx.repair()
  const before = await sphinx.runs()
  await here.desk.refresh(data.mediaId)
  expect((await here.desk.finish(data.mediaId, 2)).done.text).toBe(
    Array(PARTS).fill('hello world').join('\n\n'),
  )
  expect((await sphinx.runs()) - before).toBe(PARTS - 1)
})
