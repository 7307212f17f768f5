import { z } from 'zod'
import { exchange, lastRelease } from '../testing/last-release.ts'
import { enumeratedIn, samplesOf } from '../testing/samples-of.ts'
import { flow } from './events.ts'

type Fields = Record<string, unknown>

const last = await lastRelease()
/** Skipped if git has no history. */
const upgrade = last ? test : test.skip
afterAll(() => last?.remove())

const events = Object.values(flow).map(({ event }) => event)
const todaysEvent = (name: string) => events.find(event => event.name === name)!
const send = (name: string, data: unknown) => todaysEvent(name).create(data as never)

/** Returns a copy of the data with another value at a path, or without the field if no value is given. */
function withValue(data: unknown, path: readonly string[], value?: string): Fields {
  const copy = structuredClone(data) as Fields
  const holder = path.slice(0, -1).reduce((inner, key) => inner[key] as Fields, copy)
  if (value) holder[path.at(-1)!] = value
  else delete holder[path.at(-1)!]
  return copy
}

/** Values that say what the event is about, or where its answer goes: it is dead-lettered for a newer version. */
const REFUSED = [
  'language-chosen uiLanguage',
  'message-failed channel',
  'note-command-done outcome.kind',
  'note-command-done outcome.wish.name',
  'note-command-done outcome.wish.uiLanguage',
  'subscription-changed change',
  ...[
    'balance-told',
    'chat-command-received',
    'chat-opened',
    'language-chosen',
    'media-announced',
    'media-delayed',
    'media-received',
    'media-rejected',
    'message-refused',
    'message-understood',
    'note-command-done',
    'note-command-received',
    'note-queued',
    'note-rejected',
    'note-summarised',
    'number-disowned',
    'sender-linked',
    'sender-unknown',
    'transcription-completed',
    'transcription-failed',
  ].map(name => `${name} source.channel`),
  'transcription-completed asked.channel',
  'transcription-failed asked.channel',
  'note-summarised asked.channel',
]
/** Fields whose object makes no sense without them. */
const WHOLE = ['chat.channel', 'command.name', 'source.channel']

const withEachValue = events.flatMap(event =>
  samplesOf(event.schema).flatMap(sample => {
    const sent = send(event.name, sample)
    return enumeratedIn(event.schema, sent.data).map(path => ({ event, sent, path }))
  }),
)

test('when an event has a value of tomorrow, then its other fields are read, or it is known to be refused', () => {
  const refused = new Set<string>()
  for (const { event, sent, path } of withEachValue) {
    const where = path.join('.')
    const message = { ...sent, data: withValue(sent.data, path, 'tomorrow') }
    if (REFUSED.includes(`${event.name} ${where}`)) {
      expect(() => event.parse(message)).toThrow(z.ZodError)
      refused.add(`${event.name} ${where}`)
      continue
    }
    const read = event.parse(message)
    const lost = WHOLE.includes(where) ? path.slice(0, 1) : path
    const again = send(event.name, read.data)
    expect(withValue(again.data, lost)).toEqual(withValue(sent.data, lost))
    // Its replacement is a value that this version knows.
    expect(event.parse(again).data).toEqual(read.data)
  }
  expect([...refused].sort()).toEqual([...REFUSED].sort())
})

test.each<[string, string, unknown, unknown]>([
  ['user-updated', 'uiLanguage', 'tomorrow', 'en'],
  ['user-updated', 'gists', 'tomorrow', undefined],
  ['account-erased', 'uiLanguage', 'tomorrow', 'en'],
  ['sender-replaced', 'chat', { channel: 'tomorrow', address: '@ada' }, undefined],
  ['note-command-received', 'command', { name: 'tomorrow', words: 'all' }, { name: 'offer' }],
  ['chat-command-received', 'command', 'tomorrow', 'hint'],
  ['media-normalised', 'source', { channel: 'tomorrow', address: '@ada' }, { channel: 'web' }],
])('when %s has a %s of tomorrow, then it is read without it', (name, field, given, neutral) => {
  const sent = send(name, samplesOf(todaysEvent(name).schema)[0])
  const { data } = todaysEvent(name).parse({ ...sent, data: { ...Object(sent.data), [field]: given } })
  expect(data).toStrictEqual(JSON.parse(JSON.stringify({ ...Object(sent.data), [field]: neutral })))
})

test.each<[string, string, unknown]>([
  ['user-updated', 'uiLanguage', 5],
  ['user-updated', 'uiLanguage', undefined],
  ['user-updated', 'gists', null],
  ['sender-replaced', 'chat', { channel: 'whatsapp' }],
  ['sender-replaced', 'chat', { channel: 'tomorrow', address: 5 }],
  ['note-command-received', 'command', { name: 'again' }],
  ['note-command-received', 'command', { words: 'all' }],
])('when %s has a %s that is wrong, %j, then it is refused', (name, field, given) => {
  const sent = send(name, samplesOf(todaysEvent(name).schema)[0])
  const message = { ...sent, data: { ...Object(sent.data), [field]: given } }
  expect(() => todaysEvent(name).parse(message)).toThrow(z.ZodError)
})

test('when an event is sent with a value of tomorrow, then that fails where it is made', () => {
  for (const { event, sent, path } of withEachValue)
    expect(() => send(event.name, withValue(sent.data, path, 'tomorrow'))).toThrow(z.ZodError)
})

upgrade('when an event of the last release has any of its values, then it is read as it was sent', () => {
  const { sent, names } = exchange(last!.root, [])
  expect([...new Set(sent.map(({ type }) => type))]).toEqual(names)
  for (const message of sent) expect(todaysEvent(message.type).parse(message)).toMatchObject({ ...message })
})

/** Values without which an event means nothing to the last release, which puts it into the dead letters. */
const NEW_SINCE = [
  'note-command-done outcome.kind answered',
  'note-command-done outcome.kind cancel',
  'note-command-done outcome.kind formed',
  'note-command-done outcome.kind forms',
  'note-command-done outcome.kind meant',
  'note-command-done outcome.kind tagged',
  'note-command-done outcome.kind todos',
]

upgrade(
  'when the last release gets an event of this one, then it reads it, or a value is known to be new to it',
  () => {
    const { names } = exchange(last!.root, [])
    const given = names.flatMap(name => samplesOf(todaysEvent(name).schema).map(sample => send(name, sample)))
    const { read: isRead } = exchange(last!.root, given)
    const read = new Set<string>()
    const refused: string[][] = []
    for (const [at, { type, data }] of given.entries()) {
      const values = enumeratedIn(todaysEvent(type).schema, data).map(
        path =>
          `${type} ${path.join('.')} ${path.reduce((inner, key) => Object(inner)[key], data as unknown)}`,
      )
      if (isRead[at]) for (const value of values) read.add(value)
      else refused.push(values)
    }
    const unknown = refused.map(values => values.filter(value => !read.has(value)))
    // Each refused event has a new value: no event lacks a field that was required.
    expect(unknown.filter(values => !values.length)).toEqual([])
    // A process of the last release can't answer in a new messenger. A `wish` is a part of `meant`, which is listed.
    const values = unknown.flat().filter(value => !/ outcome\.wish\.|channel telegram$/.test(value))
    expect([...new Set(values)].sort()).toEqual([...NEW_SINCE].sort())
  },
)
