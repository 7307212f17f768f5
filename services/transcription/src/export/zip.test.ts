import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { setImmediate as setImmediately } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Response } from 'express'
import { sendZip } from './zip.ts'

test('when the reader is slow, then small files wait for it as large ones do', async () => {
  const bytes = { made: 0, read: 0, waiting: 0 }
  async function* files() {
    for (let number = 0; number < 400; number++) {
      const content = randomBytes(20_000)
      bytes.made += content.length
      yield { name: `${number}.txt`, at: new Date(), content }
    }
  }
  const slow = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes.waiting = Math.max(bytes.waiting, bytes.made - bytes.read)
      bytes.read += chunk.length
      setTimeout(done)
    },
  })
  const response = Object.assign(slow, { attachment: () => slow, set: () => slow }) as unknown as Response
  await sendZip(response, 'a.zip', files(), { signal: new AbortController().signal, release: async () => {} })
  expect(bytes.read).toBeGreaterThan(bytes.made)
  expect(bytes.waiting).toBeLessThan(500_000)
})

test('when there are many files, then what was sent is not kept', async () => {
  setFlagsFromString('--expose-gc')
  /** Returns the bytes in buffers. zlib frees its own only after the turns in which its streams are closed. */
  async function kept() {
    for (let turn = 0; turn < 5; turn++) {
      await setImmediately()
      runInNewContext('gc')()
    }
    return process.memoryUsage().arrayBuffers
  }
  const before = await kept()
  let atTheEnd = 0
  async function* files() {
    for (let number = 0; number < 2_000; number++)
      yield { name: `${number}.txt`, at: new Date(), content: Buffer.from('hello '.repeat(50)) }
    atTheEnd = await kept()
  }
  const sink = new Writable({ write: (_chunk, _encoding, done) => void setImmediate(done) })
  const response = Object.assign(sink, { attachment: () => sink, set: () => sink }) as unknown as Response
  await sendZip(response, 'a.zip', files(), { signal: new AbortController().signal, release: async () => {} })
  expect(atTheEnd - before).toBeLessThan(10_000_000)
})
