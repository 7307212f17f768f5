import { readdirSync, readFileSync } from 'node:fs'
import { type ChatExport, ChatUnreadable, withoutMarks } from './chat.ts'
import { readChat } from './read-chat.ts'
import { STAMPS, WORDS } from './testing/whatsapp-words.ts'

const FIXTURES = new URL('fixtures/', import.meta.url)

interface Expected extends Omit<ChatExport, 'text' | 'files' | 'dayFirst'> {
  ambiguous: boolean
  dayFirst?: boolean
  from: string
  to: string
  people: { name: string; messages: number }[]
  files: { name: string }[]
  messages: {
    n: number
    at: string
    person: string | null | (string | null)[]
    kind: string | string[]
    text?: string | string[]
    edited?: boolean
    file?: { name: string | null | string[]; omitted: boolean } | null
    as?: string
  }[]
}

const names = readdirSync(FIXTURES).flatMap(name => /^(.+)\.expected\.json$/.exec(name)?.[1] ?? [])
const read = (name: string) => readFileSync(new URL(name, FIXTURES), 'utf8')

const plain = (text: string) =>
  withoutMarks(text)
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/^~ /, '')
const instant = (at: string | number) => new Date(at).getTime()
/** A list of expected values means that any of them is right. */
const sameAs = <T>(found: T, expected: T | T[]): T =>
  Array.isArray(expected) ? (expected.includes(found) ? found : expected[0]!) : expected

describe('a chat export', () => {
  test.each(names)('when it is %s, then people, times, texts and files are read', name => {
    const expected = JSON.parse(read(`${name}.expected.json`)) as Expected
    const { source, timeZone } = expected
    const text = read(`${name}.${source === 'telegram' ? 'json' : 'txt'}`)
    const chat = readChat({ source, timeZone, text, files: expected.files.map(file => file.name) })
    const messages = chat.messages.map(({ person, at, ...message }, index) => {
      const by = person === null ? null : chat.people[person]!
      return { n: index + 1, at, person: by && plain(by.name), key: by?.key, ...message }
    })

    expect({ ambiguous: chat.ambiguous, dayFirst: chat.dayFirst ?? undefined }).toEqual({
      ambiguous: expected.ambiguous,
      dayFirst: expected.dayFirst,
    })
    expect(messages).toEqual(
      expected.messages.map((wanted, index) => {
        const found = messages[index]!
        return {
          ...found,
          n: wanted.n,
          at: instant(wanted.at),
          person: sameAs(
            found.person,
            Array.isArray(wanted.person) ? wanted.person : wanted.person && plain(wanted.person),
          ),
          kind: sameAs<string>(found.kind, wanted.kind),
          ...(wanted.text === undefined ? {} : { text: sameAs(found.text, wanted.text) }),
          edited: wanted.edited ?? false,
          file: wanted.file
            ? { omitted: wanted.file.omitted, name: sameAs(found.file?.name ?? null, wanted.file.name) }
            : null,
          ...(wanted.as ? { key: wanted.as } : {}),
        }
      }),
    )
    const count = (by: number) => chat.messages.filter(({ person }) => person === by).length
    expect(
      chat.people.map((person, index) => ({ name: plain(person.name), messages: count(index) })),
    ).toEqual(expected.people.map(person => ({ ...person, name: plain(person.name) })))
  })
})

/** Formats lines as an iPhone or Android writes them, with one message per line. */
const written = (phone: string, stamp: string, lines: string[]) =>
  lines.map(line => (phone.startsWith('ios') ? `[${stamp}] ${line}` : `${stamp} - ${line}`)).join('\n')

const android = (line: string) => written('android', '14/03/2025, 21:05', [line])
const iphone = (line: string) => written('ios', '14/03/2025, 21:05:12', [line])

const reading = (text: string, more: Partial<ChatExport> = {}) =>
  readChat({ source: 'whatsapp', timeZone: 'UTC', text, files: [], ...more })

function refusal(text: string, more: Partial<ChatExport> = {}) {
  try {
    reading(text, more)
  } catch (error) {
    if (error instanceof ChatUnreadable) return `${error.reason} ${error.line}`
    throw error
  }
  return 'read'
}

describe('a line of WhatsApp', () => {
  test.each(STAMPS)('when it is written by %s, then its time is read', (phone, stamp) => {
    const { messages, ambiguous } = reading(written(phone, stamp, ['Ana: one', 'Bo: two']))
    const at = Date.UTC(2025, 2, 14, 21, 5, phone.startsWith('ios') ? 12 : 0)
    expect(messages.map(message => message.at)).toEqual([at, at])
    expect(ambiguous).toBe(false)
  })

  test.each(WORDS)('when an iPhone in $language wrote it, then its words are known', words => {
    const mark = words.language === 'ar' ? '\u200f' : '\u200e'
    const lines = [
      `Ana: see this: ${mark}<${words.attachedPhone} 00000012-AUDIO.opus>`,
      `Ana: ${mark}${words.pictureOmitted}`,
      `Ana: look ${mark}${words.audioOmitted}`,
      `Ana: ${mark}${words.videoOmitted}`,
      `Ana: ${mark}${words.deleted}`,
      `Ana: ${mark}${words.deletedByOneself}`,
      `Ana: better ${mark}${words.editedPhone}`,
      `Ana: ${mark}${words.notice}`,
      `Ana: ${words.pictureOmitted}`,
    ]
    const text = lines.map(line => `${mark}[14/03/2025, 21:05:12] ${line}`).join('\r\n')
    const { messages, people } = reading(text, { files: ['00000012-AUDIO.opus'] })
    expect(people).toEqual([{ key: 'Ana', name: 'Ana' }])
    expect(
      messages.map(({ kind, file, text, edited }) => [kind, file?.name, file?.omitted, text, edited]),
    ).toEqual([
      ['note', '00000012-AUDIO.opus', false, 'see this:', false],
      ['file', null, true, '', false],
      ['file', null, true, 'look', false],
      ['file', null, true, '', false],
      ['deleted', undefined, undefined, '', false],
      ['deleted', undefined, undefined, '', false],
      ['text', undefined, undefined, 'better', true],
      ['system', undefined, undefined, words.notice, false],
      ['text', undefined, undefined, words.pictureOmitted, false],
    ])
  })

  test.each(WORDS)('when Android in $language wrote it, then its words are known', words => {
    const lines = [
      `Ana: \u200ePTT-20250314-WA0001.opus ${words.attachedAndroid}\nsee: this`,
      `Ana: ${words.omittedAndroid}`,
      `Ana: ${words.deleted}`,
      `Ana: ${words.deletedByOneself}`,
      `Ana: better ${words.editedAndroid}`,
      words.notice,
    ]
    const { messages, people } = reading(written('android', '14/03/2025 21:05', lines))
    expect(people).toEqual([{ key: 'Ana', name: 'Ana' }])
    expect(
      messages.map(({ kind, file, text, edited }) => [kind, file?.name, file?.omitted, text, edited]),
    ).toEqual([
      ['note', 'PTT-20250314-WA0001.opus', false, 'see: this', false],
      ['file', null, true, '', false],
      ['deleted', undefined, undefined, '', false],
      ['deleted', undefined, undefined, '', false],
      ['text', undefined, undefined, 'better', true],
      ['system', undefined, undefined, words.notice, false],
    ])
  })

  test('when a group whose name has a colon writes on an iPhone, then it is no person', () => {
    const { people, messages } = reading(
      '\u200e[14/03/2025, 21:05:12] Odd: one: \u200eMessages and calls are end-to-end encrypted.\n[14/03/2025, 21:05:13] Ana: hi',
    )
    expect(people).toEqual([{ key: 'Ana', name: 'Ana' }])
    expect(messages[0]).toMatchObject({
      kind: 'system',
      text: 'Messages and calls are end-to-end encrypted.',
    })
  })

  test.each([
    ['has a quotation mark that nothing closes', android('Joe 5": hello'), ['Joe 5"', 'text', 'hello', null]],
    [
      'is spelled in parts (NFD)',
      android('Zoë: a.opus (Datei angehängt)'.normalize('NFD')),
      ['Zoë'.normalize('NFD'), 'note', '', 'a.opus'],
    ],
    [
      'has a space after the French colon',
      iphone('Zoë: \u200e<pièce jointe\u00a0:\u00a0a.opus>'),
      ['Zoë', 'note', '', 'a.opus'],
    ],
    [
      'counts pages in Hindi',
      iphone('Zoë: Plan.pdf • २ पेज \u200e<अटैच किया गया: 00000012-Plan.pdf>'),
      ['Zoë', 'file', '', '00000012-Plan.pdf'],
    ],
    [
      'has a document without pages',
      iphone('Zoë: Plan.docx \u200e<attached: 00000012-Plan.docx>'),
      ['Zoë', 'file', '', '00000012-Plan.docx'],
    ],
  ])('when it %s, then it is read', (_, text, expected) => {
    const { people, messages } = reading(text, { files: ['a.opus'] })
    expect(
      messages.map(({ person, kind, text, file }) => [
        person === null ? null : people[person]!.name,
        kind,
        text,
        file?.name ?? null,
      ]),
    ).toEqual([expected])
  })

  test('when nothing decides between day and month, then what is told counts, else the order of the messages', () => {
    const text = written('android', '01/02/2025, 10:00', ['Ana: one'])
    expect(reading(text)).toMatchObject({ ambiguous: true, dayFirst: true })
    expect(reading(text, { dayFirst: false }).messages[0]!.at).toBe(Date.UTC(2025, 0, 2, 10))
    const later = written('android', '03/01/2025, 10:00', ['Ana: two'])
    expect(reading(`${text}\n${later}`)).toMatchObject({ ambiguous: true, dayFirst: false })
    expect(reading(written('ios', '3/4/25, 9:05:12\u202fPM', ['Ana: one']))).toMatchObject({
      dayFirst: false,
    })
  })
})

test('when fields of Telegram are null or of another kind than usual, then the chat is read', () => {
  const message = { type: 'message', from: 'Ana', from_id: 'user1', text: 'hi', date: '2025-03-14T21:05:12' }
  const odd = [
    { ...message, date_unixtime: 1741986312 },
    { ...message, from: null, text: ['a', { type: 'custom_emoji', document_id: 'x' }, { text: 'b' }] },
    { ...message, text: null, photo: null, file: null, media_type: null, edited: null, action: null },
  ]
  const { messages } = reading(JSON.stringify({ type: 'personal_chat', messages: odd }), {
    source: 'telegram',
  })
  const at = Date.UTC(2025, 2, 14, 21, 5, 12)
  expect(messages.map(({ at, person, kind, text, edited }) => [at, person, kind, text, edited])).toEqual([
    [at, 0, 'text', 'hi', false],
    [at, 0, 'text', 'ab', false],
    [at, 0, 'text', '', false],
  ])
})

describe('a text that is no chat', () => {
  test.each([
    ['', 'chat_empty 1'],
    [' \n\n', 'chat_empty 1'],
    ['\nOnce upon a time\n14/03/2025, 21:05 - Ana: hi', 'chat_unknown 2'],
    ['99/99/2025, 25:61 - Ana: hi', 'chat_unknown 1'],
    ['\u0000\u0001\ud800', 'chat_unknown 1'],
    [`14/03/2025, 21:05 - Ana: ${'a'.repeat(1_000_001)}`, 'message_long 1'],
    [`14/03/2025, 21:05 - Ana: b\n${'14/03/2025, 21:05 - A: b\n'.repeat(200_000)}`, 'messages_many 200001'],
  ])('when it is %.30j, then it is refused at its line', (text, expected) => {
    expect(refusal(text)).toBe(expected)
  })

  test.each([
    ['{', 'chat_unknown 1'],
    ['[]', 'chat_unknown 1'],
    ['{"type":"personal_chat","messages":[]}', 'chat_empty 1'],
    ['{"chats":{"list":[]},"about":""}', 'chats_many 1'],
    ['{"type":"personal_chat","messages":[{"type":"message","text":"no date"}]}', 'chat_unknown 1'],
    [
      JSON.stringify(
        { type: 'personal_chat', messages: [{ type: 'message', date_unixtime: '1', text: '' }, 7] },
        null,
        1,
      ),
      'chat_unknown 9',
    ],
    [`{"type":"personal_chat","messages":${'['.repeat(100_000)}`, 'chat_unknown 1'],
  ])('when Telegram’s is %.40j, then it is refused', (text, expected) => {
    expect(refusal(text, { source: 'telegram' })).toBe(expected)
  })
})
