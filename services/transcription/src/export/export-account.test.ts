import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@voxscribe/service/testing'
import { deskWithSphinx } from '../testing.ts'

const run = promisify(execFile)
const { desk, note: path, folder } = await deskWithSphinx()

const files = {
  profile: { name: 'Ada' },
  sessions: [],
  keys: [],
  hooks: [],
  payments: [{ amount: 4.99 }],
  minutes: [{ seconds: 2 }],
}
const ask = (userId: string, more: object = {}) =>
  desk.fetch('/internal/export', undefined, {}, { userId, language: 'en', files, ...more })

/** Unpacks a zip with a third-party program; returns the folder and the names in it. */
async function unpacked(response: Response) {
  const place = await mkdtemp(join(folder, 'unpacked-'))
  await writeFile(join(place, 'a.zip'), Buffer.from(await response.arrayBuffer()))
  await run('python3', ['-m', 'zipfile', '-e', 'a.zip', 'all'], { cwd: place })
  const names = await readdir(join(place, 'all'), { recursive: true })
  const read = (name: string) => readFile(join(place, 'all', name))
  return { names: names.filter(name => name.includes('.')).sort(), read }
}

test('when a person exports everything, then texts, data, audio and a README that counts them are in it', async () => {
  const userId = 'ada'
  const titles = ['../../etc/passwd', 'Same', 'same', '🦊'.repeat(90), 'مرحبا']
  const done = []
  for (const title of titles) done.push(await desk.complete(path, { userId, title }))
  const bad = await desk.refuse({ userId })
  await desk.complete(path, { userId: 'bob', title: 'Bob’s' })
  await desk.removeAudio(done[1]!.event)

  const own = { words: ['Nora'], replacements: [{ heard: 'Norah', write: 'Nora' }] }
  await desk.call('PUT', '/users/words', userId, { body: own })
  const form = { name: 'Letter', instruction: 'Write a letter.', auto: null }
  await desk.call('POST', '/forms', userId, { body: form })

  const tasks = [{ text: 'Buy milk', due: null, done: true }]
  const gist = { lines: ['Milk is needed.'], tasks, language: 'en', model: 'small-1', at: new Date(), of: '' }
  await desk.notes.updateOne({ _id: done[4]!.id }, { $set: { gist } } as object)

  const response = await ask(userId)
  const expected = Number(response.headers.get('x-expected-bytes'))
  const { names, read } = await unpacked(response)
  const day = done[0]!.event.occurredAt.slice(0, 10)
  const text = (name: string) => read(name).then(String)
  expect(names.filter(name => !name.includes('/'))).toEqual(
    [
      'README.txt',
      'keys.json',
      'sessions.json',
      'hooks.json',
      'forms.json',
      'minutes.json',
      'payments.json',
      'profile.json',
      'words.json',
    ].sort(),
  )
  expect(names.filter(name => name.startsWith('audio/'))).toHaveLength(4)
  expect(names.filter(name => name.endsWith('.txt'))).toHaveLength(1 + titles.length)
  expect(names).toEqual(expect.arrayContaining([`transcripts/${day} مرحبا.txt`, `audio/${day} مرحبا.ogg`]))
  expect(new Set(names.map(name => name.toLowerCase())).size).toBe(names.length)
  for (const name of names) expect(Buffer.byteLength(name.split('/').at(-1)!)).toBeLessThan(256)
  expect(names.some(name => name.includes('Bob'))).toBe(false)

  expect(await read(`audio/${day} مرحبا.ogg`)).toEqual(await readFile(path))
  expect(await text(`transcripts/${day} مرحبا.txt`)).toContain('hello world')
  const data = JSON.parse(await text(`transcripts/${day} مرحبا.json`))
  expect(data).toMatchObject({
    id: done[4]!.id,
    text: 'hello world',
    status: 'completed',
    fileName: 'note.ogg',
    gist: { tasks },
  })
  const refused = JSON.parse(await text(`transcripts/${day} big.json`))
  expect(refused).toMatchObject({ id: bad.data.mediaId, status: 'failed', error: expect.any(String) })
  expect(JSON.parse(await text('words.json'))).toEqual(own)
  expect(JSON.parse(await text('forms.json'))).toMatchObject([form])
  expect(JSON.parse(await text('payments.json'))).toEqual(files.payments)
  expect(await text('README.txt')).toMatch(/keeps about you(.|\n)*6 notes(.|\n)*The audio of 4 notes/)
  expect(expected).toBeGreaterThan(4 * (await readFile(path)).length)
})

test('when the reader stops, then an export goes no further, and the next can begin once it has left', async () => {
  const userId = 'eve'
  // More than the buffers on the way can hold.
  const huge = { ...files, minutes: Array.from({ length: 400_000 }, () => crypto.randomUUID()) }
  const leaving = new AbortController()
  const response = await fetch(`${desk.url}/internal/export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId, language: 'en', files: huge }),
    signal: leaving.signal,
  })
  const reader = response.body!.getReader()
  await reader.read()
  const another = await ask(userId)
  expect([another.status, another.headers.get('retry-after')]).toEqual([429, '10'])
  expect((await desk.fetch('/api/transcriptions/export', userId, {}, { format: 'txt' })).status).toBe(429)
  leaving.abort()
  await eventually(async () => (await ask(userId)).status === 200)
})

test('when a note is deleted or the storage fails on the way, then it is left out, or the zip never looks whole', async () => {
  const userId = 'kim'
  const { id } = await desk.complete(path, { userId, title: 'Stays' })
  const gone = await desk.complete(path, { userId, title: 'Goes' })
  await desk.remove(gone.id, userId)
  const { names } = await unpacked(await ask(userId))
  expect(names.filter(name => name.startsWith('transcripts/'))).toHaveLength(2)
  // The store refuses this key after the other files have begun to be sent.
  await desk.notes.updateOne({ _id: id }, { $set: { objectKey: '../media' } })
  const broken = await ask(userId)
  await expect(broken.arrayBuffer()).rejects.toThrow()
})

test('when what the other services know is larger than any ledger, then it is refused', async () => {
  expect((await ask('ada', { padding: 'x'.repeat(64 * 1024 * 1024) })).status).toBe(413)
})
