import { once } from 'node:events'
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import S3rver from 's3rver'
import { readSettings } from '../settings/settings.ts'
import { eventually } from '../testing.ts'
import { type Blobs, blobSettings, isStorageAway, openBlobs } from './blobs.ts'

async function isOpen(path: string): Promise<boolean> {
  const descriptors = (await readdir('/proc/self/fd')).map(each => readlink(`/proc/self/fd/${each}`))
  return (await Promise.allSettled(descriptors)).some(each => 'value' in each && each.value === path)
}

function s3At(server: Server) {
  return readSettings(blobSettings, {
    S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    S3_BUCKET: 'media',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  })
}

/** The same cases for every store. */
describe.each(['files', 's3'] as const)('media in %s', store => {
  let folder: string
  let blobs: Blobs
  let server: S3rver | undefined

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blobs-'))
    let env: Record<string, string> = { DATA_DIR: folder }
    if (store === 's3') {
      server = new S3rver({
        port: 0,
        address: '127.0.0.1',
        silent: true,
        directory: folder,
        configureBuckets: [{ name: 'media', configs: [] }],
      })
      const { port } = await server.run()
      env = {
        S3_ENDPOINT: `http://127.0.0.1:${port}`,
        S3_BUCKET: 'media',
        S3_ACCESS_KEY_ID: 'S3RVER',
        S3_SECRET_ACCESS_KEY: 'S3RVER',
      }
    }
    blobs = openBlobs(readSettings(blobSettings, env))
  })
  afterAll(async () => {
    await server?.close()
    await rm(folder, { recursive: true })
  })

  test('when a file is stored, then it is there, whole, until it is deleted', async () => {
    const path = join(folder, 'note.txt')
    await writeFile(path, 'a voice note')
    await blobs.putFile('media/2026/11/note', path, 12)
    expect(await blobs.exists('media/2026/11/note')).toBe(true)
    expect(await text(await blobs.read('media/2026/11/note'))).toBe('a voice note')
    expect(await text(await blobs.read('media/2026/11/note', { start: 2, end: 6 }))).toBe('voice')
    await blobs.delete('media/2026/11/note')
    expect(await blobs.exists('media/2026/11/note')).toBe(false)
  })

  test('when many readers are slow, then others are still served', async () => {
    const path = join(folder, 'long.ogg')
    await writeFile(path, Buffer.alloc(1_000_000))
    await blobs.putFile('media/long', path, 1_000_000)
    // By default, the SDK opens 50 connections, and would wait until one of these breaks.
    const slow = await Promise.all(Array.from({ length: 60 }, () => blobs.read('media/long')))
    expect(await blobs.exists('media/long')).toBe(true)
    expect(slow.filter(({ destroyed }) => destroyed)).toEqual([])
    for (const stream of slow) stream.destroy()
  })

  test('when a file is not there, then deleting it is no error, but reading it', async () => {
    await expect(blobs.delete('media/none')).resolves.toBeUndefined()
    await expect(blobs.read('media/none')).rejects.toThrow()
    expect(isStorageAway(await blobs.read('media/none').catch(error => error))).toBe(false)
  })

  test('when a key points outside, then it is refused, and the file to store is closed', async () => {
    await expect(blobs.read('../../etc/passwd')).rejects.toThrow()
    const path = join(folder, 'outside.ogg')
    await writeFile(path, Buffer.alloc(1_000_000))
    await expect(blobs.putFile('../../outside', path, 1_000_000)).rejects.toThrow()
    await eventually(async () => !(await isOpen(path)))
  })
})

test('when a store takes the connection and never answers, then calls fail, and files are closed', async () => {
  const sockets: Socket[] = []
  const silent = createServer(socket => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const blobs = openBlobs(s3At(silent), 50)
  const { warn } = console
  const said: unknown[] = []
  console.warn = (...words) => said.push(words)
  try {
    expect(isStorageAway(await blobs.exists('media/note').catch(error => error))).toBe(true)
    const folder = await mkdtemp(join(tmpdir(), 'blobs-'))
    const patient = openBlobs(s3At(silent))
    const unreadable = await patient.putFile('media/gone', join(folder, 'gone.ogg'), 10).catch(error => error)
    expect(unreadable.cause).toMatchObject({ code: 'ENOENT' })
    expect(isStorageAway(unreadable)).toBe(false)
    const path = join(folder, 'note.ogg')
    await writeFile(path, Buffer.alloc(1_000_000))
    await expect(blobs.putFile('media/note', path, 1_000_000)).rejects.toThrow()
    await eventually(async () => !(await isOpen(path)))
    await rm(folder, { recursive: true })
    // The log has only lines of JSON.
    expect(said).toEqual([])
  } finally {
    console.warn = warn
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
})

test('when a store answers a read with an error as XML and 200, then it is away, and no file is read', async () => {
  const error = '<?xml version="1.0"?><Error><Code>InternalError</Code></Error>'
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/xml\r\ncontent-length: ${error.length}\r\n\r\n`
  const lying = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(head + error))
  }).listen(0, '127.0.0.1')
  await once(lying, 'listening')
  try {
    const answer = await openBlobs(s3At(lying))
      .read('media/note')
      .catch(thrown => thrown)
    expect(isStorageAway(answer)).toBe(true)
  } finally {
    lying.close()
  }
})

test('when a store says that it has a file before all of it was read, then the file is stored', async () => {
  const early = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'))
  }).listen(0, '127.0.0.1')
  await once(early, 'listening')
  const blobs = openBlobs(s3At(early))
  const folder = await mkdtemp(join(tmpdir(), 'blobs-'))
  const path = join(folder, 'note.ogg')
  await writeFile(path, Buffer.alloc(1_000_000))
  try {
    await expect(blobs.putFile('media/note', path, 1_000_000)).resolves.toBeUndefined()
    await eventually(async () => !(await isOpen(path)))
  } finally {
    early.close()
    await rm(folder, { recursive: true })
  }
})
