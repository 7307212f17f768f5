import { join } from 'node:path'
import { eventually } from '@voxscribe/service/testing'
import { fakeSphinx, folderOfTests, tone } from '@voxscribe/speech/testing'
import { deskFor } from '../testing.ts'

const folder = folderOfTests()
const short = await tone(join(folder, 'short.ogg'), 5)
const long = await tone(join(folder, 'long.ogg'), 70)
let sphinx: Awaited<ReturnType<typeof fakeSphinx>>
const here = deskFor(
  async folder => {
    sphinx = await fakeSphinx(folder)
    await sphinx.hold()
    return { SPEECH_ENGINE: 'sphinx', SPHINX_COMMAND: sphinx.command, TRANSCRIPTION_CONCURRENCY: '1' }
  },
  { each: true },
)

/** Sends a note and reserves its minutes. */
async function send(path: string, userId: string): Promise<string> {
  const { data } = await here.desk.receive(path, { userId })
  await here.desk.reserve(data.mediaId)
  return data.mediaId
}
const stepOf = async (id: string, userId: string) => (await here.desk.noteOf(id, userId)).timeline.at(-1).step
const inLine = (id: string, userId: string) =>
  eventually(async () => (await stepOf(id, userId)) === 'minutesAsked')
const begins = (runs: number) => eventually(async () => (await sphinx.runs()) === runs)

test("when a long note is at work, then another person's short one begins beside it at once", async () => {
  const before = await sphinx.runs()
  const slow = await send(long, 'long')
  await begins(before + 1)
  const second = await send(long, 'other')
  const quick = await send(short, 'short')
  await begins(before + 2)
  expect(await stepOf(quick, 'short')).toBe('listening')
  expect(await stepOf(second, 'other')).not.toBe('listening')
  await sphinx.release()
  for (const id of [slow, second, quick]) await here.desk.completed(id)
})

test('when one person’s notes wait, then another person’s is next, and nobody’s is lost', async () => {
  const before = await sphinx.runs()
  const first = await send(short, 'many')
  await begins(before + 1)
  const theirs = [first]
  for (let note = 0; note < 5; note++) theirs.push(await send(short, 'many'))
  await inLine(theirs.at(-1)!, 'many')
  const mine = await send(short, 'single')
  await inLine(mine, 'single')
  await sphinx.release()
  for (const id of [...theirs, mine]) await here.desk.completed(id)
  const ended = here.desk.bus.sent('TranscriptionCompleted').map(({ data }) => data.transcriptionId)
  expect(ended.filter(id => [...theirs, mine].includes(id)).indexOf(mine)).toBe(1)
})

test("when the wait is long, then the page shows it at once, the chat after a while, except behind one's own notes", async () => {
  await sphinx.release()
  await sphinx.slowDown(2)
  await here.desk.completed(await send(short, 'pace'))
  await sphinx.slowDown(0)
  await sphinx.hold()
  const before = await sphinx.runs()
  const ids = [await send(long, 'first')]
  await begins(before + 1)
  for (const userId of ['second', 'third']) ids.push(await send(long, userId))
  await inLine(ids.at(-1)!, 'third')
  ids.push(await send(long, 'third'))
  const { notice, notices } = await here.desk.noteOf(ids[2]!, 'third')
  expect(notices).toMatchObject([{ code: 'in_line' }])
  // 70 s of audio wait ahead of it, at about 2 s per 5 s.
  const { waitSeconds } = notices[0].facts
  expect(waitSeconds).toBeGreaterThanOrEqual(20)
  const queued = () => here.desk.bus.sent('NoteQueued').map(({ data }) => data)
  expect(queued()).toEqual([])
  const due = { answerBy: new Date(0), 'notices.0.facts.waitSeconds': 600 }
  await here.desk.notes.updateOne({ _id: ids[2]! }, { $set: due } as object)
  await eventually(() => queued().length > 0)
  expect(queued()).toMatchObject([{ transcriptionId: ids[2], userId: 'third' }])
  expect(queued()[0]?.waitSeconds).toBeGreaterThan(500)
  expect(notice).toMatch(/in about .*minute/)
  await sphinx.release()
  for (const id of ids) await here.desk.completed(id)
  const { notices: after } = await here.desk.noteOf(ids[2]!, 'third')
  expect(after).not.toMatchObject([{ code: 'in_line' }])
})
