import { type Entry, fromBufferPromise } from 'yauzl'
import { deskWithSphinx } from '../testing.ts'

const { desk, note: path } = await deskWithSphinx({ RATE_LIMITS: 'off' })

const complete = async (facts: { userId: string; title?: string }) => (await desk.complete(path, facts)).id
const refused = async (userId: string) => (await desk.refuse({ userId })).data.mediaId
const bulk = (action: string, ids: unknown, userId = 'u1') =>
  desk.call('POST', '/transcriptions/bulk', userId, { body: { action, ids } })
const totalOf = async (userId: string) =>
  (await desk.call('GET', '/transcriptions/stats', userId)).body.data.total

describe('several notes at once', () => {
  test('when they are deleted, then those of others stay, and are named with the reason', async () => {
    const mine = await complete({ userId: 'd1' })
    const theirs = await complete({ userId: 'd2' })
    const { body } = await bulk('delete', [mine, theirs, 'nothing', mine], 'd1')
    expect(body.message).toBe('1 note deleted.')
    const message = 'There is no such transcription.'
    const failed = [theirs, 'nothing'].map(id => ({ id, message }))
    expect(body.data).toEqual({ done: [mine], failed, charged: 0, chargedInPart: 0 })
    expect([await totalOf('d1'), await totalOf('d2')]).toEqual([0, 1])
  })

  test('when they are refreshed, then each counts, and what cannot be says why', async () => {
    const good = await complete({ userId: 'r1' })
    const bad = await refused('r1')
    for (const attempt of [2, 3, 4, 5, 6]) {
      expect((await bulk('refresh', [good], 'r1')).body.data.done).toEqual([good])
      await desk.finish(good, attempt)
    }
    const { failed, done } = (await bulk('refresh', [good, bad], 'r1')).body.data
    expect(done).toEqual([])
    expect(failed.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining('Too many'),
      expect.stringContaining('no audio'),
    ])
  })

  test.each([
    ['no list', undefined],
    ['an empty list', []],
    ['more than 100', Array.from({ length: 101 }, (_, n) => `id-${n}`)],
    ['what is no id', [1]],
    ['right but the action is unknown', ['x'], 'publish'],
  ])('when the ids are %s, then it answers 400', async (_, ids, action = 'delete') => {
    expect((await bulk(action, ids)).status).toBe(400)
  })
})

describe('an export of several notes', () => {
  async function unzipped(userId: string, body: object) {
    const response = await desk.fetch('/api/transcriptions/export', userId, {}, body)
    expect(response.headers.get('content-type')).toBe('application/zip')
    const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()))
    const files: Record<string, string> = {}
    for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
      const content = await zip.openReadStreamPromise(entry)
      files[entry.fileName] = Buffer.concat(await content.toArray()).toString()
    }
    return files
  }

  test('when notes have the same name, or a hostile one, then every file has a safe one of its own', async () => {
    const userId = 'e1'
    for (const title of ['Note', 'note', 'note (2)', '../../etc/passwd', '日本'.repeat(90)])
      await complete({ userId, title })
    const files = await unzipped(userId, { format: 'srt' })
    const names = Object.keys(files)
    expect(new Set(names.map(name => name.toLowerCase())).size).toBe(5)
    for (const name of names) {
      expect(name).toMatch(/^[^/\\]+\.srt$/)
      expect(Buffer.byteLength(name)).toBeLessThan(256)
    }
    expect(Object.values(files)[0]).toContain('hello world')
  })

  test('when some have no transcript, or are not theirs, then they are left out and listed', async () => {
    const mine = await complete({ userId: 'e2', title: 'Mine' })
    const theirs = await complete({ userId: 'e3' })
    const bad = await refused('e2')
    const files = await unzipped('e2', { format: 'txt', ids: [mine, theirs, bad] })
    expect(Object.keys(files)).toEqual(['Mine.txt', 'Left out.txt'])
    expect(files['Left out.txt']).toContain(`${theirs}: There is no such transcription.`)
    expect(files['Left out.txt']).toContain('This file is larger than 16 MB.')
    expect(files['Left out.txt']).not.toContain('hello')
  })

  test('when the format is unknown or the ids are senseless, then it answers 400', async () => {
    for (const body of [{ format: 'exe' }, { format: 'txt', ids: [] }, {}])
      expect((await desk.fetch('/api/transcriptions/export', 'u1', {}, body)).status).toBe(400)
  })
})
