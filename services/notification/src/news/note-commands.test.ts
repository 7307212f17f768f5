import { randomUUID } from 'node:crypto'
import {
  type EventOf,
  LanguageChosen,
  NoteCommandDone,
  NoteQueued,
  type Source,
  TranscriptionFailed,
} from '@voxscribe/contracts/events'
import { graphError } from '@voxscribe/sandbox/testing'
import { eventually } from '@voxscribe/service/testing'
import { completed, newSource, notificationForAll } from '../testing.ts'

const app = notificationForAll()

type Outcome = EventOf<'NoteCommandDone'>['data']['outcome']
const done = (source: Source, outcome: Outcome, transcriptionId?: string) =>
  NoteCommandDone.create({ userId: 'u1', transcriptionId, outcome, source })
const refused = (why: Extract<Outcome, { kind: 'refused' }>['why']): Outcome => ({ kind: 'refused', why })
/** Bytes that aren't text. */
const BYTES = Buffer.from([0x50, 0x4b, 0x03, 0x04, 0xff, 0xfe, 0x00, 0x80])
const FILE = { kind: 'file', title: 'Party', content: BYTES.toString('base64') } as const
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const at = (day: number) => `2026-11-${day}T10:00:00.000Z`

test.each<[string, Outcome, string]>([
  ['there is no note yet', refused('no_note'), 'You haven’t sent me a note yet.'],
  ['it is not found', refused('unknown_note'), 'I can’t find that note.'],
  ['the note still runs', refused('running'), 'I’m still working on this note.'],
  ['the audio is gone', refused('no_audio'), 'The audio of this note is gone'],
  ['nobody spoke', refused('no_speech'), 'There is no speech in this note'],
  ['no words are searched for', refused('no_words'), 'Write “find” and a word'],
  ['a whole story is searched for', refused('too_many_words'), 'That’s too long to search for.'],
  ['it is asked for too often', { kind: 'too_often', retryAfterSeconds: 1_500 }, 'about 25 minutes.'],
  ['it had failed', { kind: 'failed', reason: { code: 'no_audio_track' } }, 'This file has no sound.'],
  [
    'it is deleted',
    { kind: 'deleted', title: 'Party', isCharged: false, isChargedInPart: false, canUndo: false },
    'Deleted: “Party”',
  ],
  [
    'what had no name is deleted',
    {
      kind: 'deleted',
      title: 'Voice note 2025-11-25 16.48.ogg',
      isCharged: false,
      isChargedInPart: false,
      canUndo: false,
    },
    'Deleted: “Voice note of Nov 25, 2025, 4:48 PM”',
  ],
  [
    'a to-do is ticked',
    {
      kind: 'todos',
      ticked: 'Buy milk',
      todos: [
        { text: 'Call Nora', due: '2026-12-02', title: 'Party' },
        { text: 'Pay *rent*', due: null, title: 'Home' },
      ],
      more: 0,
    },
    'Done: “Buy milk”\n1. Call Nora (December 2, 2026)\n_Party_\n2. Pay ',
  ],
  [
    'there is nothing to do',
    { kind: 'todos', ticked: null, todos: [], more: 0 },
    'There is nothing to do in your notes.',
  ],
  [
    'it was deleted before',
    { kind: 'deleted', title: null, isCharged: false, isChargedInPart: false, canUndo: false },
    'Deleted.',
  ],
  [
    'it is charged',
    { kind: 'deleted', title: 'Party', isCharged: true, isChargedInPart: false, canUndo: false },
    'minutes were charged',
  ],
  [
    'what could be read of it is charged',
    { kind: 'deleted', title: 'Party', isCharged: false, isChargedInPart: true, canUndo: false },
    'Deleted: “Party”\nThe part that was already transcribed was charged, less 1 minute.',
  ],
  [
    'it can be brought back',
    { kind: 'deleted', title: 'Party', isCharged: false, isChargedInPart: false, canUndo: true },
    'Deleted: “Party”\nWrite “undo” within 10 minutes to bring it back.',
  ],
  ['it is back', { kind: 'restored', title: 'Party' }, '“Party” is back.'],
  ['nothing was deleted', refused('nothing_deleted'), 'There is nothing to bring back: a finished note'],
  ['it has another title', { kind: 'titled', title: 'Garden' }, 'The title is now “Garden”.'],
  [
    'one is opened',
    { kind: 'opened', title: 'Party', text: 'Hello.\n\nWorld.' },
    '*Party*\n\nHello.\n\nWorld.',
  ],
  ['there is no such number', refused('no_such_hit'), 'There is no note with this number.'],
  ['such a file is not made', refused('no_such_file'), 'I can’t make this kind of file yet.'],
  [
    'the newest are asked for',
    {
      kind: 'found',
      words: '',
      notes: [20, 19].map(day => ({ title: `A ${day}`, createdAt: at(day), line: '' })),
    },
    'Your newest notes:\n1. *November 20, 2026 at 10:00 AM*: A 20',
  ],
  [
    'it is shared',
    { kind: 'shared', title: 'Party', url: 'https://vox.example/s/abc', expiresAt: at(30) },
    'read “Party” until November 30, 2026:\nhttps://vox.example/s/abc\nYou can turn the link off',
  ],
  ['nothing is found', { kind: 'found', words: 'party', notes: [] }, 'I found no note with “party”.'],
  [
    'the notes have the answer',
    {
      kind: 'answered',
      claims: [
        { text: 'He comes.', quotes: [1, 2] },
        { text: 'She paid.', quotes: [2] },
      ],
      notes: [20, 19].map(day => ({ title: `A ${day}`, createdAt: at(day), line: 'comes on Tuesday' })),
      isAsked: true,
      left: 3,
    },
    'He comes. [1] [2]\nShe paid. [2]\n\n1. *November 20, 2026 at 10:00 AM*: A 20\n_comes on Tuesday_\n2. *November 19, 2026 at 10:00 AM*: A 19\n_comes on Tuesday_\nWrite its number to read one, or see all: https://voxscribe.test/transcription-history\n\n_Made by a machine. It may contain mistakes._\n3 more questions or texts today',
  ],
  [
    'the notes do not say',
    {
      ...{ kind: 'answered', claims: [], isAsked: true, left: 59 },
      notes: [{ title: 'A 20', createdAt: at(20), line: 'the plumber' }],
    },
    'Your notes don’t say. These come closest:\n\n1. *November 20, 2026 at 10:00 AM*: A 20\n_the plumber_\nReply to this message',
  ],
  [
    'passages come closest, and no model is there',
    {
      ...{ kind: 'answered', claims: [], isAsked: false, left: null },
      notes: [{ title: 'A 20', createdAt: at(20), line: 'the plumber' }],
    },
    'These come closest:\n\n1. ',
  ],
  [
    'nothing comes close',
    { kind: 'answered', claims: [], notes: [], isAsked: true, left: null },
    'Your notes don’t say.',
  ],
  ['nothing is asked', refused('no_question'), 'Write “ask” and your question'],
  [
    'a text is made in a form',
    { kind: 'formed', title: 'Party', name: 'Diary', text: 'Dear diary' },
    '*Diary*\n\nDear diary\n\n_Made by a machine. It may contain mistakes._',
  ],
  [
    'there is no such form',
    { kind: 'forms', names: ['Diary', 'Shopping list'] },
    'You have these forms: Diary, Shopping list. Write “form” and one of these names.',
  ],
  ['there are no forms', { kind: 'forms', names: [] }, 'You have no forms yet. Describe one on this page: '],
  ['it is in that language', refused('same_language'), 'The note is already in this language.'],
  [
    'its text is too long for the model',
    refused('transcript_too_long'),
    'This transcript is too long. Please shorten it.',
  ],
  ['the model gave no answer', refused('no_answer'), 'I couldn’t do that just now.'],
  [
    'it is summed up',
    {
      kind: 'gist',
      title: 'Party',
      lines: ['He is late.', 'Start without him.'],
      tasks: [
        { text: 'Order the cake', due: '2026-11-27' },
        { text: 'Call back', due: null },
      ],
    },
    'He is late.\nStart without him.\n\n• Order the cake (November 27, 2026)\n• Call back\n\n_Made by a machine',
  ],
  [
    'it is translated',
    { kind: 'translation', title: 'Party', language: 'ar', text: 'مرحبا 👋' },
    'مرحبا 👋\n\n_Made by a machine. It may contain mistakes._',
  ],
  [
    'one is found',
    {
      kind: 'found',
      words: 'party',
      notes: [{ title: 'Birthday party', createdAt: at(20), line: '… my party on …' }],
    },
    '1. *November 20, 2026 at 10:00 AM*: Birthday party\n_… my party on …_\nReply to this message',
  ],
  [
    'several are found',
    {
      kind: 'found',
      words: 'a',
      notes: [20, 19].map(day => ({ title: `A ${day}`, createdAt: at(day), line: '' })),
    },
    '1. *November 20, 2026 at 10:00 AM*: A 20\n2. *November 19, 2026 at 10:00 AM*: A 19\nWrite its number to read one',
  ],
])('when %s, then the command is answered so, once', async (_what, outcome, text) => {
  const source = newSource()
  const event = done(source, outcome)
  for (let time = 0; time < 2; time++) await app.publish(event)
  expect(await app.texts(source.address)).toEqual([expect.stringContaining(text)])
  expect(app.sentTo(source.address)[0]?.body.context).toEqual({ message_id: source.messageId })
  await app.quietly(source.address, 1)
})

test('when a translation is long, then its beginning comes with the whole text as a file', async () => {
  const source = newSource()
  const text = 'Satz. '.repeat(1_000).trim()
  await app.publish(done(source, { kind: 'translation', title: 'Party', language: 'de', text }))
  const [sent] = app.sentTo(source.address)
  expect(sent?.body.document).toMatchObject({
    filename: 'Party.txt',
    caption: expect.stringMatching(/^Satz\. .* …$/),
  })
})

test.each<[string, Outcome]>([
  [
    'to-dos',
    {
      ...{ kind: 'todos', ticked: null, more: 0 },
      todos: ['one', 'two', 'three'].map(say => ({
        text: `${'do '.repeat(130)}${say}`,
        due: null,
        title: 'word '.repeat(40),
      })),
    },
  ],
  [
    'an answer',
    {
      ...{ kind: 'answered', isAsked: true, left: null },
      claims: ['one', 'two', 'three'].map(() => ({ text: 'said '.repeat(60), quotes: [1, 2, 3] })),
      notes: [1, 2, 3].map(() => ({
        title: 'word '.repeat(40),
        createdAt: at(20),
        line: 'line '.repeat(30),
      })),
    },
  ],
])('when Twilio takes no message as long as %s, then all of it comes as a file', async (_what, outcome) => {
  const source = newSource({ channel: 'twilio' })
  await app.publish(done(source, outcome))
  const sent = await eventually(() => app.sentTo(source.address)[0])
  expect(sent.body.Body.length).toBeLessThan(1600)
  const file = await (await fetch(`${app.url}${new URL(sent.body.MediaUrl).pathname}`)).text()
  expect(file).toContain(outcome.kind === 'todos' ? 'three' : 'Made by a machine')
})

test('when a search has several hits, then its messages name the search, so that a number may quote it', async () => {
  const notes = [20, 19].map(day => ({ title: `A ${day}`, createdAt: at(day), line: '' }))
  const source = newSource()
  const searchId = randomUUID()
  const event = { ...done(source, { kind: 'found', words: 'a', notes }), causeId: searchId }
  await app.others.publish(event)
  const told = await eventually(() =>
    app.others.sent('AnswerSent').find(({ causeId }) => causeId === event.id),
  )
  expect(told.data).toMatchObject({ searchId, way: 'command' })
  expect(told.data.messageIds).toContain(source.messageId)
})

describe('when it is asked what is meant', () => {
  const buttonsOf = (address: string) =>
    app
      .sentTo(address)
      .map(({ body }) =>
        body.interactive?.action.buttons.map((each: { reply: { id: string } }) => each.reply.id),
      )

  test('then at least two languages are offered, besides the one that was taken', async () => {
    const source = newSource()
    await app.publish(done(source, { kind: 'choices', taken: 'en' }, randomUUID()))
    await eventually(() => app.sentTo(source.address)[0])
    const [ids = []] = buttonsOf(source.address)
    expect(ids.length).toBeGreaterThanOrEqual(2)
    expect(ids).not.toContain('English')
  })

  test('then translating and transcribing again are offered', async () => {
    const source = newSource()
    await app.publish(done(source, { kind: 'which', language: 'es' }, randomUUID()))
    await eventually(() => app.sentTo(source.address)[0])
    expect(buttonsOf(source.address)).toEqual([['translate to Spanish', 'it was Spanish']])
  })

  test('then without buttons it says what to reply', async () => {
    const sources = [1, 2, 3].map(() => newSource({ channel: 'twilio' }))
    const outcomes: Outcome[] = [
      { kind: 'choices', taken: 'en' },
      { kind: 'which', language: 'es' },
      { kind: 'offer' },
    ]
    const said = await Promise.all(
      sources.map(async (source, at) => {
        await app.publish(done(source, outcomes[at]!, randomUUID()))
        return (await app.texts(source.address))[0]
      }),
    )
    expect(said).toEqual([
      expect.stringMatching(/^Which language was it\?\n\nReply to this message with its name, such as /),
      expect.stringMatching(/“translate to Spanish” or “it was Spanish”/),
      expect.stringMatching(/^I didn’t understand that\..*\n\nReply to this message with “/),
    ])
  })

  test('then a reply that is no command gets three buttons, shorter within the hour, and one to nothing the hint', async () => {
    const source = newSource()
    for (let time = 0; time < 2; time++) {
      await app.publish(done(source, { kind: 'offer' }, randomUUID()))
      await app.texts(source.address, time + 1)
    }
    for (let time = 0; time < 2; time++) {
      await app.publish(done(source, { kind: 'offer' }))
      await app.texts(source.address, time + 3)
    }
    const ofNote = [expect.stringMatching(/^(summary|yes)$/), 'txt', 'share']
    expect(buttonsOf(source.address)).toEqual([
      ofNote,
      ofNote,
      ['help', 'minutes'],
      ['help', 'minutes', 'latest'],
    ])
  })

  test.each<[Extract<Outcome, { kind: 'meant' }>['wish'], string]>([
    [{ name: 'title', title: 'Trip_to_Porto' }, 'Shall I name this note “Trip_to_Porto”?'],
    [{ name: 'tag', tags: ['work', 'home'] }, 'Shall I tag this note with work, home?'],
    [{ name: 'again', language: 'es' }, 'Shall I transcribe this note again in Spanish?'],
    [{ name: 'speakers' }, 'Shall I find out who speaks in this note?'],
    [{ name: 'undo' }, 'Shall I bring back the note that you deleted last?'],
    [{ name: 'language', uiLanguage: 'de' }, 'Shall I write to you in German from now on?'],
  ])('then it is asked whether %j is meant, by yes and no', async (wish, question) => {
    const source = newSource()
    const event = { ...done(source, { kind: 'meant', wish }, randomUUID()), causeId: randomUUID() }
    await app.publish(event)
    expect((await app.texts(source.address))[0]).toBe(question)
    expect(buttonsOf(source.address)).toEqual([['yes', 'no']])
    const sent = () => app.others.sent('AnswerSent').find(({ data }) => data.searchId === event.causeId)
    expect((await eventually(sent)).data.messageIds).toHaveLength(2)
  })

  test('then it is asked what is to be cancelled', async () => {
    const source = newSource()
    await app.publish(done(source, { kind: 'cancel' }))
    expect((await app.texts(source.address))[0]).toMatch(/^What do you want to cancel\?/)
    expect(buttonsOf(source.address)).toEqual([['undo', 'cancel my plan', 'help']])
  })
})

describe('when a file is asked for', () => {
  test('then it comes byte for byte, and who quotes it or the command means the note', async () => {
    const [source, transcriptionId] = [newSource(), randomUUID()]
    const event = done(source, { ...FILE, name: 'Party.docx' }, transcriptionId)
    for (let time = 0; time < 2; time++) await app.publish(event)
    const call = await eventually(() => app.sentTo(source.address)[0])
    expect(call.body).toMatchObject({
      type: 'document',
      document: { filename: 'Party.docx', caption: 'The text of “Party”' },
    })
    const file = await fetch(`${app.sandbox.url}/api/whatsapp/media/${call.body.document.id}`)
    expect(Buffer.from(await file.arrayBuffer())).toEqual(BYTES)
    const { data } = await eventually(() =>
      app.others.sent('AnswerSent').find(({ data }) => data.transcriptionId === transcriptionId),
    )
    expect(data).toMatchObject({ way: 'command', messageIds: [call.answer.messages[0].id, source.messageId] })
    await app.quietly(source.address, 1)
  })

  test.each([
    ['Party.docx', DOCX],
    ['Party.srt', 'text/plain; charset=utf-8'],
  ])('then Twilio fetches %s as it is', async (name, type) => {
    const source = newSource({ channel: 'twilio' })
    await app.publish(done(source, { ...FILE, name }))
    const call = await eventually(() => app.sentTo(source.address)[0])
    const fetched = await fetch(`${app.url}${new URL(call.body.MediaUrl).pathname}`)
    expect([fetched.headers.get('content-type'), Buffer.from(await fetched.arrayBuffer())]).toEqual([
      type,
      BYTES,
    ])
  })

  test('and the provider refuses it, then the answer says where it is', async () => {
    const source = newSource()
    app.trouble(graphError(131_053))
    await app.publish(done(source, { ...FILE, name: 'Party.srt' }))
    expect(await app.texts(source.address)).toEqual([
      expect.stringMatching(
        /^I couldn’t send the file here.*https:\/\/voxscribe.test\/transcription-history$/,
      ),
    ])
  })
})

describe('when another try was asked for in the chat', () => {
  test('then its text answers the command, and the first answer stays', async () => {
    const [source, transcriptionId] = [newSource(), randomUUID()]
    const asked = { ...source, messageId: 'wamid.again' }
    await app.publish(completed(source, { transcriptionId }))
    const again = completed(source, {
      transcriptionId,
      attempt: 2,
      asked,
      text: 'Hola mundo.',
      language: 'es',
    })
    for (let time = 0; time < 2; time++) await app.publish(again)
    await app.publish(completed(source, { transcriptionId, attempt: 3 }))
    const texts = await app.texts(source.address, 2)
    expect(texts).toEqual([
      expect.stringMatching(/^Hello world\./),
      expect.stringMatching(/^Hola mundo\.\n\n_0:06 · Spanish/),
    ])
    expect(app.sentTo(source.address)[1]?.body.context).toEqual({ message_id: 'wamid.again' })
    await app.quietly(source.address, 2)
  })

  test('and it takes a while, then the chat says so, though the first answer is long there', async () => {
    const [source, transcriptionId] = [newSource(), randomUUID()]
    await app.publish(completed(source, { transcriptionId }))
    await app.texts(source.address)
    const queued = { transcriptionId, userId: 'u1', waitSeconds: null }
    const asked = { ...source, messageId: 'wamid.again' }
    await app.publish(NoteQueued.create({ ...queued, source }))
    for (let time = 0; time < 2; time++)
      await app.publish(NoteQueued.create({ ...queued, attempt: 2, source: asked }))
    expect(await app.texts(source.address, 2)).toEqual([
      expect.stringMatching(/^Hello world/),
      expect.stringMatching(/^I’m working on it/),
    ])
    await app.quietly(source.address, 2)
  })

  test('and it failed, then the command is answered with the reason', async () => {
    const source = newSource()
    const facts = { transcriptionId: randomUUID(), userId: 'u1', seconds: 0, attempt: 2, source }
    const reason = { code: 'no_speech' }
    await app.publish(TranscriptionFailed.create({ ...facts, asked: source, reason }))
    expect(await app.texts(source.address)).toEqual([
      'We couldn’t transcribe this note again. No speech found',
    ])
  })
})

test('when a language was chosen, then the answer is in it', async () => {
  const source = newSource()
  await app.publish(LanguageChosen.create({ userId: 'u1', uiLanguage: 'de', source }))
  expect(await app.texts(source.address)).toEqual([expect.stringContaining('Deutsch')])
})
