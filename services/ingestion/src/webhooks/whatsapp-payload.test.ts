import { bodyOf, changeOf, textMessage, voiceNote } from '../testing.ts'
import { readPayload } from './whatsapp-payload.ts'

const NUMBER_ID = '106540352242922'
const read = (body: unknown, numberIds = [NUMBER_ID]) =>
  readPayload(Buffer.from(JSON.stringify(body)), numberIds)
function readOne(message: unknown, contacts: unknown[] = []) {
  const change = changeOf([message])
  const { messages, skipped } = read(bodyOf({ ...change, value: { ...change.value, contacts } }))
  expect(skipped).toEqual([])
  return messages[0]
}
const from = { from: '16505551234', from_user_id: 'US.13491208655302741918' }

test('when it is the provider’s own example, then note and sender are read', () => {
  const contacts = [{ profile: { name: 'Sheena' }, wa_id: '16505551234', user_id: 'US.13491208655302741918' }]
  const note = voiceNote(
    { from: '16505551234' },
    { sha256: 'abc=', url: 'https://lookaside.fbsbx.com/x' },
    'wamid.HBgL',
  )
  expect(readOne(note, contacts)).toEqual({
    id: 'wamid.HBgL',
    sender: { channel: 'whatsapp', phone: '16505551234', messengerId: 'US.13491208655302741918' },
    text: null,
    media: [
      {
        providerMediaId: 'media-wamid.HBgL',
        fileName: 'Voice note 2025-02-12 00.43.ogg',
        sha256: 'abc=',
      },
    ],
  })
})

test('when the number is hidden, then the user id of message or contact is the sender', () => {
  const hidden = { phone: null, messengerId: 'US.7' }
  expect(readOne(textMessage({ from_user_id: 'US.7' }, 'Hi'))?.sender).toMatchObject(hidden)
  expect(
    readOne(textMessage({ from_user_id: 'US.7' }, 'Hi'), [{ user_id: 'US.7' }, null])?.sender,
  ).toMatchObject(hidden)
})

test('when a contact is someone else’s, then its user id is not taken', () => {
  const contacts = [{ wa_id: '16505559999', user_id: 'US.9' }]
  expect(readOne(textMessage({ from: '16505551234' }, 'Hi'), contacts)?.sender.messengerId).toBeNull()
})

test.each([
  ['audio', { voice: false, mime_type: 'audio/mpeg' }, 'Audio 2025-02-12 00.43.mp3'],
  ['video', { mime_type: 'video/mp4' }, 'Video 2025-02-12 00.43.mp4'],
  ['document', { mime_type: 'audio/mpeg', filename: 'talk.mp3' }, 'talk.mp3'],
  ['document', { mime_type: 'application/octet-stream', filename: '../../etc/passwd' }, 'passwd'],
  ['document', { mime_type: 'application/octet-stream', filename: '/' }, 'Audio 2025-02-12 00.43'],
])('when a message is %s with %j, then its file is named “%s”', (type, file, fileName) => {
  const message = { ...from, id: 'wamid.1', timestamp: '1739321024', type, [type]: { id: 'm', ...file } }
  expect(readOne(message)?.media[0]?.fileName).toBe(fileName)
})

test('when a note has a caption, then it is its text', () => {
  expect(readOne(voiceNote(from, { caption: 'c' }))?.text).toBe('c')
})

test.each([
  [
    'a text',
    { type: 'text', text: { body: 'srt' }, context: { from: '1', id: 'wamid.Q' } },
    'srt',
    'wamid.Q',
  ],
  [
    'a button',
    {
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: 'es', title: 'Español' } },
      context: { id: 'wamid.Q' },
    },
    'es',
    'wamid.Q',
  ],
  [
    'a template’s button',
    { type: 'button', button: { text: 'Más', payload: 'help' }, context: { id: 'q' } },
    'help',
    'q',
  ],
  ['forwarded', { type: 'text', text: { body: 'Hi' }, context: { forwarded: true } }, 'Hi', undefined],
  ['quoting nonsense', { type: 'text', text: { body: 'Hi' }, context: { id: 5 } }, 'Hi', undefined],
  ['a menu’s choice', { type: 'interactive', interactive: { list_reply: { id: 'x' } } }, null, undefined],
])('when a message is %s, then its words and what it quotes are read', (_what, message, text, quoted) => {
  const { text: read, quoted: quotes } = readOne({ ...from, id: 'wamid.1', ...message })!
  expect([read, quotes]).toEqual([text, quoted])
})

test('when a message quotes, then it says whether that was the person’s own', () => {
  const quotes = (context: object) =>
    readOne({ ...from, id: 'wamid.1', type: 'text', text: { body: 'srt' }, context })?.quotesOwn
  expect(quotes({ id: 'wamid.Q', from: from.from })).toBe(true)
  expect([{ id: 'wamid.Q', from: '15550783881' }, { id: 'wamid.Q' }].map(quotes)).toEqual([
    undefined,
    undefined,
  ])
})

test.each(['forwarded', 'frequently_forwarded'])(
  'when a text is %s, then its words are somebody else’s',
  how => {
    const text = { ...from, id: 'wamid.1', type: 'text', text: { body: 'delete' } }
    expect(readOne({ ...text, context: { [how]: true } })?.isForwarded).toBe(true)
    expect(readOne({ ...text, context: { id: 'wamid.Q', [how]: false } })?.isForwarded).toBeUndefined()
  },
)

test.each([
  ['its file name is very long', { filename: `${'x'.repeat(5000)}.mp3` }, {}],
  ['its caption is very long', { caption: 'c'.repeat(70_000) }, {}],
  ['its type is no text', { mime_type: 5 }, {}],
  ['its hash is no text', { sha256: {} }, {}],
  ['its time is a number', {}, { timestamp: 1739321024 }],
  ['its time is missing', {}, { timestamp: undefined }],
  ['its time is nonsense', {}, { timestamp: 'soon' }],
  ['its number is null, as it has a user id', {}, { from: null }],
  ['its user id is empty, as it has a number', {}, { from_user_id: '' }],
  ['a text of another shape comes along', {}, { text: 'Hi' }],
])('when %s, then the note is taken anyway', (_what, file, message) => {
  const note = { ...voiceNote(from, file), ...message }
  expect(readOne(note)?.media).toMatchObject([{ providerMediaId: note.audio.id }])
})

test('when its time is empty, then it is named after today', () => {
  const name = readOne({ ...voiceNote(from), timestamp: '' })?.media[0]?.fileName
  expect(name).toContain(new Date().toISOString().slice(0, 4))
})

test.each(['contacts', 'statuses'])('when %s are null, then the note beside them is taken', list => {
  const change = changeOf([voiceNote(from)])
  expect(read(bodyOf({ ...change, value: { ...change.value, [list]: null } })).messages).toHaveLength(1)
})

test('when messages are null, then what became of ours is read', () => {
  const change = changeOf([])
  const value = { ...change.value, messages: null, statuses: [{ id: 'wamid.out', status: 'failed' }] }
  expect(read(bodyOf({ ...change, value })).failed).toMatchObject([{ id: 'wamid.out' }])
})

test('when what else a message could be is null, then it is read as what it is', () => {
  const none = Object.fromEntries(
    'text audio video document image interactive button context errors system revoke unsupported group_id'
      .split(' ')
      .map(field => [field, null]),
  )
  expect(readOne({ ...none, ...textMessage(from, 'help') })?.text).toBe('help')
  expect(readOne({ ...none, ...voiceNote(from) })?.media).toHaveLength(1)
})

test.each([[null], [{}], ['x'], [undefined]])(
  'when the audio of a message is %j, then the log has it',
  audio => {
    const { messages, skipped } = read(bodyOf(changeOf([{ ...voiceNote(from), audio }])))
    expect({ messages, skipped }).toEqual({ messages: [], skipped: ['a message of an unknown shape'] })
  },
)

test('when an id is no whole text, then it is skipped: no id of ours can be made from it', () => {
  const { messages, skipped } = read(bodyOf(changeOf([voiceNote(from, {}, 'wamid.\ud800')])))
  expect({ messages, skipped }).toEqual({ messages: [], skipped: ['a message of an unknown shape'] })
})

test('when a message cannot be read, then the log has it without its words', () => {
  const secret = textMessage({}, 'my secret')
  const { messages, skipped } = read(
    bodyOf(changeOf([secret, { ...secret, id: 5 }]), changeOf([secret], '9'), 'x'),
  )
  expect(messages).toEqual([])
  expect(skipped).toEqual([
    'a message without a sender',
    'a message of an unknown shape',
    'a change for another number',
    'a change without messages',
  ])
})

test.each(['history', 'smb_message_echoes'])('when a change is of %s, then no note is taken', field => {
  const { messages, skipped } = read(bodyOf({ ...changeOf([voiceNote(from)]), field }))
  expect({ messages, skipped }).toEqual({ messages: [], skipped: ['a change without messages'] })
})

test.each([131_060, '131060'])(
  'when WhatsApp could not hand a message on (%j), then it is no picture without sound',
  code => {
    const message = { ...from, id: 'wamid.1', type: 'unsupported', errors: [{ code, title: 'x' }] }
    expect(readOne(message)).toMatchObject({ isUnavailable: true, media: [] })
    expect(readOne(message)).not.toHaveProperty('isSoundless')
  },
)

test('when there are several numbers, then a message names its own; one of ours alone names none', () => {
  const body = bodyOf(changeOf([textMessage(from, 'Hi')], '2'), changeOf([textMessage(from, 'Ho')], '3'))
  expect(read(body, ['1', '2'])).toMatchObject({
    messages: [{ text: 'Hi', numberId: '2' }],
    skipped: ['a change for another number'],
  })
  expect(read(body, ['3']).messages).toEqual([expect.not.objectContaining({ numberId: expect.anything() })])
})
