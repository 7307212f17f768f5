import { MediaExpired } from '@voxscribe/contracts/events'
import { createInProcessBus } from '@voxscribe/messaging'
import { eventually, silentLog, tokenFor } from '@voxscribe/service/testing'
import { claimsOf, deskWithSphinx, received, responseFake } from '../testing.ts'
import { createLive } from './live.ts'

const { desk, note: path } = await deskWithSphinx()

interface Change {
  id: string
  status: string
  stage: string | null
  progress: number
}

/** Reads a person's stream; `changes` grows with it. */
async function listen(userId: string, headers: Record<string, string> = {}) {
  const response = await desk.fetch('/api/transcriptions/events', userId, headers)
  const heard = { response, changes: [] as Change[], text: '', hasEnded: false, leave: () => {} }
  const reader = response.body!.getReader()
  heard.leave = () => void reader.cancel().catch(() => {})
  void (async () => {
    const decoder = new TextDecoder()
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      heard.text += decoder.decode(value, { stream: true })
      heard.changes = [...heard.text.matchAll(/event: transcription\ndata: (.*)\n\n/g)].map(([, json]) =>
        JSON.parse(json!),
      )
    }
  })()
    .catch(() => {})
    .finally(() => {
      heard.hasEnded = true
    })
  return heard
}

describe('when the answer may wait for the end of a note', () => {
  const ask = (id: string, wait: string) => desk.fetch(`/api/transcriptions/${id}?wait=${wait}`, 'wai')

  test('then it comes with the text', async () => {
    const note = received({ userId: 'wai' })
    const { mediaId: id } = note.data
    await desk.receive(path, { mediaId: id, userId: 'wai' })
    await eventually(async () => (await ask(id, '0')).status === 200)
    const answer = ask(id, '30')
    await desk.finish(id)
    const { transcription } = (await (await answer).json()).data
    expect(transcription).toMatchObject({ id, status: 'completed', text: expect.stringMatching(/./) })
    // The note is completed already.
    expect((await ask(id, '30')).status).toBe(200)
  })

  test('then it comes when the note is deleted, and when the time is up', async () => {
    const { mediaId: id } = received().data
    await desk.receive(path, { mediaId: id, userId: 'wai' })
    expect((await (await ask(id, '1')).json()).data.transcription.status).toBe('processing')
    const answer = ask(id, '30')
    await desk.remove(id, 'wai')
    expect((await answer).status).toBe(404)
  })

  test('then 100 of a person wait, and the next comes at once', async () => {
    const { live, change, bound } = openLive()
    const looks: string[] = []
    const wait = (userId: string) =>
      live.waitFor(
        userId,
        ({ id, status }) => id === 'n' && status === 'completed',
        30,
        async () => {
          looks.push(userId)
          return false
        },
      )
    const waiting = Array.from({ length: 100 }, () => wait('ada'))
    await wait('ada')
    const other = wait('bob')
    await eventually(() => looks.length === 101)
    expect(looks).toEqual([...Array(100).fill('ada'), 'bob'])
    change('ada', { id: 'm', status: 'completed' })
    change('ada', { id: 'n', status: 'processing' })
    for (const userId of ['ada', 'bob']) change(userId, { id: 'n', status: 'completed' })
    await Promise.all([...waiting, other])
    await eventually(() => bound() === 0)
    const last = wait('ada')
    live.close()
    await last
    expect(looks).toHaveLength(102)
  })

  test('and the call waits for more text, then a change of another note does not end it', async () => {
    const note = received({ userId: 'wai' })
    const { mediaId: id } = note.data
    await desk.receive(path, { mediaId: id, userId: 'wai' })
    let hasEnded = false
    const answer = ask(id, '30&heard=0').finally(() => {
      hasEnded = true
    })
    await desk.receive(path, { userId: 'wai' })
    expect(hasEnded).toBe(false)
    await desk.finish(id)
    expect((await answer).status).toBe(200)
  })

  test.each(['-1', '31', 'x', '1.5'])('then a wait of %s is refused', async wait => {
    const answer = await ask('n', wait)
    expect([answer.status, (await answer.json()).errors[0].field]).toEqual([400, 'wait'])
  })
})

describe('the stream of changes', () => {
  test('when a note goes its way, then its person hears of each step, and nobody else', async () => {
    const [ada, bob] = [await listen('ada'), await listen('bob')]
    expect(ada.response.headers.get('content-type')).toContain('text/event-stream')
    const { id } = await desk.complete(path, { userId: 'ada' })
    await eventually(() => ada.changes.some(({ status }) => status === 'completed'))
    expect(ada.changes[0]).toEqual({ id, status: 'processing', stage: 'normalising', progress: 0 })
    expect(ada.changes.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(['reserving', 'recognising']),
    )
    expect(ada.changes.at(-1)).toEqual({ id, status: 'completed', stage: null, progress: 1 })
    await desk.call('PATCH', `/transcriptions/${id}`, 'ada', { body: { title: 'Told' } })
    // Its open page shows that the audio can no longer be played.
    await desk.bus.publish(MediaExpired.create({ mediaId: id, userId: 'ada' }))
    await desk.remove(id, 'ada')
    await eventually(() => ada.changes.some(({ status }) => status === 'deleted'))
    expect(ada.changes.filter(({ status }) => status === 'completed')).toHaveLength(3)
    expect(bob.changes).toEqual([])
    for (const { leave } of [ada, bob]) leave()
  })

  test('when a person opens a 21st stream, then it answers 429, and others are served', async () => {
    const open = await Promise.all(Array.from({ length: 20 }, () => listen('many')))
    const refused = await desk.fetch('/api/transcriptions/events', 'many')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
    const other = await listen('other')
    expect(other.response.status).toBe(200)
    for (const { leave } of [...open, other]) leave()
    await eventually(async () => {
      const again = await listen('many')
      again.leave()
      return again.response.status === 200
    })
  })

  test('when only its head is asked for, then it takes no place', async () => {
    const head = () =>
      fetch(`${desk.url}/api/transcriptions/events`, {
        method: 'HEAD',
        headers: { authorization: tokenFor('heads') },
      })
    for (let at = 0; at < 20; at++) expect((await head()).status).toBe(200)
    const stream = await listen('heads')
    expect(stream.response.status).toBe(200)
    stream.leave()
  })

  test('when its token ends, then the stream does', async () => {
    // The token may end before the stream is opened.
    const stream = await eventually(async () => {
      const begun = await listen('', { authorization: tokenFor('ends', 1) })
      return begun.response.status === 200 && begun
    })
    await eventually(() => stream.hasEnded)
  })

  test('when the service stops, then streams end', async () => {
    const stream = await listen('stopping')
    await desk.restart()
    await eventually(() => stream.hasEnded)
  })
})

/** A process that receives changes as if from another one; `bound` counts its listeners. */
function openLive() {
  const bus = createInProcessBus({ topology: {}, log: silentLog })
  let bound = 0
  const live = createLive({
    broadcast: bus.broadcast,
    async onBroadcast(topic, listener) {
      const unbind = await bus.onBroadcast(topic, listener)
      bound += 1
      return () => {
        bound -= 1
        unbind()
      }
    },
    closed: { refuses: async () => false },
  })
  const change = (userId: string, data: object) =>
    bus.broadcast(userId, { event: 'transcription', data: { stage: null, progress: 1, ...data } })
  return { live, change, bound: () => bound }
}

describe('when a page is open', () => {
  const parts = [{ engine: 'local base', from: 0, to: 30 }]
  const state = { status: 'processing', stage: 'recognising' }
  const note = (userId: string, more = {}) =>
    ({ _id: 'n1', userId, ...state, parts, durationSeconds: 120, ...more }) as never

  test('then it has the changes of its person’s notes alone, and listens no longer than it is open', async () => {
    const { live, bound } = openLive()
    const response = responseFake()
    const stream = live.streamFor(claimsOf('ada'))(response as never)
    await eventually(() => bound() === 1)
    live.changed(note('bob'))
    live.changed(note('ada'))
    live.changed(note('ada', { deletedAt: new Date() }))
    // A tombstone.
    live.changed(note(''))
    await eventually(() => response.written.length === 3)
    const data = '{"id":"n1","status":"processing","stage":"recognising","progress":0.25}'
    expect(response.written).toEqual([
      ': hello\n\n',
      `event: transcription\ndata: ${data}\n\n`,
      'event: transcription\ndata: {"id":"n1","status":"deleted","stage":null,"progress":1}\n\n',
    ])
    response.end()
    await stream
    expect(bound()).toBe(0)
  })

  test('then it stays open when what is broadcast cannot be read', async () => {
    const { live, change, bound } = openLive()
    const response = responseFake()
    const stream = live.streamFor(claimsOf('ada'))(response as never)
    await eventually(() => bound() === 1)
    change('ada', { id: 5, status: 'unheard-of' })
    change('ada', { id: 'n', status: 'failed' })
    await eventually(() => response.written.length === 2)
    expect(response.written.at(-1)).toContain('"status":"failed"')
    response.end()
    await stream
  })
})
