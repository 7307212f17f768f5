import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { casesOn } from './cases/all.ts'
import type { Stores } from './cases/erasure.ts'
import { startOneProcess } from './testing/one-process.ts'
import type { System } from './testing/system.ts'

const storesOf = (system: () => System): Stores => ({
  folders: () => [system().dataDir],
  async addDeadLetter(message) {
    const queue = 'transcription.media-received'
    const letter = { id: '', queue, reason: 'broken', attempts: 1, at: new Date().toISOString(), message }
    await system().stop()
    await appendFile(join(system().dataDir, 'dead-letters.jsonl'), `${JSON.stringify(letter)}\n`)
    await system().start()
  },
  queues: async () => '',
})

describe('everything in one process', () => {
  // The hooks case starts a receiver on this machine.
  casesOn(env => startOneProcess(env), storesOf)
})
