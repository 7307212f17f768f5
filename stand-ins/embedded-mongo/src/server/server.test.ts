import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { type EmbeddedMongo, startEmbeddedMongo } from '../index.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function withServer(work: (client: MongoClient, server: EmbeddedMongo) => Promise<void>) {
  const server = await startEmbeddedMongo({ path: folder })
  const client = new MongoClient(server.url)
  try {
    await work(client, server)
  } finally {
    await client.close()
    await server.stop()
  }
}
const isServed = async (client: MongoClient) =>
  expect(await client.db('d').command({ ping: 1 })).toEqual({ ok: 1 })

test('when the server is stopped and started again, then documents and indexes are still there', async () => {
  await withServer(async client => {
    const all = client.db('d').collection('c')
    await all.createIndex({ a: 1 }, { unique: true })
    await all.insertOne({ a: 1 })
  })
  await withServer(async client => {
    const all = client.db('d').collection('c')
    expect(await all.findOne()).toMatchObject({ a: 1 })
    await expect(all.insertOne({ a: 1 })).rejects.toMatchObject({ code: 11000 })
  })
})

test('when a server runs for a while, then its data alone holds what was written', async () => {
  await withServer(async client => {
    const all = client.db('d').collection('c')
    const word = 'a word of this document'
    await all.insertOne({ word })
    const data = () => readFile(join(folder, 'embedded-mongo.sqlite'))
    while (!(await data()).includes(word)) {
      await all.findOne()
      await setTimeout(100)
    }
  })
})

test('when a second server opens the same folder, then it fails and names the folder’s use', async () => {
  await withServer(async client => {
    await expect(startEmbeddedMongo({ path: folder })).rejects.toThrow('is in use by another server')
    await isServed(client)
  })
})

test('when the port is taken, then the start fails and the folder is free again', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  await expect(startEmbeddedMongo({ path: folder, port })).rejects.toThrow('EADDRINUSE')
  await withServer(isServed)
  other.close()
})

test("when it listens on a socket, then it is reachable, also over a killed process's socket", async () => {
  await writeFile(join(folder, 'mongo.sock'), '')
  const server = await startEmbeddedMongo({ path: folder, socket: true })
  const client = new MongoClient(server.url)
  expect(client.options.hosts.map(({ socketPath }) => socketPath)).toEqual([join(folder, 'mongo.sock')])
  await client.db('d').collection('c').insertOne({ a: 1 })
  expect(await client.db('d').collection('c').countDocuments()).toBe(1)
  await client.close()
  await server.stop()
})

test('when its folder has a long path, then it listens on a socket too, and leaves none behind', async () => {
  const path = join(folder, 'a-folder-with-a-long-name'.repeat(5))
  const server = await startEmbeddedMongo({ path, socket: true })
  const client = new MongoClient(server.url)
  const [socket] = client.options.hosts.map(({ socketPath }) => socketPath ?? '')
  expect(statSync(dirname(socket!)).mode & 0o077).toBe(0)
  await client.db('d').collection('c').insertOne({ a: 1 })
  await client.close()
  await server.stop()
  expect(existsSync(dirname(socket!))).toBe(false)
})

test('when garbage comes in, then that connection is closed and others are served', async () => {
  await withServer(async (client, { url }) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(socket, 'close')
    await isServed(client)
  })
})

test('when collections, indexes and arrays come, then those who read know them at once', async () => {
  await withServer(async client => {
    const all = client.db('d').collection<{ _id: number; words: string[] }>('c')
    const found = async () => (await all.find({ words: /^a/ }).toArray()).map(({ _id }) => _id)
    expect(await found()).toEqual([])
    await all.insertOne({ _id: 1, words: ['a1'] })
    expect(await found()).toEqual([1])
    await all.createIndex({ words: 1 })
    expect(await found()).toEqual([1])
    await all.insertOne({ _id: 2, words: ['a1', 'a2'] })
    expect(await found()).toEqual([1, 2])
    expect(await all.countDocuments({ words: /^a/ })).toBe(2)
    await all.deleteMany({})
    expect(await found()).toEqual([])
  })
})

test('when the server is stopped while writes come in, then what was answered is there', async () => {
  let answered = 0
  await withServer(async (client, server) => {
    const all = client.db('d').collection<{ _id: number }>('c')
    await all.insertOne({ _id: -1 })
    const writes = Array.from({ length: 200 }, (_, _id) =>
      all
        .insertOne({ _id })
        .then(() => answered++)
        .catch(() => {}),
    )
    await writes[0]
    await server.stop()
    await client.close()
    await Promise.all(writes)
  })
  await withServer(async client => {
    expect(await client.db('d').collection('c').countDocuments()).toBeGreaterThanOrEqual(answered + 1)
  })
  expect(answered).toBeGreaterThan(0)
})
