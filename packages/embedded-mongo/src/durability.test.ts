import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { MongoClient } from 'mongodb'
import { startEmbeddedMongo } from './index.ts'

const storm = fileURLToPath(new URL('./testing/write-storm.ts', import.meta.url))

/** Lets 50 clients write in another process and kills it in the middle; answers the last number told by each. */
async function stormAndKill(folder: string, lines: number) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', storm, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const told = new Map<string, number>()
  let count = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const [name, n] = line.split(' ') as [string, string]
    told.set(name, Number(n))
    count += 1
    if (count === lines) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return { told, count, signal: child.signalCode }
}

test('when the process is killed during a storm of writes, then every answered write is there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-storm-'))
  const { told, count, signal } = await stormAndKill(folder, 600)
  expect(signal).toBe('SIGKILL')
  expect(count).toBeGreaterThanOrEqual(600)

  const server = await startEmbeddedMongo({ path: folder })
  const client = new MongoClient(server.url)
  const all = client.db('d').collection<{ _id: string; n: number }>('c')
  const lost = []
  for (const [name, n] of told) {
    const counter = await all.findOne({ _id: `client${name}` })
    if (!counter || counter.n < n) lost.push({ name, n, counter })
    for (let i = 1; i <= n; i++) if (!(await all.findOne({ _id: `${name}-${i}` }))) lost.push({ name, i })
  }
  expect(lost).toEqual([])
  // The index stands with the documents: by it and without it the same number is found.
  expect(await all.countDocuments({ n: 1 })).toBe(
    (await all.find().toArray()).filter(({ n }) => n === 1).length,
  )
  await client.close()
  await server.stop()
  await rm(folder, { recursive: true })
})
