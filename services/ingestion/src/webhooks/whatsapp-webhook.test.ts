import { eventually } from '@voxscribe/service/testing'
import mongoose from 'mongoose'
import {
  bodyOf,
  changeOf,
  ingestionForAll,
  newPhone,
  signatureOf,
  statusesOf,
  unique,
  voiceNote,
} from '../testing.ts'

const app = ingestionForAll()
let phone: string
beforeAll(async () => {
  phone = newPhone()
  await app.register('ada', phone)
})

const receipts = () => app.stored('receipts').countDocuments()

test('when the signature is that of the provider’s own example, then it is right', async () => {
  const body = '{"object":"whatsapp_business_account","entry":[]}'
  const example = 'sha256=c236c758c9b2bd40b388a550eeca09eaca72384dd0aa5e7c31d19cddac5bba46'
  expect(signatureOf(body)).toBe(example)
  const answer = await app.post(body, { 'x-hub-signature-256': example })
  expect([answer.status, await answer.text()]).toEqual([200, 'OK'])
})

test('when the signature is missing, wrong, or of other bytes, then it is 401, nothing stored', async () => {
  const before = await receipts()
  const body = JSON.stringify(bodyOf(changeOf([app.noteFrom({ from: phone })])))
  const right = signatureOf(body)
  const wrong = [
    undefined,
    '',
    'sha256=',
    right.replace('sha256=', ''),
    right.replace('sha256=', 'sha1='),
    right.slice(0, -1),
    signatureOf(body, 'another secret'),
    signatureOf(`${body} `),
    // The same JSON in other bytes, which are what is signed.
    signatureOf(JSON.stringify(JSON.parse(body), null, 1)),
  ]
  for (const signature of wrong) {
    const answer = await app.post(body, signature === undefined ? {} : { 'x-hub-signature-256': signature })
    expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ success: false })])
  }
  expect(await receipts()).toBe(before)
})

test('when a body has more than 4 MB, then it is 413; one of 3 MB is read', async () => {
  const huge = ' '.repeat(4 * 1024 * 1024 + 1)
  expect((await app.post(huge, { 'x-hub-signature-256': signatureOf(huge) })).status).toBe(413)
  const note = app.noteFrom({ from: phone })
  const big = { ...bodyOf(changeOf([note])), padding: ' '.repeat(3_000_000) }
  expect((await app.deliver(big)).status).toBe(200)
  await app.received(note.mediaId)
})

test.each([
  ['no JSON', 'hello'],
  ['nothing', ''],
  ['bytes', '\u0000\ufffd'],
  ['a list', []],
  ['null', 'null'],
  [
    'another object',
    { object: 'page', entry: [{ changes: [changeOf([voiceNote({ from: '16505550000' })])] }] },
  ],
  ['entries that are none', { object: 'whatsapp_business_account', entry: 'x' }],
  ['a change of another kind', bodyOf({ field: 'account_update', value: { event: 'VERIFIED_ACCOUNT' } })],
])('when a signed body is %s, then it is 200 and nothing is stored', async (_what, body) => {
  const before = await receipts()
  expect((await app.deliver(body)).status).toBe(200)
  expect(await receipts()).toBe(before)
})

test('when one body has several entries, changes and messages, then each note is taken in', async () => {
  const notes = Array.from({ length: 5 }, () => app.noteFrom({ from: phone }))
  const [a, b, c, d, e] = notes
  const [first] = bodyOf(changeOf([a, b]), changeOf([c])).entry
  const [second] = bodyOf(changeOf([d]), changeOf([e])).entry
  const broken = [{ id: '1' }, 'x', { changes: ['y', { value: null }] }]
  const answer = await app.deliver({ object: 'whatsapp_business_account', entry: [first, ...broken, second] })
  expect(answer.status).toBe(200)
  for (const { mediaId } of notes) expect((await app.received(mediaId)).userId).toBe('ada')
})

test('when a message comes many times at once, then there is one receipt and one announcement', async () => {
  const note = app.noteFrom({ from: phone })
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.say(note, note)))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  await app.received(note.mediaId)
  expect(app.announced(note.mediaId)).toBe(1)
  expect(app.downloads(note.audio.id)).toHaveLength(1)
})

test('when it is a status or a message of a kind that says nothing, then nothing is stored', async () => {
  const before = await receipts()
  const about = (from: string) => ({ from, id: unique('wamid.'), timestamp: '1739321024' })
  const status = { id: 'wamid.OUT', status: 'read', timestamp: '1739321030', recipient_id: phone }
  for (const from of [phone, newPhone()]) {
    const answer = await app.say(
      { ...about(from), type: 'sticker', sticker: { id: '1', mime_type: 'image/webp' } },
      { ...about(from), type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '👍' } },
      { ...about(from), type: 'system', system: { body: 'changed' } },
      { ...about(from), type: 'something new', audio: { id: '7', mime_type: 'audio/ogg' } },
    )
    expect(answer.status).toBe(200)
  }
  expect((await app.deliver(statusesOf(status))).status).toBe(200)
  expect(await receipts()).toBe(before)
})

test('when there is nothing to hear in a message, then its sender learns what can be sent', async () => {
  const kinds = {
    image: { id: '1', mime_type: 'image/jpeg', caption: 'hi' },
    location: { latitude: 1, longitude: 2 },
    contacts: [{ name: {} }],
    unsupported: {},
    document: { id: '1', mime_type: 'application/pdf', filename: 'bill.pdf' },
  }
  for (const from of [phone, newPhone()]) {
    for (const [type, content] of Object.entries(kinds)) {
      const id = unique('wamid.')
      await app.say({ from, id, timestamp: '1739321024', type, [type]: content })
      expect((await app.refused(id)).data.reason).toEqual({ code: 'nothing_to_hear' })
      expect(await app.receipt(id)).toMatchObject({ media: [] })
    }
  }
})

test.each(['edit', 'keep_in_chat', 'pin', 'poll_update', 'reaction'])(
  'when a message of an unsupported type only touches another one (%s), then nothing is stored',
  async type => {
    const id = unique('wamid.')
    await app.say({ from: phone, id, timestamp: '1739321024', type: 'unsupported', unsupported: { type } })
    expect(await app.receipt(id)).toBeNull()
  },
)

test('when an unknown sender’s document is a PDF, then it does not wait', async () => {
  const id = unique('wamid.')
  const document = { id: '1', mime_type: 'application/pdf', filename: 'bill.pdf' }
  await app.say({ from: newPhone(), id, timestamp: '1739321024', type: 'document', document })
  expect((await app.refused(id)).data.reason).toEqual({ code: 'nothing_to_hear' })
  expect(await app.receipt(id)).toMatchObject({ waitingUntil: null, media: [] })
})

test.each(['whatsapp', 'twilio'])('when the %s webhook is called by another method, then 405', async name => {
  const answer = await fetch(`${app.url}/webhooks/${name}`, { method: 'PUT' })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toContain('POST')
})

const right = { 'hub.mode': 'subscribe', 'hub.verify_token': 'verify me', 'hub.challenge': '1158201444' }
test.each<[string, Record<string, string>, number]>([
  ['right mode and token', right, 200],
  ['another token', { ...right, 'hub.verify_token': 'x' }, 403],
  ['another mode', { ...right, 'hub.mode': 'unsubscribe' }, 403],
  ['nothing', {}, 403],
])('when the address is checked with %s, then only 200 has the challenge', async (_what, query, status) => {
  const answer = await fetch(`${app.url}/webhooks/whatsapp?${new URLSearchParams(query)}`)
  expect(answer.status).toBe(status)
  if (status !== 200) return expect(await answer.text()).not.toContain('1158201444')
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(await answer.text()).toBe('1158201444')
})

test('when our messages fail, then each failure is published once; other statuses are ignored', async () => {
  const [one, other, delivered] = [unique('wamid.out'), unique('wamid.out'), unique('wamid.out')]
  const about = { timestamp: '1739321030', recipient_id: '16505551234' }
  const statusOf = (id: string, status: string, more: object = {}) => ({ id, status, ...about, ...more })
  const body = statusesOf(
    statusOf(one, 'failed', { errors: [{ code: 131_047, title: 'window' }] }),
    statusOf(delivered, 'delivered'),
    { nonsense: true },
    statusOf(other, 'failed'),
  )
  for (let time = 0; time < 2; time++) expect((await app.deliver(body)).status).toBe(200)
  const failures = () =>
    app.others.sent('MessageFailed').filter(({ data }) => [one, other, delivered].includes(data.messageId))
  await eventually(() => failures().length === 2)
  const found = failures().map(({ data }) => data)
  expect(found).toContainEqual({ channel: 'whatsapp', messageId: one, code: '131047' })
  expect(found).toContainEqual({ channel: 'whatsapp', messageId: other, code: '' })
})

test.each(['read', 'played'])(
  'when a message of ours was %s, then its failure later is none',
  async status => {
    const [seen, other] = [unique('wamid.out'), unique('wamid.out')]
    const about = { timestamp: '1739321030', recipient_id: '16505551234' }
    const failed = { ...about, status: 'failed', errors: [{ code: 131_026, title: 'Message undeliverable' }] }
    for (const given of [
      { id: seen, status: 'sent', ...about },
      { id: seen, status, ...about },
      { id: seen, ...failed },
      { id: other, ...failed },
    ])
      expect((await app.deliver(statusesOf(given))).status).toBe(200)
    const failures = () => app.others.sent('MessageFailed').map(({ data }) => data.messageId)
    await eventually(() => failures().includes(other))
    expect(failures()).not.toContain(seen)
  },
)

test('when WhatsApp could not hand a message on, then its sender is asked to send it again', async () => {
  for (const from of [phone, newPhone()]) {
    const id = unique('wamid.')
    const errors = [{ code: 131_060, title: 'This message is unavailable' }]
    await app.say({ from, id, timestamp: '1739321024', type: 'unsupported', errors })
    expect((await app.refused(id)).data.reason).toEqual({ code: 'message_unavailable' })
  }
})

test('when a note comes, then the response takes two look-ups and a write', async () => {
  const from = newPhone()
  await app.register('grace', from)
  const callsOf = async () => {
    const note = app.noteFrom({ from })
    const calls: string[] = []
    mongoose.set('debug', (collection: string, method: string) => calls.push(`${collection}.${method}`))
    try {
      await app.say(note)
    } finally {
      mongoose.set('debug', false)
    }
    await app.received(note.mediaId)
    // Jobs use media and closed accounts, and the relay removes published events. After the receipt, the note is
    // fetched, and a check makes sure that its number wasn't disowned in the meantime.
    const before = calls.slice(0, calls.indexOf('receipts.insertOne') + 1)
    return before.filter(call => !/^(media|closed_accounts)\.|\.updateMany$/.test(call)).toSorted()
  }
  expect(await callsOf()).toEqual(['accounts.findOne', 'receipts.insertOne', 'senders.find'])
})
