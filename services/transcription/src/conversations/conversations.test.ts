import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { AccountErased } from '@voxscribe/contracts/events'
import { CHATS_BYTES_MAX } from '@voxscribe/contracts/limits'
import { eventually } from '@voxscribe/service/testing'
import { deskWithSphinx } from '../testing.ts'

const { sphinx, desk, note: path } = await deskWithSphinx()

const FIXTURES = new URL('../../../../packages/contracts/src/chats/fixtures/', import.meta.url)
const fixture = (name: string) => readFileSync(new URL(name, FIXTURES), 'utf8')
const names = readdirSync(FIXTURES).flatMap(name => /^(.+)\.expected\.json$/.exec(name)?.[1] ?? [])
const file = (name: string) => ({ name, bytes: 10, sha256: createHash('sha256').update(name).digest('hex') })

const bring = (userId: string, body: object) => desk.call('POST', '/conversations', userId, { body })
const read = async (userId: string, path: string) =>
  (await desk.call('GET', `/conversations${path}`, userId)).body.data
const CHAT = ['Ana: Hello', 'Bo: PTT-20250314-WA0001.opus (file attached)', 'Ana: Good\nnight']
const lines = (said: string[], minute = 0) =>
  said.map((line, at) => `14/03/2025, 21:0${minute + at} - ${line}\n`).join('')
const VOICE = 'PTT-20250314-WA0001.opus'
const chat = (more: object = {}) => ({
  source: 'whatsapp',
  name: 'Family',
  text: lines(CHAT),
  files: [file(VOICE), file('PTT-lost.opus'), file('IMG.jpg')],
  timeZone: 'Europe/Berlin',
  ...more,
})
async function made(userId: string, more: object = {}) {
  const { status, body } = await bring(userId, chat(more))
  expect([status, body.message]).toEqual([201, 'OK'])
  return body.data.conversation
}
async function speak(userId: string, id: string, name: string, words: string[]) {
  await sphinx.says(...words)
  const facts = {
    userId,
    conversation: { id, file: name },
    source: { channel: 'web' as const },
    fileName: name,
  }
  return (await desk.complete(path, facts)).id
}

describe('an export', () => {
  test.each(names)('when %s is brought in, then it is read as it was written', async name => {
    const expected = JSON.parse(fixture(`${name}.expected.json`))
    const { source, timeZone } = expected
    const text = fixture(`${name}.${source === 'telegram' ? 'json' : 'txt'}`)
    const files = expected.files.map((listed: { name: string }) => file(listed.name))
    const { status, body } = await bring('fixtures', { source, name: expected.name, timeZone, text, files })
    expect(status).toBe(201)
    const { conversation } = body.data
    const { from, to, ambiguous, missing } = expected
    expect(conversation).toMatchObject({ from, to, ambiguous, missing, dayFirst: expected.dayFirst ?? null })
    expect(conversation.messages).toBe(expected.messages.length)
    expect(conversation.notes.map((note: { file: string }) => note.file)).toEqual(expected.notes)
    const { messages, next } = await read('fixtures', `/${conversation.id}/messages?limit=200`)
    const shown = expected.messages.slice(0, 200)
    expect(messages.map(({ n, at }: { n: number; at: string }) => ({ n, at }))).toEqual(
      shown.map(({ n, at }: { n: number; at: string }) => ({ n, at })),
    )
    expect(next).toBe(expected.messages.length > 200 ? 200 : null)
  })

  test('when it is sent again, longer, shorter or without its beginning, then it is the same conversation', async () => {
    const first = await made('again')
    const again = await bring('again', chat())
    expect([again.status, again.body.data.conversation]).toEqual([200, first])
    const ana = first.people.find(({ name }: { name: string }) => name === 'Ana').id
    await desk.call('PATCH', `/conversations/${first.id}`, 'again', {
      body: { people: [{ id: ana, name: 'Anna' }] },
    })
    const longer = lines([...CHAT, 'Cy: Hi'])
    const more = await bring('again', chat({ text: longer }))
    expect(more.status).toBe(200)
    expect(more.body.data.conversation).toMatchObject({
      id: first.id,
      messages: 4,
      people: [
        { id: ana, name: 'Anna', messages: 2 },
        { name: 'Bo', messages: 1 },
        { name: 'Cy', messages: 1 },
      ],
    })
    const shorter = await bring('again', chat())
    expect([shorter.status, shorter.body.data.conversation.messages]).toEqual([200, 4])
    const cut = `${lines([CHAT[2]!], 2)}${lines(['Cy: Hi', 'Ana: Bye'], 3)}`
    const gone = await bring('again', chat({ text: cut }))
    expect([gone.status, gone.body.data.conversation.id]).toEqual([200, first.id])
    expect(gone.body.data.conversation).toMatchObject({ messages: 5, from: first.from })
    const { messages } = await read('again', `/${first.id}/messages`)
    expect(messages.map(({ text }: { text: string }) => text)).toEqual([
      'Hello',
      '',
      'Good\nnight',
      'Hi',
      'Bye',
    ])
    const other = await bring('again', chat({ name: 'Work' }))
    expect([other.status, other.body.data.conversation.id]).toEqual([200, first.id])
    expect((await bring('another', chat())).status).toBe(201)
    expect(
      await desk.stored('conversation_parts').countDocuments({ conversation: first.id, kind: 'text' }),
    ).toBe(1)
  })

  test('when two calls bring in the same text at once, then there is one conversation', async () => {
    const both = await Promise.all([bring('twice', chat()), bring('twice', chat())])
    expect(new Set(both.map(({ body }) => body.data.conversation.id)).size).toBe(1)
    expect((await read('twice', '')).conversations).toHaveLength(1)
    const [{ id }] = (await read('twice', '')).conversations
    expect((await read('twice', `/${id}/messages`)).messages).toHaveLength(3)
  })

  test.each([
    [{ text: 'Once upon a time' }, 400, 'text', /WhatsApp.*Line 1 can’t be read/],
    [{ text: '' }, 400, 'text', /no messages/],
    [{ source: 'telegram', text: '{"chats":{"list":[]}}' }, 400, 'text', /many chats/],
    [{ source: 'signal' }, 400, 'source', /^source must be whatsapp or telegram$/],
    [{ name: undefined }, 400, 'name', /^name is required$/],
    [{ timeZone: 'Mars/Base' }, 400, 'timeZone', /Unknown time zone/],
    [{ files: [{ name: 'x', bytes: -1, sha256: 'a'.repeat(64) }] }, 400, 'files.0.bytes', /bytes/],
    [{ name: ' ' }, 400, 'name', /Name is required/],
  ])('when it is wrong (%j), then it is refused', async (wrong, status, field, message) => {
    const answer = await bring('wrong', chat(wrong))
    expect(answer).toMatchObject({ status, body: { errors: [expect.objectContaining({ field })] } })
    expect(answer.body.message).toMatch(message)
    expect(await desk.stored('conversations').countDocuments({ userId: 'wrong' })).toBe(0)
  })

  test('when it is no JSON, or not said to be, then it is refused', async () => {
    const send = (body: string, type: string) =>
      desk.call('POST', '/conversations', 'wrong', { headers: { 'content-type': type }, body })
    expect((await send('x', 'text/plain')).status).toBe(415)
    expect((await bring('wrong', [])).status).toBe(400)
  })

  test('when its text has more than 32 MB, then it is 413, and one of many parts is found in', async () => {
    const message = `14/03/2025, 21:00 - Ana: ${'a'.repeat(1_000)}\n`
    expect((await bring('large', chat({ text: message.repeat(33_000), files: [] }))).status).toBe(413)
    const text = Array.from(
      { length: 20_000 },
      (_, at) => `14/03/2025, 21:00 - P${at % 9}: ${at} ${'é'.repeat(50)}\n`,
    )
    const { status, body } = await bring('large', chat({ text: text.join(''), files: [] }))
    expect([status, body.data?.conversation.messages]).toEqual([201, 20_000])
    const found = await read('large', `/${body.data.conversation.id}/messages?search=19998`)
    expect(found.messages).toMatchObject([{ n: 19_999 }])
  })
})

describe('a conversation', () => {
  test('when its dates can be read two ways, then PATCH reads them the other way', async () => {
    const name = 'ambiguous'
    const text = fixture(`${name}.txt`)
    const files = [file('PTT-20250403-WA0012.opus')]
    const { body } = await bring(name, { source: 'whatsapp', name, text, files, timeZone: 'Europe/London' })
    const { id, from } = body.data.conversation
    expect(from).toBe('2025-04-03T09:00:00Z')
    const noteId = await speak(name, id, files[0]!.name, ['hello'])
    const changed = await desk.call('PATCH', `/conversations/${id}`, name, { body: { dayFirst: false } })
    expect(changed.body.data.conversation).toMatchObject({
      from: '2025-03-04T10:00:00Z',
      ambiguous: true,
      dayFirst: false,
      notes: [{ transcriptionId: noteId, at: '2025-03-04T10:06:00Z' }],
    })
    expect((await desk.noteOf(noteId, name)).createdAt).toBe('2025-03-04T10:06:00.000Z')
  })

  test('when it is asked for the other way many times at once, then it is read again once', async () => {
    const name = 'hurry'
    const text = fixture('ambiguous.txt')
    const { body } = await bring(name, {
      source: 'whatsapp',
      name,
      text,
      files: [],
      timeZone: 'Europe/London',
    })
    const { id } = body.data.conversation
    const other = () => desk.call('PATCH', `/conversations/${id}`, name, { body: { dayFirst: false } })
    const answers = await Promise.all(Array.from({ length: 15 }, other))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(9).fill(409), ...Array(5).fill(429)])
    const { conversation } = await read(name, `/${id}`)
    expect(conversation).toMatchObject({ dayFirst: false, version: 2 })
  })

  test('when a process dies while it reads one again, then what it wrote is deleted an hour later', async () => {
    const { id } = await made('interrupted')
    const [conversations, parts] = [desk.stored('conversations'), desk.stored('conversation_parts')]
    const stored = () => conversations.findOne({ _id: id })
    const { revision, readings } = (await stored()) as never as { revision: string; readings: unknown[] }
    expect(readings).toEqual([])
    const part = (await parts.findOne({ conversation: id } as object))!
    for (const other of ['old', 'recent'])
      await parts.insertOne({ ...part, _id: other, revision: other } as never)
    const old = new Date(Date.now() - 3_700_000)
    const begun = [revision, 'old'].map(each => ({ revision: each, at: old }))
    const recent = { revision: 'recent', at: new Date() }
    await conversations.updateOne({ _id: id }, { $set: { readings: [...begun, recent] } } as object)
    await desk.runJob('complete-conversations')
    const revisions = (await parts.find({ conversation: id } as object).toArray()).map(
      each => (each as never as { revision: string }).revision,
    )
    expect(new Set(revisions)).toEqual(new Set([revision, 'recent']))
    expect(await stored()).toMatchObject({ readings: [recent] })
    expect((await read('interrupted', `/${id}/messages`)).messages).toHaveLength(3)
  })

  test('when one person brings in many at once, then few wait, and those of others come between', async () => {
    const ended: string[] = []
    const take = async (userId: string, n: number) => {
      const { status, body } = await bring(userId, chat({ name: `n${n}`, text: lines([`Ana: ${n}`]) }))
      ended.push(userId)
      return [status, body.code]
    }
    const many = Array.from({ length: 20 }, (_, n) => take('crowd', n))
    const one = take('alone', 0)
    const answers = await Promise.all(many)
    expect(await one).toEqual([201, undefined])
    expect(answers.filter(([status]) => status === 201)).toHaveLength(10)
    expect(answers).toContainEqual([429, 'rate_limited'])
    expect(ended.indexOf('alone')).toBeLessThan(ended.length - 5)
  })

  test('when its recordings come, then they are its notes, and it is told once that all are done', async () => {
    const conversation = await made('voices')
    const { id } = conversation
    expect(conversation.notes).toMatchObject([{ file: VOICE, personId: 'p2', transcriptionId: null }])
    expect(desk.bus.sent('ConversationCompleted').filter(({ data }) => data.userId === 'voices')).toEqual([])
    const noteId = await speak('voices', id, VOICE, ['bring', 'bread'])
    const note = await desk.noteOf(noteId, 'voices')
    expect(note).toMatchObject({
      conversation: { id, name: 'Family', n: 2 },
      sender: { id: 'p2', name: 'Bo' },
      createdAt: '2025-03-14T20:01:00.000Z',
    })
    const completions = () =>
      desk.bus.sent('ConversationCompleted').filter(({ data }) => data.userId === 'voices')
    await eventually(() => completions().length)
    const { messages } = await read('voices', `/${id}/messages`)
    expect(messages).toEqual([
      {
        n: 1,
        at: '2025-03-14T20:00:00Z',
        personId: 'p1',
        kind: 'text',
        text: 'Hello',
        edited: false,
        file: null,
        note: null,
      },
      {
        n: 2,
        at: '2025-03-14T20:01:00Z',
        personId: 'p2',
        kind: 'note',
        text: '',
        edited: false,
        file: { name: VOICE, omitted: false },
        note: { id: noteId, status: 'completed', durationSeconds: note.durationSeconds, text: 'bring bread' },
      },
      expect.objectContaining({ n: 3, text: 'Good\nnight' }),
    ])
    const extra = await speak('voices', id, 'PTT-lost.opus', ['lost'])
    expect(await desk.noteOf(extra, 'voices')).toMatchObject({ conversation: { id, n: null }, sender: null })
    expect(completions()).toHaveLength(1)
    expect(completions()[0]!.data.conversation).toMatchObject({ id, name: 'Family', messages: 3 })
  })

  test('when it has no recordings, then it is complete at once', async () => {
    await made('silent', { files: [] })
    await eventually(() =>
      desk.bus.sent('ConversationCompleted').some(({ data }) => data.userId === 'silent'),
    )
  })

  test('when messages are asked for, then pages, people, kinds and words are found', async () => {
    const said = [
      'Ana: Où est le pain ?',
      `Bo: ${VOICE} (file attached)`,
      'Ana: the bread',
      'Bo: Straße',
      'Ana left',
    ]
    const { id } = await made('finds', { text: lines(said), timeZone: 'America/New_York' })
    await speak('finds', id, VOICE, ['bread', 'please'])
    const found = async (query: string) => {
      const page = await read('finds', `/${id}/messages?${query}`)
      return [page.messages.map(({ n }: { n: number }) => n), page.next]
    }
    expect(await found('')).toEqual([[1, 2, 3, 4, 5], null])
    expect(await found('limit=2')).toEqual([[1, 2], 2])
    expect(await found('limit=2&after=2')).toEqual([[3, 4], 4])
    expect(await found('after=5')).toEqual([[], null])
    expect(await found('after=9999')).toEqual([[], null])
    expect(await found('search=BREAD')).toEqual([[2, 3], null])
    expect(await found('search=bread&limit=1')).toEqual([[2], 2])
    expect(await found('search=bread&kind=note')).toEqual([[2], null])
    expect(await found('search=ou%20pai')).toEqual([[1], null])
    expect(await found('search=strasse')).toEqual([[4], null])
    expect(await found('search=ain')).toEqual([[], null])
    expect(await found('search=!?')).toEqual([[], null])
    expect(await found('person=p1')).toEqual([[1, 3], null])
    expect(await found('kind=note')).toEqual([[2], null])
    expect(await found('day=2025-03-14&limit=1')).toEqual([[1], 1])
    expect(await found('day=2025-03-15')).toEqual([[], null])
    for (const wrong of [
      'limit=0',
      'limit=201',
      'limit=x',
      'after=-1',
      'after=1.5',
      'kind=text',
      'day=2025-02-30',
      'person=nobody',
    ])
      expect([
        wrong,
        (await desk.call('GET', `/conversations/${id}/messages?${wrong}`, 'finds')).status,
      ]).toEqual([wrong, 400])
  })

  test('when people are renamed and joined, then messages and notes follow', async () => {
    const { id, version } = await made('joins')
    const noteId = await speak('joins', id, VOICE, ['hello'])
    const change = (body: object) => desk.call('PATCH', `/conversations/${id}`, 'joins', { body })
    const joined = await change({
      name: 'Home',
      people: [
        { id: 'p2', sameAs: 'p1' },
        { id: 'p1', name: 'Ana B.' },
      ],
      me: 'p2',
      language: 'es',
      version,
    })
    expect(joined.body.data.conversation).toMatchObject({
      name: 'Home',
      people: [{ id: 'p1', name: 'Ana B.', messages: 3 }],
      me: 'p1',
      language: 'es',
      version: version + 1,
    })
    expect(await desk.noteOf(noteId, 'joins')).toMatchObject({
      conversation: { name: 'Home' },
      sender: { id: 'p1', name: 'Ana B.' },
    })
    const { messages } = await read('joins', `/${id}/messages?person=p2`)
    expect(messages.map(({ personId }: { personId: string }) => personId)).toEqual(['p1', 'p1', 'p1'])
    expect((await change({ name: 'Old', version })).status).toBe(409)
    for (const wrong of [
      { people: [{ id: 'p9', name: 'x' }] },
      { people: [{ id: 'p1', sameAs: 'p9' }] },
      { people: [{ id: 'p1', sameAs: 'p2' }] },
      { me: 'p9' },
      { language: 'klingon' },
      {},
    ])
      expect([wrong, (await change(wrong)).status]).toEqual([wrong, 400])
    const parted = await change({ people: [{ id: 'p2', sameAs: null }], me: null })
    expect(parted.body.data.conversation).toMatchObject({ me: null, people: [{ id: 'p1' }, { id: 'p2' }] })
  })

  test('when notes are listed, then those of conversations are left out unless they are asked for', async () => {
    const { id } = await made('lists')
    const ofChat = await speak('lists', id, VOICE, ['bread'])
    await sphinx.says('bread', 'and', 'butter')
    const alone = (await desk.complete(path, { userId: 'lists' })).id
    const listed = async (query: string) => {
      const { transcriptions, statistics } = (await desk.call('GET', `/transcriptions?${query}`, 'lists'))
        .body.data
      return [transcriptions.map((note: { id: string }) => note.id), statistics.total]
    }
    expect(await listed('')).toEqual([[alone], 1])
    expect(await listed(`conversation=${id}`)).toEqual([[ofChat], 1])
    expect(await listed('conversation=all')).toEqual([[alone, ofChat], 2])
    expect(await listed('search=bread')).toEqual([[alone, ofChat], 1])
    expect(await listed('conversation=other')).toEqual([[], 0])
  })

  test.each([true, false])(
    'when it is deleted with its notes (%p), then they go or are ordinary ones',
    async notes => {
      const userId = `deletes-${notes}`
      const { id } = await made(userId)
      const noteId = await speak(userId, id, VOICE, ['bread'])
      const remove = (query: string, who = userId) => desk.call('DELETE', `/conversations/${id}${query}`, who)
      expect((await remove('')).status).toBe(400)
      expect((await remove(`?notes=${notes}`, 'stranger')).status).toBe(404)
      expect((await remove(`?notes=${notes}`)).status).toBe(200)
      expect((await remove(`?notes=${notes}`)).status).toBe(404)
      const note = await desk.noteOf(noteId, userId)
      if (notes) expect(note).toBeUndefined()
      else expect(note).toMatchObject({ conversation: null, sender: null })
      expect(await desk.stored('conversation_parts').countDocuments({ conversation: id })).toBe(0)
    },
  )

  test('when a person’s chats have all the room there is, then another one waits, and a longer export does not', async () => {
    const { id } = await made('collector')
    await desk.stored('conversations').updateOne({ _id: id } as object, { $set: { bytes: CHATS_BYTES_MAX } })
    const refused = await bring('collector', chat({ name: 'Work', text: lines(['Cy: Hi']) }))
    expect([refused.status, refused.body.code]).toEqual([409, 'conversations_full'])
    expect((await bring('collector', chat())).status).toBe(200)
    expect((await bring('collector', chat({ text: lines([...CHAT, 'Ana: Again']) }))).status).toBe(200)
    expect((await read('collector', '')).conversations).toMatchObject([{ id, messages: 4 }])
  })

  test('when its account is erased, then nothing of it is left', async () => {
    const { id } = await made('leaver')
    const about = { phone: null, email: 'ada@example.com', firstName: 'Ada', uiLanguage: 'en' as const }
    await desk.bus.publish(AccountErased.create({ userId: 'leaver', ...about }))
    expect(await desk.stored('conversations').countDocuments({ _id: id })).toBe(0)
    expect(await desk.stored('conversation_parts').countDocuments({ conversation: id })).toBe(0)
  })

  test('when it is someone else’s, or unknown, then there is none', async () => {
    const { id } = await made('owner')
    for (const [method, end, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'x' }],
      ['GET', '/messages', undefined],
    ] as const)
      expect((await desk.call(method, `/conversations/${id}${end}`, 'stranger', { body })).status).toBe(404)
    expect((await read('stranger', '')).conversations).toEqual([])
    const place = async (conversation: string, name: string) => {
      const query = new URLSearchParams({ userId: 'owner', conversation, file: name })
      return (await desk.fetch(`/internal/conversation-file?${query}`)).status
    }
    expect([
      await place('none', VOICE),
      await place(id, ''),
      await place(id, 'IMG.jpg'),
      await place(id, VOICE),
    ]).toEqual([404, 400, 400, 200])
  })
})
