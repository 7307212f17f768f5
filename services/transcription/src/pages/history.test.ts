import { eventually } from '@voxscribe/service/testing'
import { deskWithSphinx, SOURCE } from '../testing.ts'
import { createHistory } from './history.ts'
import { correctionsIn } from './typos.ts'

const { sphinx, desk, note: path } = await deskWithSphinx()

async function complete(userId: string, words: string[], facts = {}) {
  await sphinx.says(...words)
  return (await desk.complete(path, { userId, ...facts })).id
}
const call = async (userId: string, query: string) =>
  (await desk.call('GET', `/transcriptions?${query}`, userId)).body.data
/** Returns the files found, in order; checks that pagination counts the same. */
async function found(userId: string, asked: Record<string, string>): Promise<string[]> {
  const { transcriptions, pagination } = await call(userId, new URLSearchParams(asked).toString())
  expect(pagination.total).toBe(transcriptions.length)
  return transcriptions.map(({ fileName }: { fileName: string }) => fileName)
}
const numbers = async (userId: string) => (await desk.call('GET', '/transcriptions/stats', userId)).body.data

/** A model without notes that records its queries. */
function countingModel(asked: string[]) {
  const query = (name: string, result: unknown) => () => {
    asked.push(name)
    const chain = { sort: () => chain, skip: () => chain, limit: () => chain, lean: async () => result }
    return chain
  }
  return {
    find: query('find', []),
    findOne: query('findOne', null),
    countDocuments: async () => 0,
  }
}

describe('filters', () => {
  beforeAll(async () => {
    await complete('f1', ['a', 'b'], { fileName: 'chat.ogg', language: 'en' })
    await complete('f1', ['b', 'c'], { fileName: 'page.ogg', source: { channel: 'web' } })
    await desk.refuse({ userId: 'f1', fileName: 'bad.ogg', source: { ...SOURCE, channel: 'twilio' } })
  })
  const now = () => new Date().toISOString()
  const today = () => now().slice(0, 10)

  test('when one or several are asked for, then notes come that fulfil all of them, newest first', async () => {
    const { transcriptions } = await call('f1', '')
    expect(transcriptions).toHaveLength(3)
    const { languages } = await numbers('f1')
    expect(languages).toEqual(['auto', 'en'])
    for (const status of ['all', 'completed', 'failed'])
      for (const source of ['', 'whatsapp', 'web', 'twilio', 'api'])
        for (const language of ['', 'fr', ...languages]) {
          const isAsked = (note: Record<string, string>) =>
            (status === 'all' || note.status === status) &&
            (!source || note.source === source) &&
            (!language || note.language === language)
          const files = transcriptions.filter(isAsked).map(({ fileName }: { fileName: string }) => fileName)
          const asked = { status, ...(source && { source }), ...(language && { language }) }
          expect(await found('f1', asked)).toEqual(files)
        }
    for (const pages of ['limit=1', 'limit=1&page=2', 'limit=3', 'limit=2&page=2'])
      expect((await call('f1', `search=b&source=web&${pages}`)).pagination.total).toBe(1)
  })

  test('when days or times are asked for, then both ends are included', async () => {
    const all = ['bad.ogg', 'page.ogg', 'chat.ogg']
    const { transcriptions } = await call('f1', 'limit=1')
    const [{ createdAt, date }] = transcriptions
    expect(await found('f1', { from: date, to: today() })).toEqual(all)
    expect(await found('f1', { from: '2020-01-01', to: '2020-12-31' })).toEqual([])
    expect(await found('f1', { from: createdAt, to: createdAt })).toEqual(['bad.ogg'])
    expect(await found('f1', { from: createdAt.replace('Z', '+00:00') })).toEqual(['bad.ogg'])
    expect(await found('f1', { to: createdAt.replace('Z', '') })).toEqual(all)
    expect(await found('f1', { to: createdAt, source: 'web', search: 'b' })).toEqual(['page.ogg'])
  })

  test.each([
    'page=0',
    'page=x',
    'limit=0',
    'limit=1.5',
    'status=done',
    'search=a&search=b',
    'source=fax',
    'source=',
    'language=xx',
    'language=english',
    'from=yesterday',
    'from=2026-02-30',
    'to=2026-11-20T25:00:00Z',
    'to=20',
    'from=2026-11-21&to=2026-11-20',
    'from=2026-11-20&from=2026-11-21',
    'source=web&source=twilio',
  ])('when the question is "%s", then it answers 400', async query => {
    expect(await desk.call('GET', `/transcriptions?${query}`, 'f1')).toMatchObject({ status: 400 })
  })
})

describe('pages', () => {
  const NOTES = 45
  const notes = Array.from({ length: NOTES }, (_, n) => ({
    // Several notes have the same time, and ids are in another order than the notes.
    _id: `page-${(n * 17) % NOTES}`,
    userId: 'pages',
    createdAt: new Date(1_000 * (n >> 2)),
    source: { channel: n % 3 ? 'whatsapp' : 'web' },
    language: n % 5 ? 'en' : 'es',
    listedLanguage: n % 5 ? 'en' : 'es',
    status: n % 2 ? 'completed' : 'failed',
    fileName: `${n}.ogg`,
    bytes: 1,
    objectKey: null,
    notices: [],
  }))
  beforeAll(async () => void (await desk.notes.insertMany(notes as never)))

  /** Newest first; ids break ties. */
  const inOrder = notes.toSorted(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a._id < b._id ? -1 : 1),
  )
  test.each([
    ['all', '', inOrder],
    ['a status', 'status=failed', inOrder.filter(({ status }) => status === 'failed')],
    [
      'a source and a language',
      'source=whatsapp&language=en',
      inOrder.filter(({ source, language }) => source.channel === 'whatsapp' && language === 'en'),
    ],
  ])(
    'when pages of %s are read, from either end, then each note is on its page',
    async (_, query, expected) => {
      for (const limit of [4, 7, 100]) {
        const pages = Math.ceil(expected.length / limit)
        for (let page = 1; page <= pages + 1; page++) {
          const { transcriptions, pagination } = await call('pages', `${query}&limit=${limit}&page=${page}`)
          const place = expected.slice((page - 1) * limit, page * limit)
          expect(transcriptions.map(({ id }: { id: string }) => id)).toEqual(place.map(({ _id }) => _id))
          expect(pagination).toMatchObject({ total: expected.length, totalPages: pages })
        }
      }
    },
  )
})

describe('a search', () => {
  beforeAll(async () => {
    await desk.refuse({ userId: 's0', fileName: '100% (a+b).ogg' })
    await desk.refuse({ userId: 's0', fileName: 'Second.ogg' })
    await complete('s0', ['hello', 'world'], { fileName: 'third.ogg' })
  })

  test.each([
    ['SECOND', ['Second.ogg']],
    ['100% (a+b)', ['100% (a+b).ogg']],
    ['WORLD', ['third.ogg']],
    ['wor, HELL!', ['third.ogg']],
    ['orld', []],
    ['hello second', []],
    ['.*', []],
    ['nothing like it', []],
    ['\0', []],
  ])(
    'when %j is looked for, then it is the beginnings of words in any order and case',
    async (search, files) => {
      expect(await found('s0', { search })).toEqual(files)
    },
  )

  test('when text or title change, then only the new words find the note', async () => {
    const id = await complete('s1', ['apple', 'pie'], { fileName: 'voice-2026.ogg' })
    expect(await found('s1', { search: 'PIE app' })).toEqual(['voice-2026.ogg'])
    expect(await found('s1', { search: '2026 voice' })).toEqual(['voice-2026.ogg'])
    expect(await found('s1', { search: 'app ple' })).toEqual([])
    expect(await found('s1', { search: '!? …' })).toEqual([])
    const body = { title: '会議の記録', segments: [{ id: '1', text: 'Plum cake' }] }
    expect((await desk.call('PATCH', `/transcriptions/${id}`, 's1', { body })).status).toBe(200)
    expect(await found('s1', { search: 'apple' })).toEqual([])
    expect(await found('s1', { search: 'cake 記録' })).toEqual(['voice-2026.ogg'])
    await desk.call('PATCH', `/transcriptions/${id}`, 's1', { body: { restore: true } })
    expect(await found('s1', { search: 'apple' })).toEqual(['voice-2026.ogg'])
    expect(await found('s2', { search: 'apple' })).toEqual([])
    await sphinx.says('banana')
    await desk.refresh(id, 's1')
    await desk.finish(id, 2)
    expect(await found('s1', { search: 'apple' })).toEqual([])
    expect(await found('s1', { search: 'banana' })).toEqual(['voice-2026.ogg'])
    await desk.remove(id, 's1')
    expect(await found('s1', { search: 'banana' })).toEqual([])
  })
})

test('when lists and numbers are read, then nothing is written', async () => {
  await complete('r1', ['one'])
  const stored = () => desk.notes.find({ userId: 'r1' }).toArray()
  // Events leave a note's outbox once they are published.
  const before = await eventually(async () => {
    const notes = await stored()
    return notes.every(note => !(note as { outbox?: unknown[] }).outbox?.length) && notes
  })
  for (const query of ['', 'search=one', 'status=failed']) await call('r1', query)
  await numbers('r1')
  expect(await stored()).toEqual(before)
})

describe('a search that finds more than 1,000 notes', () => {
  const NOTES = 1_050
  beforeAll(async () => {
    const words = ['plum', 'tree']
    const facts = {
      userId: 'many',
      source: { channel: 'web' },
      status: 'completed',
      text: 'plum tree',
      words,
    }
    const notes = Array.from({ length: NOTES }, (_, n) => ({
      _id: `many-${n}`,
      ...facts,
      fileName: `${n}.ogg`,
      createdAt: new Date(n),
      objectKey: null,
      notices: [],
    }))
    await desk.notes.insertMany(notes as never)
  })
  const paging = async (query: string) => (await call('many', query)).pagination

  test('when it is asked for, then it says that there are more, and every page is there', async () => {
    for (const search of ['search=plum', 'search=tr+plu', 'from=1970-01-01'])
      expect(await paging(search)).toMatchObject({ total: 1_000, totalPages: 100, totalIsMinimum: true })
    expect(await paging('search=plum&page=101')).toMatchObject({ total: 1_010, totalPages: 102 })
    expect(await paging('search=plum&page=105')).toMatchObject({ total: 1_050, totalPages: 106 })
    const last = await call('many', 'search=plum&page=106')
    expect(last).toMatchObject({ transcriptions: [], pagination: { totalPages: 100 } })
  })
})

describe('tags', () => {
  const patch = (id: string, tags: unknown) =>
    desk.call('PATCH', `/transcriptions/${id}`, 't1', { body: { tags } })

  test('when a note is tagged, then lists show, find and count them, whatever the case and accents', async () => {
    const [one, two] = [await complete('t1', ['one']), await complete('t1', ['two'])]
    const hindi = 'नि\u200dर्माण'
    const { body } = await patch(one, ['#Obra', 'ação', 'OBRA', hindi, 'a'.repeat(30)])
    expect(body.data.transcription.tags).toEqual(['Obra', 'ação', hindi, 'a'.repeat(30)])
    await patch(two, ['obra', 'Zoo'])
    const foundBy = async (tag: string) =>
      (await call('t1', `${new URLSearchParams({ tag })}`)).transcriptions.map(({ id }: { id: string }) => id)
    expect(await foundBy('obra')).toEqual([two, one])
    expect(await foundBy('#AÇAO')).toEqual([one])
    expect(await foundBy('obr')).toEqual([])
    expect(await found('t1', { search: 'zoo' })).toEqual([])
    expect((await call('t1', 'tag=zoo&search=two')).pagination.total).toBe(1)
    expect((await numbers('t1')).tags).toEqual([
      'a'.repeat(30),
      'ação',
      expect.stringMatching(/^obra$/i),
      'Zoo',
      hindi,
    ])
    await desk.refresh(two, 't1')
    await desk.finish(two, 2)
    expect(await foundBy('zoo')).toEqual([two])
    await patch(one, [])
    expect(await foundBy('obra')).toEqual([two])
  })

  test.each([
    [['two words']],
    [['']],
    [['#']],
    [['a,b']],
    [['🎉']],
    [['a'.repeat(31)]],
    [Array.from({ length: 11 }, (_, at) => `tag${at}`)],
    ['obra'],
    [[7]],
  ])('when they are %j, then nothing is changed', async tags => {
    const id = await complete('t1', ['one'])
    const { status, body } = await patch(id, tags)
    expect([status, body.errors[0].field.split('.')[0]]).toEqual([400, 'tags'])
    expect((await desk.call('GET', '/transcriptions?tag=a,b', 't1')).status).toBe(400)
  })
})

describe('a search that finds nothing', () => {
  beforeAll(async () => {
    const text = 'Die Überweisung über 50 Euro, receive the parcel, निर्माण कार्य, Привет'
    const id = await complete('w1', ['one', 'two'], { fileName: 'Contract.ogg' })
    await desk.call('PATCH', `/transcriptions/${id}`, 'w1', { body: { segments: [{ id: '1', text }] } })
  })
  test.each([
    ['recieve', 'receive'],
    ['parcle euro', 'parcel euro'],
    ['uberweisun', null],
    ['Überweisumg', 'überweisung'],
    ['xreceive', 'receive'],
    ['eceive', 'receive'],
    ['constract', 'contract'],
    ['निर्मान', 'निर्माण'],
    ['превет', 'привет'],
    ['eurp', 'euro'],
    ['recieve parcle', null],
    ['recieve elephant', null],
    ['thw', null],
    ['.* recieve', '.* receive'],
    ['!?', null],
  ])(
    'for %j then the search with one slip corrected is offered, if there is one',
    async (search, suggestion) => {
      const answer = await call('w1', `${new URLSearchParams({ search })}`)
      const finds = search === 'uberweisun' ? 1 : 0
      expect([answer.pagination.total, answer.suggestion]).toEqual([finds, suggestion])
    },
  )
  test('when its words are of many alphabets, then few spellings are looked for', async () => {
    const word = (first: number) =>
      Array.from({ length: 24 }, (_, at) => String.fromCodePoint(0xac00 + first + at * 256)).join('')
    const search = Array.from({ length: 6 }, (_, at) => word(at)).join(' ')
    const all = correctionsIn(search).flatMap(({ candidates }) => candidates)
    expect(all.length).toBeGreaterThan(1_000)
    expect(all.length).toBeLessThanOrEqual(2_000)
    expect(new Set(all.flatMap(slip => [...slip])).size).toBeLessThan(6 * (24 + 128))
    expect((await call('w1', `${new URLSearchParams({ search })}`)).suggestion).toBeNull()
  })
  test('when the caller has left, then no spelling is looked for', async () => {
    const asked: string[] = []
    const history = createHistory(countingModel(asked) as never, () => ({ count: async () => {} }) as never)
    const query = { page: 1, limit: 10, search: 'recieve parcle' }
    await history.page('w1', query, new AbortController().signal)
    expect(asked).toEqual(['find', 'findOne', 'findOne'])
    asked.length = 0
    const answer = await history.page('w1', query, AbortSignal.abort())
    expect([asked, answer.suggestion]).toEqual([['find'], null])
  })
  test('when there are more than 60 a minute, then 429 says when to try again, and others are found', async () => {
    const searches = await Promise.all(
      Array.from({ length: 61 }, () => desk.call('GET', '/transcriptions?search=xyz', 'w3')),
    )
    const [refused, ...more] = searches.filter(({ status }) => status !== 200)
    expect([refused?.status, refused?.body.code, more.length]).toEqual([429, 'rate_limited', 0])
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await desk.call('GET', '/transcriptions', 'w3')).status).toBe(200)
    expect((await desk.call('GET', '/transcriptions?search=receive', 'w1')).status).toBe(200)
  })
  test('when it is of someone else, then nothing is offered', async () => {
    expect((await call('w2', 'search=recieve')).suggestion).toBeNull()
    expect((await call('w1', 'search=receive')).suggestion).toBeNull()
  })
})

describe('the numbers', () => {
  test('when notes come, end, and are deleted, then they follow at once', async () => {
    const first = await complete('n1', ['one'], { bytes: 100 })
    await complete('n1', ['two'], { bytes: 20 })
    expect(await numbers('n1')).toMatchObject({ total: 2, completed: 2, totalFileSize: 120, totalSeconds: 4 })
    await desk.refresh(first, 'n1')
    expect(await numbers('n1')).toMatchObject({ total: 2, completed: 1, processing: 1 })
    await desk.remove(first, 'n1')
    expect(await numbers('n1')).toMatchObject({ total: 1, completed: 1, processing: 0 })
    expect(await numbers('n1')).toMatchObject({ totalFileSize: 20, totalSeconds: 2 })
    const { statistics, pagination } = await call('n1', 'status=completed')
    expect({ statistics, total: pagination.total }).toMatchObject({ statistics: { total: 1 }, total: 1 })
  })
})
