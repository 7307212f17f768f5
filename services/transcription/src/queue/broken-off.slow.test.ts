import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { eventually, tokenFor } from '@voxscribe/service/testing'
import { tone } from '@voxscribe/speech/testing'
import { deskWithSphinx } from '../testing.ts'

const PEOPLE = 10
/** Tolerates growth of the driver's pool; a leak would be one for each of the hundred. */
const CONNECTIONS = 30

const { folder, desk } = await deskWithSphinx()
const { data } = await desk.receive(await tone(join(folder, 'note.wav'), 200))
await desk.reserve(data.mediaId)
await desk.completed(data.mediaId)
const [note] = await desk.notes.find({ _id: data.mediaId }).toArray()
// More than the buffers on the way can hold, and barely compressible.
const segments = [{ id: '1', from: 0, to: 1, text: randomBytes(200_000).toString('base64') }]
const copies = Array.from({ length: PEOPLE }, (_, at) => ({
  ...note,
  _id: `n${at}`,
  userId: `u${at}`,
  segments,
}))
await desk.notes.insertMany(copies.map(({ firstOf: _, ...copy }: Record<string, unknown>) => copy as never))

const descriptors = async () => (await readdir('/proc/self/fd')).length

/** Makes a request and hangs up at its first bytes; returns the status. */
const hangUpOn = (userId: string, path: string, body?: object) =>
  new Promise<number>((resolve, reject) => {
    const sent = request(`${desk.url}/api/transcriptions${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: tokenFor(userId), 'content-type': 'application/json' },
      agent: false,
    })
    sent.once('error', reject)
    sent.once('response', response => {
      response.on('error', () => {})
      response.once('data', () => {
        sent.destroy()
        resolve(response.statusCode ?? 0)
      })
    })
    sent.end(body && JSON.stringify(body))
  })

test.each<[string, (person: number) => string, object | undefined]>([
  ['audio', person => `/n${person}/audio`, undefined],
  ['exports', () => '/export', { format: 'txt' }],
  ['events', () => '/events', undefined],
])('when a hundred requests for %s break off, then nothing stays open', async (_what, path, body) => {
  const people = Array.from({ length: PEOPLE }, (_, person) => person)
  // A person's last export ends shortly after its client has gone.
  const hangUp = (person: number) =>
    eventually(async () => (await hangUpOn(`u${person}`, path(person), body)) === 200)
  await Promise.all(people.map(hangUp))
  const before = await descriptors()
  for (let round = 0; round < 100 / PEOPLE; round++) await Promise.all(people.map(hangUp))
  await eventually(async () => (await descriptors()) < before + CONNECTIONS)
})
