import { MediaExpired } from '@voxscribe/contracts/events'
import { eventually, tokenFor } from '@voxscribe/service/testing'
import { claimsOf, deskWithSphinx, received, responseFake } from '../testing.ts'
import { changeOf, createLive } from './live.ts'

const { desk, note: path } = await deskWithSphinx()

interface Change {
  id: string
  status: string
  stage: string | null
  progress: number
}

/** Listens to a person's stream; `changes` grows as it comes. */
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
    // It is over already.
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
    const live = createLive({ broadcast: () => {}, closed: admitAll, me: 'here', isAlone: true })
    const looks: string[] = []
    const wait = (userId: string) =>
      live.waitFor(userId, 'n', 30, async () => {
        looks.push(userId)
        return false
      })
    const waiting = Array.from({ length: 100 }, () => wait('ada'))
    await wait('ada')
    const other = wait('bob')
    expect(looks).toEqual([...Array(100).fill('ada'), 'bob'])
    live.receive({ userId: 'ada', id: 'n', status: 'completed', stage: null, progress: 1 })
    await Promise.all([...waiting, other])
    const last = wait('ada')
    live.close()
    await last
    expect(looks).toHaveLength(102)
  })

  test('and the call waits for more text, then a part ends its wait, and none of another note', async () => {
    const live = createLive({ broadcast: () => {}, closed: admitAll, me: 'here', isAlone: true })
    const part = (id: string) => ({ userId: 'ada', id, status: 'processing', stage: null, progress: 0.5 })
    const isOver = async () => false
    const ended: string[] = []
    const wait = (event: string) => live.waitFor('ada', event, 30, isOver).then(() => ended.push(event))
    const [more, end] = [wait(changeOf('n')), wait('n')]
    await isOver()
    live.receive(part('m'))
    live.receive(part('n'))
    await more
    expect(ended).toEqual([changeOf('n')])
    live.close()
    await end
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
    // Its open page shows that it can no longer be listened to.
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
    // It may be over before it is looked at.
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

describe('when there are several processes', () => {
  /** Processes that hear each other; `told` counts what each is sent about notes. */
  function open(...names: string[]) {
    const told = new Map(names.map(name => [name, 0]))
    const processes = new Map<string, ReturnType<typeof createLive>>()
    const broadcast = (data: unknown, to?: string) => {
      for (const [name, { receive }] of processes)
        if (!to || name === to) {
          if (typeof data === 'object' && data && 'id' in data) told.set(name, told.get(name)! + 1)
          receive(data)
        }
    }
    for (const me of names) processes.set(me, createLive({ broadcast, closed: admitAll, me, isAlone: false }))
    return { told, of: (name: string) => processes.get(name)! }
  }
  const parts = [{ engine: 'local base', from: 0, to: 30 }]
  const state = { status: 'processing', stage: 'recognising' }
  const note = (userId: string) => ({ _id: 'n1', userId, ...state, parts, durationSeconds: 120 }) as never

  test('then a change is sent to the one with a stream of its person, and to no other', async () => {
    const { told, of } = open('here', 'there', 'elsewhere')
    const response = responseFake()
    const stream = of('here').streamFor(claimsOf('ada'))(response as never)
    of('there').changed(note('ada'))
    of('there').changed(note('bob'))
    const data = '{"id":"n1","status":"processing","stage":"recognising","progress":0.25}'
    expect(response.written).toContain(`event: transcription\ndata: ${data}\n\n`)
    expect([...told]).toEqual([
      ['here', 1],
      ['there', 0],
      ['elsewhere', 0],
    ])
    response.end()
    await stream
    await of('here').announce()
    of('there').changed(note('ada'))
    expect(told.get('here')).toBe(1)
  })

  test('then one that has just started learns of the streams that are open', async () => {
    const { told, of } = open('here', 'new')
    const response = responseFake()
    const stream = of('here').streamFor(claimsOf('ada'))(response as never)
    // As if it had not been there.
    const late = createLive({
      broadcast: (data, to) => (to ? of(to).receive(data) : of('here').receive(data)),
      closed: admitAll,
      me: 'late',
      isAlone: false,
    })
    late.changed(note('ada'))
    await late.announce()
    of('new').changed(note('ada'))
    expect(told.get('here')).toBe(1)
    response.end()
    await stream
  })

  test('then a deletion is sent to all: any may have the sound', () => {
    const { told, of } = open('here', 'there')
    of('here').changed({ ...(note('ada') as object), deletedAt: new Date() } as never)
    expect([...told.values()]).toEqual([1, 1])
  })
})

const admitAll = { refuses: async () => false }
