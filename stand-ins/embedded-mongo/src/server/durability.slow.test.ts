import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { MongoClient } from 'mongodb'
import { startEmbeddedMongo } from '../index.ts'

const storm = fileURLToPath(new URL('../testing/write-storm.ts', import.meta.url))
const failingSync = fileURLToPath(new URL('../testing/failing-sync.mjs', import.meta.url))

const newFolder = () => mkdtemp(join(tmpdir(), 'embedded-mongo-storm-'))

interface Storm {
  folder: string
  nodeOptions?: string[]
  env?: NodeJS.ProcessEnv
  /** Shell code that runs before the process starts. */
  before?: string
  killAfter?: number
}

/**
 * Lets 50 clients write in another process until it ends, or is killed after `killAfter` acknowledged writes. Returns
 * the last number that each has printed.
 */
async function weather({ folder, nodeOptions = [], env = {}, before = ':', killAfter }: Storm) {
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', ...nodeOptions, storm, folder]
  const child = spawn('sh', ['-c', `${before}; exec "$@"`, 'sh', ...node], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const ended = once(child, 'close')
  const complaint = text(child.stderr)
  const told = new Map<string, number>()
  let count = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const [name, n] = line.split(' ') as [string, string]
    told.set(name, Number(n))
    count += 1
    if (count === killAfter) child.kill('SIGKILL')
  }
  const [code, signal] = await ended
  return { told, count, code, signal, complaint: await complaint }
}

/** Opens the data and returns the acknowledged writes that it lacks. */
async function lostIn(folder: string, told: Map<string, number>) {
  const server = await startEmbeddedMongo({ path: folder })
  const client = new MongoClient(server.url)
  const all = client.db('d').collection<{ _id: string; n: number }>('c')
  try {
    const lost = []
    for (const [name, n] of told) {
      const counter = await all.findOne({ _id: `client${name}` })
      if (!counter || counter.n < n) lost.push({ name, n, counter })
      for (let i = 1; i <= n; i++) if (!(await all.findOne({ _id: `${name}-${i}` }))) lost.push({ name, i })
    }
    // The index agrees with the documents: the same number is found with it and without it.
    expect(await all.countDocuments({ n: 1 })).toBe(
      (await all.find().toArray()).filter(({ n }) => n === 1).length,
    )
    // The server still accepts writes.
    await all.insertOne({ _id: 'after', n: 0 })
    return lost
  } finally {
    await client.close()
    await server.stop()
  }
}

test('when the process is killed during a storm of writes, then every answered write is there', async () => {
  const folder = await newFolder()
  const { told, count, signal } = await weather({ folder, killAfter: 600 })
  expect(signal).toBe('SIGKILL')
  expect(count).toBeGreaterThanOrEqual(600)
  expect(await lostIn(folder, told)).toEqual([])
  await rm(folder, { recursive: true })
})

test('when a commit cannot be synced, then the process ends, and acknowledged writes are on disk', async () => {
  const [folder, disk] = [await newFolder(), await newFolder()]
  const { told, count, code, complaint } = await weather({
    folder,
    nodeOptions: ['--import', failingSync],
    env: { FAIL_SYNC_AT: '30', DATA: folder, DISK: disk },
  })
  expect([code, complaint]).toEqual([1, expect.stringContaining('EIO: i/o error, fdatasync')])
  expect(count).toBeGreaterThan(0)
  // Checks what a power cut would leave at that moment, and what the next process finds.
  expect(await lostIn(disk, told)).toEqual([])
  expect(await lostIn(folder, told)).toEqual([])
  await Promise.all([folder, disk].map(path => rm(path, { recursive: true })))
})

test('when the disk is full, then a commit is refused with the reason, and earlier ones stay', async () => {
  const folder = await newFolder()
  // No file may have more than 1,000 blocks.
  const { told, count, code, complaint } = await weather({ folder, before: 'ulimit -f 1000' })
  expect([code, complaint]).toEqual([1, expect.stringContaining('disk I/O error')])
  expect(count).toBeGreaterThan(0)
  expect(await lostIn(folder, told)).toEqual([])
  await rm(folder, { recursive: true })
})

test('when a process finds a log, then it applies all of it before it serves', async () => {
  const [folder, copy] = [await newFolder(), await newFolder()]
  const { told } = await weather({ folder, killAfter: 100 })
  const server = await startEmbeddedMongo({ path: folder })
  await copyFile(join(folder, 'embedded-mongo.sqlite'), join(copy, 'embedded-mongo.sqlite'))
  await server.stop()
  expect(await lostIn(copy, told)).toEqual([])
  await Promise.all([folder, copy].map(path => rm(path, { recursive: true })))
})
