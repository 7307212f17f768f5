import { readFile } from 'node:fs/promises'
import { AccountErased, MediaExpired } from '@voxscribe/contracts/events'
import { deskWithSphinx } from '../testing.ts'

const VIEWS = 90
const {
  desk,
  sphinx,
  note: path,
} = await deskWithSphinx({
  PUBLIC_URL: 'https://vox.example',
  RATE_LIMIT_SHARED: `${VIEWS}/1h`,
})

const share = (id: string, body: object, userId = 'u1') =>
  desk.call('POST', `/transcriptions/${id}/share`, userId, { body })
const end = (id: string, userId = 'u1') => desk.call('DELETE', `/transcriptions/${id}/share`, userId)
async function read(token: string) {
  const answer = await desk.fetch(`/api/shared/${encodeURIComponent(token)}`)
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

/** Completes a note and returns the token of a link to it. */
async function shared(options: object = { days: 7 }) {
  const { id, event } = await desk.complete(path)
  const { body } = await share(id, options)
  expect(body.data.url).toMatch(/^https:\/\/vox\.example\/s\/[\w-]{43}$/)
  return { id, event, token: body.data.url.split('/s/')[1] as string, expiresAt: body.data.expiresAt }
}
const DAY_MS = 86_400_000

describe('when a note is shared', () => {
  test('then who has the link reads it as it is now, and its owner sees how often', async () => {
    const { id, token, expiresAt } = await shared()
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(6.9 * DAY_MS)
    const { status, headers, body } = await read(token)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.data).toEqual({
      title: 'note.ogg',
      titleFrom: 'file',
      source: 'whatsapp',
      date: new Date().toISOString().slice(0, 10),
      text: 'hello world',
      paragraphs: [expect.objectContaining({ text: 'hello world' })],
      speakers: [],
      segments: [expect.objectContaining({ text: 'hello world' })],
      audioUrl: null,
    })
    const [segment] = body.data.segments
    await desk.call('PATCH', `/transcriptions/${id}`, 'u1', {
      body: { title: 'مرحبا 🎉', segments: [{ id: segment.id, text: 'hello Nora' }] },
    })
    const again = await Promise.all(Array.from({ length: 20 }, () => read(token)))
    for (const { body } of again) expect(body.data).toMatchObject({ title: 'مرحبا 🎉', text: 'hello Nora' })
    expect((await desk.noteOf(id)).share).toEqual({
      url: `https://vox.example/s/${token}`,
      expiresAt,
      views: 21,
      audio: false,
    })
  })

  test('then the link itself is nowhere in the database', async () => {
    const { id, token } = await shared()
    const [stored] = await desk.stored('shares').find({ _id: id }).toArray()
    expect(stored).toMatchObject({ userId: 'u1', views: 0 })
    expect(JSON.stringify(stored)).not.toContain(token)
  })

  test('then the text stays readable while it is transcribed again', async () => {
    const { id, token } = await shared()
    await sphinx.says('other', 'words')
    await desk.refresh(id)
    expect((await read(token)).body.data.text).toBe('hello world')
    await desk.finish(id, 2)
    expect((await read(token)).body.data.text).toBe('other words')
    await sphinx.says('hello', 'world')
  })
})

test('when a link has ended in whatever way, or is guessed, then the answer is always the same', async () => {
  const [byHand, replaced, expired, deleted] = await Promise.all(Array.from({ length: 4 }, () => shared()))
  expect((await end(byHand!.id)).status).toBe(200)
  expect((await end(byHand!.id)).status).toBe(200)
  const next = (await share(replaced!.id, { days: 1, audio: true })).body.data.url.split('/s/')[1]
  const past = { expiresAt: new Date(Date.now() - 1_000) }
  await desk.stored('shares').updateOne({ _id: expired!.id }, { $set: past })
  await desk.remove(deleted!.id)
  const { body: unknown } = await read('A'.repeat(43))
  expect(unknown).toMatchObject({ success: false, code: 'link_ended' })
  const gone = [byHand, replaced, expired, deleted].map(one => one!.token)
  for (const token of [...gone, `${next}x`, next.slice(1), '$gt', '__proto__', 'x'.repeat(5_000), '🎉'])
    expect([token, await read(token)]).toMatchObject([token, { status: 404, body: unknown }])
  expect((await read(next)).status).toBe(200)
  for (const { id } of [byHand!, expired!]) expect((await desk.noteOf(id)).share).toBeNull()
  expect(await desk.stored('shares').findOne({ _id: deleted!.id })).toBeNull()
})

describe('the recording', () => {
  test('when it is shared, then it plays with ranges, and ends with the link', async () => {
    const { id, token } = await shared({ days: 30, audio: true })
    const { audioUrl } = (await read(token)).body.data
    expect(audioUrl).toBe(`/api/shared/${token}/audio`)
    const part = await desk.fetch(audioUrl, undefined, { range: 'bytes=10-19' })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer())).toEqual((await readFile(path)).subarray(10, 20))
    expect((await desk.noteOf(id)).share).toMatchObject({ views: 1, audio: true })
    await end(id)
    expect((await desk.fetch(audioUrl)).status).toBe(404)
  })

  test('when it is not shared, or gone, then the link does not give it', async () => {
    const textOnly = await shared({ days: 1 })
    expect((await desk.fetch(`/api/shared/${textOnly.token}/audio`)).status).toBe(404)
    const { token, id, event } = await shared({ days: 1, audio: true })
    await desk.removeAudio(event)
    expect((await desk.fetch(`/api/shared/${token}/audio`)).status).toBe(404)
    await desk.bus.publish(MediaExpired.create({ mediaId: id, userId: 'u1' }))
    expect((await read(token)).body.data).toMatchObject({ text: 'hello world', audioUrl: null })
  })
})

test('when a note has no text yet or is not theirs, or the days are others, then no link is made', async () => {
  const running = (await desk.receive(path)).data.mediaId
  await desk.normalised(running)
  expect(await share(running, { days: 7 })).toMatchObject({ status: 409, body: { code: 'not_completed' } })
  const { id } = await desk.complete(path)
  for (const [days, audio] of [[2], ['7'], [null], [7, 'yes']]) {
    const { status, body } = await share(id, { days, audio })
    expect([status, body.errors[0].field]).toEqual([400, audio ? 'audio' : 'days'])
  }
  expect((await share(id, { days: 7 }, 'u2')).status).toBe(404)
  expect((await end(id, 'u2')).status).toBe(404)
  expect((await share('nothing', { days: 7 })).status).toBe(404)
  expect((await desk.noteOf(id)).share).toBeNull()
})

test('when an account is erased, then its links are gone with its notes', async () => {
  const { id } = await desk.complete(path, { userId: 'leaving' })
  const token = (await share(id, { days: 7 }, 'leaving')).body.data.url.split('/s/')[1]
  expect((await read(token)).status).toBe(200)
  const person = { phone: null, email: 'ada@example.com', firstName: 'Ada', uiLanguage: 'en' } as const
  await desk.bus.publish(AccountErased.create({ userId: 'leaving', ...person }))
  expect((await read(token)).status).toBe(404)
  expect(await desk.stored('shares').countDocuments({ userId: 'leaving' })).toBe(0)
})

test('when links are tried too often from one address, then it has to wait', async () => {
  const statuses = new Set<number>()
  for (let tried = 0; tried < VIEWS && !statuses.has(429); tried++) statuses.add((await read('guess')).status)
  expect([...statuses]).toEqual([404, 429])
  expect(Number((await read('guess')).headers.get('retry-after'))).toBeGreaterThan(0)
})

test('when they are tried from the addresses of one IPv6 network, then these count as one', async () => {
  const statuses = new Set<number>()
  for (let tried = 0; tried <= VIEWS; tried++) {
    const from = { 'x-forwarded-for': `2001:db8::${tried.toString(16)}` }
    statuses.add((await desk.fetch('/api/shared/guess', undefined, from)).status)
  }
  expect([...statuses]).toEqual([404, 429])
})
