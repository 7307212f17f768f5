import { type NoteCommand, NoteCommandReceived } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { type Asked, dataOf, deskWithTextModel, type Note, says } from '../testing/text-model-fake.ts'

const { fake, sphinx, desk, complete } = await deskWithTextModel()

interface Passage {
  id: string
  text: string
}
const passagesOf = (asked: Asked): Passage[] => dataOf(asked).segments
/** Makes the answer of a model that writes in the requested language. */
const answered = ({ messages: [{ content }] }: Asked, segments: unknown) => ({
  segments,
  language: /into (.+)\./.exec(content)?.[1],
})
/** Makes a model that translates each passage with `to`. */
const translates = (to: (text: string) => string) => (asked: Asked) =>
  says(
    answered(
      asked,
      passagesOf(asked).map(({ id, text }) => ({ id, text: to(text) })),
    ),
  )

const inSpanish = (text: string) =>
  `ES ${text.replace(/says .*/, 'dice algo sobre el tiempo que hacía aquel día.')}`

const translate = ({ id, userId }: Note, language: unknown) =>
  desk.call('POST', `/transcriptions/${id}/translations`, userId, { body: { language } })
async function file({ id, userId }: Note, query: string) {
  const response = await desk.fetch(`/api/transcriptions/${id}/export?${query}`, userId)
  return {
    status: response.status,
    name: response.headers.get('content-disposition'),
    text: await response.text(),
  }
}

/** Completes a note of an hour, with a passage every 4 s. */
async function longNote(): Promise<Note> {
  const note = await complete()
  const segments = Array.from({ length: 900 }, (_, at) => ({
    id: String(at + 1),
    from: at * 4,
    to: at * 4 + 3.5,
    text: at === 7 ? '…' : `Passage ${at + 1} says something about the weather of that day.`,
    confidence: null,
  }))
  const text = segments.map(segment => segment.text).join(' ')
  await desk.notes.updateOne({ _id: note.id }, { $set: { segments, text, durationSeconds: 3600 } })
  return note
}

test('when a translation is asked for, then it has each passage, is kept, and is in every export', async () => {
  fake.answers(translates(() => 'hola mundo'))
  const note = await complete()
  const { status, body } = await translate(note, 'es')
  expect(status).toBe(200)
  const { segments, translations, text } = body.data.transcription
  const made = { language: 'es', model: 'small-1', at: expect.any(String), stale: false }
  expect(translations).toEqual([{ segments: [{ id: segments[0].id, text: 'hola mundo' }], ...made }])
  expect(text).toBe('hello world')
  expect((await translate(note, 'es')).status).toBe(200)
  expect(fake.asked).toHaveLength(1)
  expect(fake.asked[0]).toMatchObject({
    response_format: { json_schema: { name: 'translation', strict: true } },
  })

  for (const format of ['txt', 'srt', 'vtt', 'json', 'docx']) {
    const { status, name, text } = await file(note, `format=${format}&language=es`)
    expect([format, status]).toEqual([format, 200])
    expect(name).toContain(`.es.${format}`)
    if (format !== 'docx') expect(text).toContain('hola mundo')
    if (format !== 'docx') expect(text).not.toContain('hello')
  }
  expect((await file(note, 'format=srt&language=es')).text).toContain('00:00:00,000 --> ')
  expect((await file(note, 'format=txt')).text).toContain('hello world')
  expect((await file(note, 'format=txt&language=fr')).status).toBe(404)
})

test('when the text is corrected, then the translation is stale, and gone when it is transcribed again', async () => {
  fake.answers(translates(() => 'hola mundo'))
  const note = await complete()
  const { segments } = (await translate(note, 'es')).body.data.transcription
  const body = { segments: [{ id: segments[0].id, text: 'Hello!' }] }
  const edited = await desk.call('PATCH', `/transcriptions/${note.id}`, note.userId, { body })
  expect(edited.body.data.transcription.translations).toMatchObject([{ stale: true }])
  await desk.refresh(note.id, note.userId)
  await desk.finish(note.id, 2)
  expect((await desk.noteOf(note.id, note.userId)).translations).toEqual([])
})

test('when it is transcribed again meanwhile, then the translation of the old text is not written', async () => {
  const gate = Promise.withResolvers<void>()
  fake.answers(asked => gate.promise.then(() => translates(() => 'hola mundo')(asked)))
  const note = await complete()
  const answer = translate(note, 'es')
  await eventually(() => fake.asked.length)
  await sphinx.says('good', 'bye')
  await desk.refresh(note.id, note.userId)
  await desk.finish(note.id, 2)
  await sphinx.says('hello', 'world')
  gate.resolve()
  const { status, body } = await answer
  expect([status, body.code]).toEqual([409, 'text_under_way'])
  expect(await desk.noteOf(note.id, note.userId)).toMatchObject({ text: 'good bye', translations: [] })
  expect((await translate(note, 'es')).status).toBe(200)
})

test('when batches of a translation fail, then no others are begun after the second', async () => {
  fake.answers(says('no'))
  expect((await translate(await longNote(), 'es')).status).toBe(502)
  const batches = new Set(fake.asked.map(asked => passagesOf(asked)[0]?.id))
  expect(batches.size).toBeGreaterThan(1)
  expect(batches.size).toBeLessThanOrEqual(6)
})

test.each([
  ['the one that it is in', 'en'],
  ['auto', 'auto'],
  ['none', 'tlh'],
  ['nothing', undefined],
])('when the language is %s, then it is 400', async (_, language) => {
  fake.answers(translates(() => 'hola'))
  const note = await complete({ language: 'en' })
  const { status, body } = await translate(note, language)
  expect([status, body.errors[0].field]).toEqual([400, 'language'])
  expect(fake.asked).toHaveLength(0)
})

test('when a note is an hour long, then it is translated in bounded batches, with the same times', async () => {
  fake.answers(translates(inSpanish))
  const note = await longNote()
  const { body } = await translate(note, 'es')
  const { segments, translations } = body.data.transcription
  expect(translations[0].segments.map(({ id }: Passage) => id)).toEqual(segments.map(({ id }: Passage) => id))
  expect(translations[0].segments[899].text).toMatch(/^ES Passage 900 /)
  expect(translations[0].segments[7].text).toBe('…')
  expect(fake.asked.length).toBeGreaterThan(17)
  for (const asked of fake.asked) {
    expect(passagesOf(asked).length).toBeLessThanOrEqual(50)
    expect(passagesOf(asked).reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(3_000)
  }
  const { text } = await file(note, 'format=srt&language=es')
  expect(text).toContain('00:59:56,000 --> 00:59:59,500\nES Passage 900')
})

test.each([
  ['leaves one out', (all: Passage[]) => all.slice(1)],
  ['answers one twice', (all: Passage[]) => [all[0], ...all.slice(0, -1)]],
  ['makes one up', (all: Passage[]) => [{ id: 'made-up', text: 'x' }, ...all.slice(1)]],
  ['answers one with nothing', ([first, ...rest]: Passage[]) => [{ ...first, text: ' ' }, ...rest]],
  [
    'answers in another language',
    (all: Passage[]) => all.map(({ id }) => ({ id, text: '今天天气很好我们去公园' })),
  ],
  ['leaves all of it as it was', (all: Passage[]) => all],
  ['names another language', (all: Passage[]) => all, 'English'],
])('when the model %s, then it is 502 and nothing is kept', async (_, spoil, language = 'Spanish') => {
  fake.answers(asked => says({ segments: spoil(passagesOf(asked)), language }))
  const note = await longNote()
  const { status, body } = await translate(note, 'es')
  expect([status, body.code]).toEqual([502, 'text_model_failed'])
  expect((await desk.noteOf(note.id, note.userId)).translations).toEqual([])
})

test('when a translation fails half-way, then a repeat asks only for what is missing, of the same text', async () => {
  const isLate = (asked: Asked) => passagesOf(asked).some(({ id }) => Number(id) > 600)
  const half = (asked: Asked) => (isLate(asked) ? says('no') : translates(inSpanish)(asked))
  const note = await longNote()
  fake.answers(half)
  expect((await translate(note, 'es')).status).toBe(502)
  const isDone = fake.asked.filter(asked => !isLate(asked)).flatMap(passagesOf)
  expect(isDone.length).toBeGreaterThan(300)
  expect((await desk.noteOf(note.id, note.userId)).translations).toEqual([])

  fake.answers(translates(inSpanish))
  const { translations } = (await translate(note, 'es')).body.data.transcription
  const again = new Set(fake.asked.flatMap(passagesOf).map(({ id }) => id))
  expect(again.size).toBeLessThan(600)
  for (const { id, text } of translations[0].segments)
    expect(text).toMatch(id === '8' ? '…' : `ES Passage ${id} `)
  expect(await desk.notes.findOne({ _id: note.id, unfinished: null })).not.toBeNull()

  const other = await longNote()
  fake.answers(half)
  await translate(other, 'es')
  await desk.notes.updateOne({ _id: other.id }, { $set: { 'segments.0.text': 'Another word' } })
  fake.answers(translates(inSpanish))
  await translate(other, 'es')
  expect(fake.asked.flatMap(passagesOf)).toHaveLength(899)
})

describe('in the chat', () => {
  const GIST = { lines: ['Alguien saluda.'], tasks: [{ text: 'Saludar', due: '2026-11-27' }] }
  async function answerTo({ id, userId }: Note, command: NoteCommand) {
    const source = {
      channel: 'whatsapp',
      address: '16505550000',
      messageId: `wamid.${crypto.randomUUID()}`,
    } as const
    const event = NoteCommandReceived.create({ userId, command, noteId: id, uiLanguage: 'es', source })
    void desk.bus.publish(event).catch(() => {})
    const done = await eventually(() =>
      desk.bus.sent('NoteCommandDone').find(({ causeId }) => causeId === event.id),
    )
    return done.data
  }

  test('when a summary is asked for, then it comes in the language of the person', async () => {
    fake.answers(says(GIST))
    const note = await complete()
    const { outcome, transcriptionId } = await answerTo(note, { name: 'summary' })
    expect([outcome, transcriptionId]).toEqual([{ kind: 'gist', title: 'note.ogg', ...GIST }, note.id])
    expect(await desk.noteOf(note.id, note.userId)).toMatchObject({ gist: { language: 'es' } })
  })

  test('when a translation is asked for, then it comes, or why there is none', async () => {
    fake.answers(translates(() => 'Hallo Welt.'))
    const note = await complete({ language: 'en' })
    const german: NoteCommand = { name: 'translate', language: 'de' }
    const { outcome } = await answerTo(note, german)
    expect(outcome).toEqual({ kind: 'translation', title: 'note.ogg', language: 'de', text: 'Hallo Welt.' })
    expect((await answerTo(note, { name: 'translate', language: 'en' })).outcome).toMatchObject({
      why: 'same_language',
    })
    const long = await complete()
    await desk.notes.updateOne({ _id: long.id }, { $set: { text: 'x'.repeat(200_001) } })
    expect((await answerTo(long, german)).outcome).toMatchObject({ why: 'transcript_too_long' })
    fake.answers(says('Certainly!'))
    expect((await answerTo(note, { name: 'translate', language: 'fr' })).outcome).toMatchObject({
      why: 'no_answer',
    })
  })
})

test('when a passage is Thai, Arabic or emoji, then it comes back as it was written', async () => {
  const texts: Record<string, string> = { th: 'สวัสดีชาวโลก 🙏', ar: 'مرحبا بالعالم 👋', he: 'שלום עולם' }
  await sphinx.says('hello', 'world', '👋')
  const note = await complete()
  for (const [language, text] of Object.entries(texts)) {
    fake.answers(translates(() => text))
    expect((await translate(note, language)).status).toBe(200)
    expect((await file(note, `format=txt&times=off&language=${language}`)).text).toBe(`${text}\n`)
  }
  await sphinx.says('hello', 'world')
  const { translations } = await desk.noteOf(note.id, note.userId)
  expect(translations).toHaveLength(3)
})
