import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  AnswerSent,
  type EventOf,
  MediaExpired,
  type NoteCommand,
  NoteCommandReceived,
  type Source,
} from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { deskWithSphinx } from '../testing.ts'

const {
  sphinx,
  desk,
  folder,
  note: path,
} = await deskWithSphinx({
  RATE_LIMITS: 'off',
  SWEEP_EVERY: '1s',
})

type Asked = Partial<Pick<EventOf<'NoteCommandReceived'>['data'], 'quoted' | 'quotesOwn' | 'noteId'>> & {
  claimed?: true
  address?: string
}

let people = 0
/** Creates a person with a chat that no other case uses. */
function newPerson() {
  people += 1
  const [userId, address] = [`person-${people}`, `1650555${String(people).padStart(4, '0')}`]
  const messageOf = (more: Partial<Source> = {}): Source => ({
    channel: 'whatsapp',
    address,
    messageId: `wamid.${randomUUID()}`,
    ...more,
  })
  const ask = (command: NoteCommand, { claimed, address, ...asked }: Asked = {}) =>
    NoteCommandReceived.create({
      userId,
      command,
      source: messageOf({ ...(claimed && { claimed }), ...(address && { address }) }),
      ...asked,
    })
  return {
    userId,
    address,
    messageOf,
    ask,
    /** Completes a note of theirs, with its message. */
    async complete(more: Partial<Source> = {}) {
      const source = messageOf(more)
      const { id, event } = await desk.complete(path, { userId, source })
      return { id, event, messageId: source.messageId }
    },
    /** Sends a command and returns its outcome. */
    async outcomeOf(command: NoteCommand, asked?: Asked) {
      const event = ask(command, asked)
      await desk.bus.publish(event)
      return (await doneOf(event)).data.outcome
    },
  }
}

const outcomesOf = ({ id }: { id: string }) =>
  desk.bus.sent('NoteCommandDone').filter(({ causeId }) => causeId === id)
const doneOf = (event: { id: string }) => eventually(() => outcomesOf(event)[0])
/** Delivers the command again, as if its process had died before it wrote the outcome. */
async function afterCrash(event: EventOf<'NoteCommandReceived'>) {
  await desk.stored('commands').updateOne({ _id: event.id }, { $set: { isDone: false, outbox: [] } })
  await desk.bus.publish(event)
}
const english: NoteCommand = { name: 'again', language: 'en' }
const remove: NoteCommand = { name: 'delete' }
const txt: NoteCommand = { name: 'export', format: 'txt' }
const find = (words: string): NoteCommand => ({ name: 'find', words })
const refused = (why: string) => ({ kind: 'refused', why })
const textOf = (outcome: object) =>
  'content' in outcome ? Buffer.from(String(outcome.content), 'base64').toString() : outcome

describe('which note a command is about', () => {
  test('when a message is quoted, then it is its own, an answer to it, or an answer to a command about it', async () => {
    const person = newPerson()
    const { id, messageId } = await person.complete()
    await person.complete()
    const about = async (quoted: string) => {
      const event = person.ask(txt, { quoted })
      await desk.bus.publish(event)
      return (await doneOf(event)).data.transcriptionId
    }
    const answered = (way: 'chat' | 'command', ...messageIds: string[]) =>
      AnswerSent.create({ transcriptionId: id, userId: person.userId, way, messageIds })
    await desk.bus.publish(answered('chat', 'wamid.answer'))
    const again = answered('command', 'wamid.file', 'wamid.srt')
    for (const event of [again, again]) await desk.bus.publish(event)
    // A person may send many commands about a note, and still reply to its text.
    for (let more = 0; more < 30; more++)
      await desk.bus.publish(answered('command', `wamid.file${more}`, `wamid.txt${more}`))
    for (const quoted of [messageId, 'wamid.answer', 'wamid.file', 'wamid.srt'])
      expect([quoted, await about(quoted)]).toEqual([quoted, id])
    const steps = (await desk.noteOf(id, person.userId)).timeline.map(({ step }: { step: string }) => step)
    expect(steps.filter((step: string) => step === 'answered')).toHaveLength(1)
  })

  test('when nothing is quoted, then it is the newest, and before the first there is none', async () => {
    const person = newPerson()
    expect(await person.outcomeOf(txt)).toEqual(refused('no_note'))
    await person.complete()
    const { id } = await person.complete()
    const event = person.ask(remove)
    await desk.bus.publish(event)
    await doneOf(event)
    expect(await desk.noteOf(id, person.userId)).toBeUndefined()
  })

  test('when it is someone else’s, unknown or deleted, then it is not found, and stays', async () => {
    const [owner, other] = [newPerson(), newPerson()]
    const { id, messageId } = await owner.complete()
    for (const command of [remove, txt, english])
      expect(await other.outcomeOf(command, { quoted: messageId, noteId: id })).toEqual(
        refused('unknown_note'),
      )
    expect(await desk.noteOf(id, owner.userId)).toMatchObject({ status: 'completed' })
    expect(await owner.outcomeOf(remove, { quoted: 'wamid.unknown' })).toEqual(refused('unknown_note'))
    await desk.remove(id, owner.userId)
    expect(await owner.outcomeOf(txt, { quoted: messageId })).toEqual(refused('unknown_note'))
    // The last note of the chat is gone; the command must not affect the one before it.
    const { id: before } = await owner.complete()
    expect(await owner.outcomeOf(remove, { noteId: id })).toEqual(refused('unknown_note'))
    expect(await desk.noteOf(before, owner.userId)).toMatchObject({ status: 'completed' })
  })

  test('when the number is only claimed, then it reaches the notes of its own chat alone', async () => {
    const person = newPerson()
    const [mine, { id, messageId }] = [{ address: '16505559999' }, await person.complete()]
    const claimed = { claimed: true, ...mine } as const
    for (const asked of [{ quoted: messageId }, { noteId: id }, {}])
      expect(await person.outcomeOf(remove, { ...claimed, ...asked })).toMatchObject({ kind: 'refused' })
    expect(await person.outcomeOf(find('hello'), claimed)).toMatchObject({ kind: 'found', notes: [] })
    expect(await desk.noteOf(id, person.userId)).toMatchObject({ status: 'completed' })
    await person.complete(mine)
    expect(await person.outcomeOf(find('hello'), claimed)).toMatchObject({ notes: [{ title: 'note.ogg' }] })
    expect(await person.outcomeOf(remove, claimed)).toMatchObject({ kind: 'deleted' })
    expect(await person.outcomeOf(remove, claimed)).toEqual(refused('no_note'))
  })

  test('when the note is still on its way, then the command waits for it, but not for ever', async () => {
    const person = newPerson()
    await person.complete()
    const mediaId = randomUUID()
    const event = person.ask(remove, { noteId: mediaId })
    void desk.bus.publish(event)
    await desk.receive(path, { mediaId, userId: person.userId, source: person.messageOf() })
    expect((await doneOf(event)).data.outcome).toMatchObject({ kind: 'deleted' })
    expect(await desk.noteOf(mediaId, person.userId)).toBeUndefined()
    const late = { ...person.ask(txt, { noteId: randomUUID() }), occurredAt: '2026-11-20T10:00:00.000Z' }
    await desk.bus.publish(late)
    expect((await doneOf(late)).data.outcome).toEqual(refused('running'))
    // The earlier note is still there.
    expect(textOf(await person.outcomeOf(txt))).toBe('hello world\n')
  })

  test('when a reply has overtaken the note that it quotes, then it waits for it, but not for ever', async () => {
    const person = newPerson()
    const source = person.messageOf()
    const own = { quoted: source.messageId, quotesOwn: true } as const
    const event = person.ask(remove, own)
    void desk.bus.publish(event)
    const { data } = await desk.receive(path, { userId: person.userId, source })
    expect((await doneOf(event)).data.outcome).toMatchObject({ kind: 'deleted' })
    expect(await desk.noteOf(data.mediaId, person.userId)).toBeUndefined()
    const late = { ...person.ask(txt, own), occurredAt: '2026-11-20T10:00:00.000Z' }
    await desk.bus.publish(late)
    expect((await doneOf(late)).data.outcome).toEqual(refused('unknown_note'))
  })
})

describe('a file', () => {
  test.each([
    ['txt', /^hello world\n$/],
    ['srt', /^1\n00:00:00,000 --> .*\nhello world\n/],
    ['docx', /^PK/],
  ] as const)('when %s is asked for, then the outcome has it', async (format, content) => {
    const person = newPerson()
    const { id } = await person.complete()
    const event = person.ask({ name: 'export', format })
    await desk.bus.publish(event)
    const { transcriptionId, outcome } = (await doneOf(event)).data
    expect(outcome).toMatchObject({
      kind: 'file',
      title: 'note.ogg',
      name: expect.stringMatching(`${format}$`),
    })
    expect([transcriptionId, textOf(outcome)]).toEqual([id, expect.stringMatching(content)])
  })

  test('when several are asked for at once, then each comes', async () => {
    const person = newPerson()
    await person.complete()
    const all = await Promise.all([txt, txt, txt].map(command => person.outcomeOf(command)))
    expect(all.map(textOf)).toEqual(Array(3).fill('hello world\n'))
  })

  test('when there is no text yet, or none at all, then it says why', async () => {
    const person = newPerson()
    const { mediaId } = (await desk.receive(path, { userId: person.userId, source: person.messageOf() })).data
    await desk.normalised(mediaId)
    for (const command of [txt, english]) expect(await person.outcomeOf(command)).toEqual(refused('running'))
    expect(await person.outcomeOf({ name: 'latest' })).toMatchObject({ notes: [{ title: 'note.ogg' }] })
    expect(await person.outcomeOf({ name: 'open', hit: 1 })).toEqual(refused('running'))
    await desk.finish(mediaId)
    const broken = join(folder, 'broken.ogg')
    await writeFile(broken, `OggS${'x'.repeat(500)}`)
    const { data } = await desk.receive(broken, { userId: person.userId, source: person.messageOf() })
    await desk.failed(data.mediaId)
    expect(await person.outcomeOf(txt)).toMatchObject({
      kind: 'failed',
      reason: { code: 'unreadable_audio' },
    })
    await sphinx.says()
    await person.complete()
    await sphinx.says('hello', 'world')
    expect(await person.outcomeOf(txt)).toEqual(refused('no_speech'))
  })
})

describe('transcribing again', () => {
  test('when it is asked for, then the next outcome answers the command, however often that comes', async () => {
    const person = newPerson()
    const { id } = await person.complete()
    const event = person.ask({ name: 'again', language: 'en' })
    await Promise.all([desk.bus.publish(event), desk.bus.publish(event)])
    expect(await person.outcomeOf(english)).toEqual(refused('running'))
    const { done } = await desk.finish(id, 2)
    expect(done).toMatchObject({ attempt: 2, asked: event.data.source })
    expect(await desk.noteOf(id, person.userId)).toMatchObject({ language: 'en', text: 'hello world' })
    await desk.bus.publish(event)
    await afterCrash(event)
    expect(outcomesOf(event)).toEqual([])
    // The API requests the next attempt, so its outcome does not answer the command.
    await desk.refresh(id, person.userId)
    const { done: next } = await desk.finish(id, 3)
    expect(next.asked).toBeUndefined()
    await afterCrash(event)
    expect(await desk.notes.findOne({ _id: id })).toMatchObject({ attempt: 3 })
  })

  test('when it takes longer than 3 minutes, then the chat is told once that it takes a while', async () => {
    const person = newPerson()
    const { id } = await person.complete()
    await sphinx.hold()
    const event = person.ask(english)
    await desk.bus.publish(event)
    await desk.reserve(id, 2)
    const { answerBy } = (await desk.notes.findOne({ _id: id })) as { answerBy?: Date }
    expect(Number(answerBy) - Date.now()).toBeCloseTo(180_000, -5)
    await desk.notes.updateOne({ _id: id }, { $set: { answerBy: new Date(0) } })
    await desk.runJob('notify-long-waits')
    const queued = () => desk.bus.sent('NoteQueued').filter(({ data }) => data.transcriptionId === id)
    await eventually(() => queued().length > 0)
    await sphinx.release()
    await desk.completed(id, 2)
    expect(queued().map(({ data }) => data)).toMatchObject([
      { attempt: 2, waitSeconds: null, source: event.data.source },
    ])
  })

  test('when it fails, then that answers the command', async () => {
    const person = newPerson()
    const { id } = await person.complete()
    const event = person.ask({ name: 'again', language: 'de' })
    await desk.bus.publish(event)
    await desk.reserve(id, 2)
    expect((await desk.failed(id)).data).toMatchObject({
      asked: event.data.source,
      reason: { code: 'language_not_supported' },
    })
  })

  test('when the audio has expired, then it is refused, and the text is still there', async () => {
    const person = newPerson()
    const { id: mediaId, event } = await person.complete()
    await desk.removeAudio(event)
    await desk.bus.publish(MediaExpired.create({ mediaId, userId: person.userId }))
    expect(await person.outcomeOf(english)).toEqual(refused('no_audio'))
    expect(textOf(await person.outcomeOf(txt))).toBe('hello world\n')
  })

  test('when the file was never audio, then it says so again, not that the audio is gone', async () => {
    const person = newPerson()
    const reason = { code: 'not_audio_or_video' } as const
    const source = person.messageOf()
    await desk.refuse({ userId: person.userId, source, fileName: 'letter.pdf', reason })
    expect(await person.outcomeOf(english, { quoted: source.messageId })).toEqual({ kind: 'failed', reason })
  })

  test('when it is asked for a sixth time in a day, then it says when it can be asked for again', async () => {
    const person = newPerson()
    const { id } = await person.complete()
    for (let attempt = 2; attempt <= 6; attempt++) {
      await desk.bus.publish(person.ask(english))
      await desk.finish(id, attempt)
    }
    expect(await person.outcomeOf(english)).toEqual({
      kind: 'too_often',
      retryAfterSeconds: expect.closeTo(86_400, -3),
    })
  })
})

describe('deleting', () => {
  test('when the command comes again after a crash, then the note before is not deleted as well', async () => {
    const person = newPerson()
    const { id: before } = await person.complete()
    await person.complete()
    const event = person.ask(remove)
    await Promise.all([desk.bus.publish(event), desk.bus.publish(event)])
    expect((await doneOf(event)).data.outcome).toMatchObject({ kind: 'deleted', isCharged: false })
    await desk.bus.publish(event)
    await afterCrash(event)
    expect(outcomesOf(event)).toHaveLength(1)
    expect(await desk.noteOf(before, person.userId)).toMatchObject({ status: 'completed' })
  })

  test('when the note is in progress, then it is deleted', async () => {
    const person = newPerson()
    const { mediaId } = (await desk.receive(path, { userId: person.userId, source: person.messageOf() })).data
    await desk.normalised(mediaId)
    expect(await person.outcomeOf(remove)).toMatchObject({ kind: 'deleted', title: 'note.ogg' })
    expect(await desk.noteOf(mediaId, person.userId)).toBeUndefined()
  })

  describe('when five minutes of a note in progress can be read', () => {
    async function half(person = newPerson()) {
      const { mediaId } = (await desk.receive(path, { userId: person.userId, source: person.messageOf() }))
        .data
      await desk.normalised(mediaId)
      const segment = { id: '1', from: 0, to: 300, text: 'One.', confidence: null, noSpeech: null }
      const engine = { engine: 'local whisper-base', asked: 'auto', language: 'en', timesExact: true }
      const parts = [{ from: 0, to: 300, ...engine, segments: [segment] }]
      await desk.notes.updateOne({ _id: mediaId }, { $set: { parts, durationSeconds: 900 } })
      return { person, mediaId }
    }
    const inPart = 'The part that was already transcribed was charged'

    test('and it is deleted in the chat, then the outcome says that this part is charged', async () => {
      const { person } = await half()
      expect(await person.outcomeOf(remove)).toMatchObject({ isCharged: false, isChargedInPart: true })
    })
    test('and it is deleted by a call, then the answer says so', async () => {
      const { person, mediaId } = await half()
      const { body } = await desk.call('DELETE', `/transcriptions/${mediaId}`, person.userId)
      expect(body.message).toBe(`Deleted. ${inPart}, less 1 minute.`)
    })
    test('and it is deleted with others, then the answer counts it', async () => {
      const { person, mediaId } = await half()
      const { id } = await person.complete()
      const bulk = { body: { action: 'delete', ids: [mediaId, id] } }
      const { body } = await desk.call('POST', '/transcriptions/bulk', person.userId, bulk)
      expect(body.data).toMatchObject({ charged: 0, chargedInPart: 1 })
      expect(body.message).toBe(`2 notes deleted. ${inPart} for 1 of them, less 1 minute each.`)
    })
  })
})

test('when a voice note says “delete”, then it is a note like any other', async () => {
  const person = newPerson()
  const { id: before } = await person.complete()
  await sphinx.says('delete', 'that')
  const { id } = await person.complete()
  await sphinx.says('hello', 'world')
  expect(await desk.noteOf(id, person.userId)).toMatchObject({ status: 'completed', text: 'delete that' })
  expect(await desk.noteOf(before, person.userId)).toMatchObject({ status: 'completed', text: 'hello world' })
})

describe('taking a deletion back', () => {
  const undo: NoteCommand = { name: 'undo' }
  const deletions = (id: string) =>
    desk.bus.sent('TranscriptionDeleted').filter(({ data }) => data.mediaId === id)

  test('when “cancel” follows it, then it is back; after anything else it is asked what is meant', async () => {
    const cancel: NoteCommand = { name: 'cancel' }
    const person = newPerson()
    expect(await person.outcomeOf(cancel)).toEqual({ kind: 'cancel' })
    const { id } = await person.complete()
    expect(await person.outcomeOf(cancel)).toEqual({ kind: 'cancel' })
    await person.outcomeOf(remove, { noteId: id })
    expect(await person.outcomeOf(cancel)).toMatchObject({ kind: 'restored' })
    await person.outcomeOf(remove, { noteId: id })
    await person.outcomeOf(find('hello'))
    expect(await person.outcomeOf(cancel)).toEqual({ kind: 'cancel' })
    expect(await desk.noteOf(id, person.userId)).toBeUndefined()
    expect(await person.outcomeOf(undo)).toMatchObject({ kind: 'restored' })
    await person.outcomeOf(remove, { noteId: id })
    await person.complete()
    expect(await person.outcomeOf(cancel)).toEqual({ kind: 'cancel' })
  })

  test('when it is undone, then the newest deletion is back as it was, and its link works again', async () => {
    const person = newPerson()
    const { id: before } = await person.complete()
    const { id, messageId } = await person.complete()
    const shared = await person.outcomeOf({ name: 'share' })
    const { url } = shared as { url: string }
    const path = `/api/shared/${url.split('/s/')[1]}`
    expect(await person.outcomeOf(remove, { noteId: before })).toMatchObject({ canUndo: true })
    expect(await person.outcomeOf(remove, { noteId: id })).toMatchObject({ kind: 'deleted', canUndo: true })
    expect([await desk.noteOf(id, person.userId), (await desk.fetch(path)).status]).toEqual([undefined, 404])
    expect(await person.outcomeOf(find('hello'))).toMatchObject({ notes: [] })
    expect(await person.outcomeOf(txt, { quoted: messageId })).toEqual(refused('unknown_note'))
    const event = person.ask(undo)
    for (let time = 0; time < 2; time++) await desk.bus.publish(event)
    expect((await doneOf(event)).data).toMatchObject({
      transcriptionId: id,
      outcome: { kind: 'restored', title: 'note.ogg' },
    })
    await afterCrash(event)
    expect(await desk.noteOf(id, person.userId)).toMatchObject({ status: 'completed', text: 'hello world' })
    expect((await desk.fetch(path)).status).toBe(200)
    expect(await desk.noteOf(before, person.userId)).toBeUndefined()
    expect(deletions(id)).toEqual([])
    expect(await person.outcomeOf(undo)).toMatchObject({ kind: 'restored' })
    expect(await person.outcomeOf(undo)).toEqual(refused('nothing_deleted'))
  })

  test('when it is another account, or another chat that only claims it, then it stays deleted', async () => {
    const [person, other] = [newPerson(), newPerson()]
    const { id } = await person.complete()
    await person.outcomeOf(remove)
    expect(await other.outcomeOf(undo)).toEqual(refused('nothing_deleted'))
    expect(await person.outcomeOf(undo, { claimed: true, address: '16505559998' })).toEqual(
      refused('nothing_deleted'),
    )
    expect(await desk.noteOf(id, person.userId)).toBeUndefined()
  })

  test('when 10 minutes are over, then it is gone for good, and others hear of it', async () => {
    const person = newPerson()
    const { id } = await person.complete()
    await person.outcomeOf(remove)
    const { goneAt } = (await desk.notes.findOne({ _id: id })) as unknown as { goneAt: Date }
    expect(goneAt.getTime() - Date.now()).toBeCloseTo(600_000, -5)
    expect(deletions(id)).toEqual([])
    const work = {
      step: 'summarising' as const,
      turn: 0,
      notBefore: new Date(0),
      since: new Date(),
      tries: 0,
      lease: null,
    }
    await desk.notes.updateOne({ _id: id }, { $set: { goneAt: new Date(Date.now() - 1), work } })
    expect(await person.outcomeOf(undo)).toEqual(refused('nothing_deleted'))
    await eventually(() => deletions(id).length > 0)
    const left = await desk.notes.findOne({ _id: id })
    expect(left).toMatchObject({ work: null })
    expect(left).not.toHaveProperty('text')
  })

  test('when the same bytes come again meanwhile, then they are recognised', async () => {
    const person = newPerson()
    await person.complete()
    await person.outcomeOf(remove)
    const { id } = await person.complete()
    expect(await person.outcomeOf(undo)).toMatchObject({ kind: 'restored' })
    expect(await desk.noteOf(id, person.userId)).toMatchObject({ text: 'hello world' })
  })
})

test('when a number follows a search, then it opens that note, for an hour', async () => {
  const person = newPerson()
  const open = (hit: number): NoteCommand => ({ name: 'open', hit })
  expect(await person.outcomeOf(open(1))).toEqual({ kind: 'offer' })
  await sphinx.says('alpha', 'bill')
  const { id } = await person.complete()
  await sphinx.says('beta', 'bill')
  await person.complete()
  await sphinx.says('hello', 'world')
  await person.complete()
  expect(await person.outcomeOf(find('bill'))).toMatchObject({
    notes: [{ line: 'beta bill' }, { line: 'alpha bill' }],
  })
  const event = person.ask(open(2))
  for (let time = 0; time < 2; time++) await desk.bus.publish(event)
  expect((await doneOf(event)).data).toMatchObject({
    transcriptionId: id,
    outcome: { kind: 'opened', text: 'alpha bill' },
  })
  expect(await person.outcomeOf(open(3))).toEqual(refused('no_such_hit'))
  const [other, elsewhere] = [newPerson(), { address: '16505559997' }]
  expect(await other.outcomeOf(open(2))).toEqual({ kind: 'offer' })
  expect(await person.outcomeOf(open(2), elsewhere)).toEqual({ kind: 'offer' })
  // Each search has its own numbers, even after a later search.
  const search = person.ask(find('bill'))
  await desk.bus.publish(search)
  await doneOf(search)
  const answer = {
    searchId: search.id,
    transcriptionId: search.id,
    userId: person.userId,
    way: 'command' as const,
  }
  await desk.bus.publish(
    AnswerSent.create({ ...answer, messageIds: ['wamid.hits', search.data.source.messageId] }),
  )
  await sphinx.says('gamma', 'world')
  await person.complete()
  expect(await person.outcomeOf(find('world'))).toMatchObject({
    notes: [{ line: 'gamma world' }, { line: 'hello world' }],
  })
  for (const quoted of ['wamid.hits', search.data.source.messageId])
    expect(await person.outcomeOf(open(1), { quoted })).toMatchObject({ kind: 'opened', text: 'beta bill' })
  expect(await person.outcomeOf(open(1))).toMatchObject({ kind: 'opened', text: 'gamma world' })
  await sphinx.says('hello', 'world')
  const hourAgo = new Date(Date.now() - 3_600_001)
  await desk.stored('commands').updateMany({ hits: { $ne: null } }, { $set: { at: hourAgo } })
  expect(await person.outcomeOf(open(2))).toEqual({ kind: 'offer' })
})

test('when to-dos are asked for, then those of all notes are listed, and a number ticks one, once', async () => {
  const person = newPerson()
  const gistOf = (...texts: string[]) => ({
    ...{ language: 'en', lines: [], at: new Date(), engine: null },
    tasks: texts.map(text => ({ text, due: null, done: false })),
  })
  const older = await person.complete()
  const newer = await person.complete()
  await desk.notes.updateOne({ _id: older.id }, { $set: { gist: gistOf('Buy milk', 'Call Nora') } })
  await desk.notes.updateOne({ _id: newer.id }, { $set: { gist: gistOf('Pay rent', 'Call Bob') } })
  const listed = await person.outcomeOf({ name: 'todo' })
  expect(listed).toMatchObject({ kind: 'todos', ticked: null, more: 1 })
  expect(listed).toHaveProperty('todos.length', 3)
  const tick = person.ask({ name: 'open', hit: 1 })
  for (let time = 0; time < 2; time++) await desk.bus.publish(tick)
  const { outcome } = (await doneOf(tick)).data
  expect(outcome).toMatchObject({ ticked: 'Pay rent', more: 0 })
  expect(outcome).toHaveProperty('todos.2.text', 'Call Nora')
  expect(await person.outcomeOf({ name: 'todo' })).toHaveProperty('todos.length', 3)
  expect(await newPerson().outcomeOf({ name: 'todo' })).toEqual({
    kind: 'todos',
    ticked: null,
    todos: [],
    more: 0,
  })
  // A number that is only claimed has no notes here.
  const claimed = { claimed: true, address: '16505559998' } as const
  expect(await person.outcomeOf({ name: 'todo' }, claimed)).toMatchObject({ todos: [] })
})

test('when a title is given, then the note has it', async () => {
  const person = newPerson()
  const { id } = await person.complete()
  expect(await person.outcomeOf({ name: 'title', title: 'Garden plan' })).toEqual({
    kind: 'titled',
    title: 'Garden plan',
  })
  expect(await desk.noteOf(id, person.userId)).toMatchObject({ title: 'Garden plan', titleFrom: 'person' })
})

test('when a reply is made of tags alone, then the note has them besides its others', async () => {
  const person = newPerson()
  const { id, messageId } = await person.complete()
  const tag = (...tags: string[]) => person.outcomeOf({ name: 'tag', tags }, { quoted: messageId })
  expect(await tag('obra')).toEqual({ kind: 'tagged', title: 'note.ogg', tags: ['obra'] })
  expect(await tag('Óbra', 'casa')).toMatchObject({ tags: ['obra', 'casa'] })
  expect(await tag(...'abcdefghijk')).toMatchObject({ tags: ['obra', 'casa', ...'abcdefgh'] })
  expect((await desk.noteOf(id, person.userId)).tags).toHaveLength(10)
})

test('when it is asked back, or not understood, then the outcome says about which note', async () => {
  const person = newPerson()
  expect(await person.outcomeOf({ name: 'latest' })).toEqual(refused('no_note'))
  const { id, messageId } = await person.complete()
  const outcomeOf = async (command: NoteCommand, asked?: Asked) => {
    const event = person.ask(command, asked)
    await desk.bus.publish(event)
    const { transcriptionId, outcome } = (await doneOf(event)).data
    return [transcriptionId, outcome]
  }
  const quoted = messageId
  expect(await outcomeOf({ name: 'choose' }, { quoted })).toEqual([id, { kind: 'choices', taken: 'en' }])
  expect(await outcomeOf({ name: 'choose' })).toEqual([undefined, { kind: 'offer' }])
  expect(await outcomeOf({ name: 'which', language: 'es' }, { quoted })).toEqual([
    id,
    { kind: 'which', language: 'es' },
  ])
  expect(await outcomeOf({ name: 'offer' }, { quoted })).toEqual([id, { kind: 'offer' }])
  expect(await outcomeOf({ name: 'offer' }, { quoted: 'wamid.help' })).toEqual([undefined, { kind: 'offer' }])
  const fileOf = async (format: 'pdf' | 'md') => (await outcomeOf({ name: 'export', format }))[1]
  expect(textOf((await fileOf('pdf')) as object)).toMatch(/^%PDF-/)
  expect(textOf((await fileOf('md')) as object)).toMatch(/^---\ntitle: .*hello world/s)
  expect(await outcomeOf({ name: 'latest' })).toEqual([
    id,
    expect.objectContaining({ kind: 'found', words: '' }),
  ])
})

test('when a note is to be shared, then the answer is a link for 7 days without the recording', async () => {
  const person = newPerson()
  const { id } = await person.complete()
  const asked = person.ask({ name: 'share' })
  for (let time = 0; time < 2; time++) await desk.bus.publish(asked)
  const { outcome, transcriptionId } = (await doneOf(asked)).data
  expect(transcriptionId).toBe(id)
  if (outcome.kind !== 'shared') throw new Error(outcome.kind)
  expect(outcome.title).toBe('note.ogg')
  const token = outcome.url.split('/s/')[1]
  const answer = await desk.fetch(`/api/shared/${token}`)
  expect((await answer.json()).data).toMatchObject({ text: 'hello world', audioUrl: null })
  const { share } = await desk.noteOf(id, person.userId)
  expect(share).toEqual({ url: outcome.url, expiresAt: outcome.expiresAt, views: 1, audio: false })
  expect(Date.parse(share.expiresAt) - Date.parse(asked.occurredAt)).toBeCloseTo(7 * 86_400_000, -5)

  const { mediaId } = (await desk.receive(path, { userId: person.userId, source: person.messageOf() })).data
  await desk.normalised(mediaId)
  expect(await person.outcomeOf({ name: 'share' })).toEqual(refused('running'))
})

test('when a note is shared that has a link which works, then the chat repeats it, with its own end', async () => {
  const person = newPerson()
  const { id } = await person.complete()
  const body = { days: 30, audio: true }
  const { data } = (await desk.call('POST', `/transcriptions/${id}/share`, person.userId, { body })).body
  for (let time = 0; time < 2; time++)
    expect(await person.outcomeOf({ name: 'share' })).toMatchObject({ kind: 'shared', ...data })
  const { status } = await desk.fetch(`/api/shared/${data.url.split('/s/')[1]}`)
  expect(status).toBe(200)
  await desk.call('DELETE', `/transcriptions/${id}/share`, person.userId)
  const after = await person.outcomeOf({ name: 'share' })
  expect(after).toMatchObject({ kind: 'shared' })
  expect((after as { url: string }).url).not.toBe(data.url)
})

test('when notes are searched for, then the three newest are found, and a single one can be quoted', async () => {
  const person = newPerson()
  await sphinx.says('überraschung', 'party')
  const { id } = await person.complete()
  await sphinx.says('hello', 'world')
  for (let count = 0; count < 4; count++) await person.complete()
  expect(await person.outcomeOf(find('HELLO wor'))).toMatchObject({
    kind: 'found',
    words: 'HELLO wor',
    notes: Array(3).fill({ title: 'note.ogg' }),
  })
  const event = person.ask(find('uberraschung'))
  await desk.bus.publish(event)
  expect((await doneOf(event)).data).toMatchObject({ transcriptionId: id, outcome: { notes: [{}] } })
  expect(await person.outcomeOf(find('nothing'))).toEqual({ kind: 'found', words: 'nothing', notes: [] })
  expect(await person.outcomeOf(find('🎉!'))).toMatchObject({ notes: [] })
  expect(await person.outcomeOf(find(''))).toEqual(refused('no_words'))
  for (const long of ['x'.repeat(5_000), 'cake '.repeat(16)])
    expect(await person.outcomeOf(find(long))).toEqual(refused('too_many_words'))
  expect(await newPerson().outcomeOf(find('hello'))).toMatchObject({ notes: [] })
})

test('when something is asked without a text model, then the nearest passages of one’s own notes come', async () => {
  const person = newPerson()
  const { id } = await person.complete()
  const event = person.ask({ name: 'ask', question: 'Who says hello?' })
  await desk.bus.publish(event)
  expect((await doneOf(event)).data).toMatchObject({
    transcriptionId: id,
    outcome: { kind: 'answered', claims: [], notes: [{ line: 'hello world' }], isAsked: false, left: null },
  })
  expect(await newPerson().outcomeOf({ name: 'ask', question: 'Who says hello?' })).toMatchObject({
    notes: [],
  })
})

describe('when speakers are asked for', () => {
  test('and there is no model, then it says so', async () => {
    const person = newPerson()
    const { id } = await person.complete()
    expect(await person.outcomeOf({ name: 'speakers' }, { noteId: id })).toEqual({
      kind: 'refused',
      why: 'no_speaker_model',
    })
  })

  test('and they are known, then the text comes by speakers at once; for another number a model is needed', async () => {
    const person = newPerson()
    const { id } = await person.complete()
    const stored = (await desk.stored('transcriptions').findOne({ _id: id })) as {
      segments?: object[]
    } | null
    const segments = stored?.segments?.map(segment => ({ ...segment, speaker: '1' }))
    const speakers = [
      { id: '1', name: 'Grace' },
      { id: '2', name: null },
    ]
    await desk.stored('transcriptions').updateOne({ _id: id }, { $set: { speakers, segments } })
    expect(await person.outcomeOf({ name: 'speakers', count: 2 }, { noteId: id })).toMatchObject({
      kind: 'opened',
      text: expect.stringMatching(/^Grace: /),
    })
    expect(await person.outcomeOf({ name: 'speakers', count: 3 }, { noteId: id })).toMatchObject({
      why: 'no_speaker_model',
    })
    // A command that asked before the last one gets the current result and does not ask again.
    const first = person.ask({ name: 'speakers', count: 3 }, { noteId: id })
    const askedSpeakers = { count: 2, by: 'another', earlier: [first.id] }
    await desk.stored('transcriptions').updateOne({ _id: id }, { $set: { askedSpeakers } })
    await desk.bus.publish(first)
    expect((await doneOf(first)).data.outcome).toMatchObject({ kind: 'opened' })
  })
})
