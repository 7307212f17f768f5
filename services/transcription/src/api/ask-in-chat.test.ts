import { randomUUID } from 'node:crypto'
import { type EventOf, type NoteCommand, NoteCommandReceived } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { foundByOf } from '../note/listing.ts'
import { deskWithTextModel, says } from '../testing/text-model-fake.ts'

const { fake, desk } = await deskWithTextModel({ TEXT_TIMEOUT: '1s' })

const ask = (question: string): NoteCommand => ({ name: 'ask', question })
const form = (form: string): NoteCommand => ({ name: 'form', form })

const PLUMBER = 'The plumber comes on Tuesday at nine.'
const BOILER = 'Nora paid two hundred euros for the boiler.'

/** Creates a person with notes of these texts, oldest first, and a chat. */
async function newPerson(...texts: string[]) {
  const userId = `person-${randomUUID()}`
  const chat = { channel: 'whatsapp', address: `1650${randomUUID()}` } as const
  const records = texts.map((text, at) => ({
    ...{ _id: randomUUID(), userId, status: 'completed', source: { ...chat, messageId: `wamid.${at}` } },
    ...{ text, title: null, fileName: `${at}.ogg`, words: foundByOf({ text, fileName: '' } as never) },
    ...{ durationSeconds: 9, createdAt: new Date(Date.UTC(2026, 10, 1 + at)), listedLanguage: 'en' },
    ...{ spokenLanguage: 'en', notices: [], deletedAt: null, attempt: 1, outbox: [] },
  }))
  if (records.length) await desk.notes.insertMany(records as never)
  const received = (command: NoteCommand, source = {}, asked = {}) =>
    NoteCommandReceived.create({
      ...{ userId, command, uiLanguage: 'en' as const, ...asked },
      source: { ...chat, messageId: `wamid.${randomUUID()}`, ...source },
    })
  async function send(command: NoteCommand, source?: object, asked?: object) {
    const event = received(command, source, asked)
    await desk.bus.publish(event)
    return (await eventually(() => answersTo(event)[0])).data
  }
  const outcomeOf = async (command: NoteCommand, source?: object, asked?: object) =>
    (await send(command, source, asked)).outcome
  const keepForm = (name: string) =>
    desk.call('POST', '/forms', userId, { body: { name, instruction: `As a ${name}.` } })
  return { userId, ids: records.map(({ _id }) => _id), received, send, outcomeOf, keepForm }
}
const answersTo = ({ id }: { id: string }): EventOf<'NoteCommandDone'>[] =>
  desk.bus.sent('NoteCommandDone').filter(({ causeId }) => causeId === id)

const words = (...all: string[]) => says({ words: all })
const claims = (...all: [string, ...string[]][]) =>
  says({
    claims: all.map(([text, ...quotes]) => ({
      text,
      quotes: quotes.map(text => ({ passage: 1, text })),
    })),
  })
const refused = (why: string) => ({ kind: 'refused', why })

describe('a question in the chat', () => {
  test('when the notes have the answer, then its quotes are numbered, and a number opens its note', async () => {
    const person = await newPerson(PLUMBER, BOILER)
    const quotes = [
      'The plumber comes on Tuesday',
      'Nora paid two hundred',
      'euros for the boiler',
      'the boiler',
    ]
    fake.answers(words(), asked => {
      const lines = asked.messages[1].content.split('\n')
      const passageOf = (quote: string) =>
        Number(/^\[(\d+)\]/.exec(lines.find(line => line.startsWith('[') && line.includes(quote))!)?.[1])
      const quoted = (...all: string[]) => all.map(text => ({ passage: passageOf(text), text }))
      return says({
        claims: [
          { text: 'He comes on Tuesday.', quotes: quoted(quotes[0]!, quotes[3]!) },
          { text: 'She paid 200 euros.', quotes: quoted(quotes[1]!, quotes[2]!, quotes[3]!) },
        ],
      })
    })
    const { outcome } = await person.send(ask('When does the plumber come, and who paid the boiler?'))
    expect(outcome).toEqual({
      kind: 'answered',
      claims: [
        { text: 'He comes on Tuesday.', quotes: [1, 3] },
        { text: 'She paid 200 euros.', quotes: [2, 3] },
      ],
      notes: [
        { title: PLUMBER.slice(0, -1), createdAt: '2026-11-01T00:00:00.000Z', line: quotes[0] },
        { title: BOILER.slice(0, -1), createdAt: '2026-11-02T00:00:00.000Z', line: quotes[1] },
        { title: BOILER.slice(0, -1), createdAt: '2026-11-02T00:00:00.000Z', line: BOILER },
      ],
      isAsked: true,
      left: 59,
    })
    expect(await person.outcomeOf({ name: 'open', hit: 2 })).toMatchObject({ kind: 'opened', text: BOILER })
  })

  test('when one quote says it all, then the answer is about its note', async () => {
    const person = await newPerson(PLUMBER)
    fake.answers(words(), claims(['On Tuesday.', 'on Tuesday at nine']))
    expect(await person.send(ask('When does the plumber come?'))).toMatchObject({
      transcriptionId: person.ids[0],
      outcome: { notes: [{ line: 'on Tuesday at nine' }] },
    })
  })

  test('when the model invents, then the nearest passages come; without any, none', async () => {
    const person = await newPerson(PLUMBER)
    fake.answers(words(), claims(['On Friday.', 'The plumber comes on Friday']))
    expect(await person.outcomeOf(ask('When does the plumber come?'))).toMatchObject({
      ...{ kind: 'answered', claims: [], notes: [{ line: PLUMBER }], isAsked: true },
    })
    fake.answers(words())
    expect(await person.outcomeOf(ask('Submarine?'))).toMatchObject({ claims: [], notes: [] })
    expect(await person.outcomeOf(ask(''))).toEqual(refused('no_question'))
  })

  test('when another person’s notes have the answer, or another chat’s of a number that is only claimed, then they are not quoted', async () => {
    const [person, other] = [await newPerson(BOILER), await newPerson(PLUMBER)]
    fake.answers(words('plumber'), claims(['On Tuesday.', 'on Tuesday at nine']))
    const outcome = await person.outcomeOf(ask('When does the plumber come to the boiler?'))
    expect(outcome).toMatchObject({ claims: [], notes: [{ line: BOILER }] })
    expect(fake.asked.map(({ messages }) => messages[1].content).join()).not.toContain('Tuesday')
    const claimed = { claimed: true, address: '16505559999' }
    expect(await other.outcomeOf(ask('When does the plumber come?'), claimed)).toMatchObject({ notes: [] })
  })

  test('when it comes again while the model thinks, or after a crash, then it is answered once', async () => {
    const person = await newPerson(PLUMBER)
    const thinks = Promise.withResolvers<void>()
    fake.answers(
      async () => {
        await thinks.promise
        return words()
      },
      claims(['On Tuesday.', 'on Tuesday']),
    )
    const event = person.received(ask('When does the plumber come?'))
    const twice = Promise.all([desk.bus.publish(event), desk.bus.publish(event)])
    await eventually(() => fake.asked[0])
    thinks.resolve()
    await twice
    await eventually(() => answersTo(event)[0])
    await desk.bus.publish(event)
    expect(fake.asked).toHaveLength(2)
    expect(answersTo(event)).toHaveLength(1)
  })

  test('when the model hangs or is away, then it is to be asked again later', async () => {
    const person = await newPerson(PLUMBER)
    for (const answer of [() => new Promise<never>(() => {}), { status: 500, body: {} }]) {
      fake.answers(answer)
      expect(await person.outcomeOf(ask('When does the plumber come?'))).toEqual(refused('no_answer'))
    }
  })

  test('when questions come too fast, then it says when the next one may, and each said how many are left', async () => {
    const person = await newPerson(PLUMBER)
    fake.answers(words(), claims(['On Tuesday.', 'on Tuesday']))
    const question = ask('When does the plumber come?')
    for (let left = 59; left >= 30; left--) expect(await person.outcomeOf(question)).toMatchObject({ left })
    expect(await person.outcomeOf(question)).toEqual({
      kind: 'too_often',
      retryAfterSeconds: expect.any(Number),
    })
  })

  test('when the model says that an unclear message is one, then it is answered, and kept nowhere', async () => {
    const person = await newPerson(PLUMBER)
    const text = 'plumber, on which weekday'
    const act = says({ act: 'ask', words: '', language: '' })
    fake.answers(act, words(), claims(['On Tuesday.', 'on Tuesday']))
    expect(await person.outcomeOf({ name: 'unclear', text })).toMatchObject({
      claims: [{ text: 'On Tuesday.' }],
    })
    const kept = await desk.stored('commands').findOne({ userId: person.userId })
    expect(kept).toMatchObject({ isDone: true, means: { wish: { name: 'ask' } } })
    expect(JSON.stringify(kept)).not.toContain(text)
  })
})

describe('a form in the chat', () => {
  test('when it is named, by what it is or as an answer, then the text of the newest or the quoted note comes', async () => {
    const person = await newPerson(PLUMBER, BOILER)
    await person.keepForm('📓 Diary')
    fake.answers(says({ text: 'Dear diary' }))
    const made = { kind: 'formed', title: BOILER.slice(0, -1), name: '📓 Diary', text: 'Dear diary' }
    const { transcriptionId, outcome } = await person.send(form('diary'))
    expect([transcriptionId, outcome]).toEqual([person.ids[1], made])
    expect(await person.outcomeOf({ name: 'unclear', text: 'DIARY' })).toEqual(made)
    expect(fake.asked).toHaveLength(1)
    const quoted = { quoted: 'wamid.0', noteId: person.ids[0] }
    expect(await person.outcomeOf(form('Diary'), {}, quoted)).toEqual({
      ...made,
      title: PLUMBER.slice(0, -1),
    })
  })

  test('when there is none of that name, then those that there are are named, and nobody else’s', async () => {
    const [person, other] = [await newPerson(PLUMBER), await newPerson(PLUMBER)]
    for (const name of ['Diary', 'Shopping list']) await person.keepForm(name)
    for (const name of ['letter', ''])
      expect(await person.outcomeOf(form(name))).toEqual({ kind: 'forms', names: ['Diary', 'Shopping list'] })
    expect(await other.outcomeOf(form('Diary'))).toEqual({ kind: 'forms', names: [] })
    const claimed = await person.outcomeOf(form('Diary'), { claimed: true })
    expect(claimed).toEqual({ kind: 'forms', names: [] })
  })

  test('when the model hangs, then it is to be asked again later', async () => {
    const person = await newPerson(PLUMBER)
    await person.keepForm('Diary')
    fake.answers(() => new Promise<never>(() => {}))
    expect(await person.outcomeOf(form('Diary'))).toEqual(refused('no_answer'))
  })
})
