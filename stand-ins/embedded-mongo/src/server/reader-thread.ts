import { parentPort, workerData } from 'node:worker_threads'
import { engineOver } from '../commands/command.ts'
import { runCommand } from '../commands/run-command.ts'
import { versionOf } from '../store/catalog.ts'
import { failureOf } from '../store/errors.ts'
import { openReadOnly } from '../store/storage.ts'
import { decode, encodeReply } from '../store/values.ts'

// The thread in which `engine.ts` reads.

const storage = openReadOnly(workerData.path)
const engine = engineOver(storage)
let version = versionOf(storage)

function answer(body: Uint8Array): Uint8Array {
  // One command sees one state, the catalog's too.
  storage.exec('BEGIN')
  try {
    const current = versionOf(storage)
    if (current !== version) engine.catalog.reload()
    version = current
    return runCommand(engine, decode(body))
  } catch (error) {
    return encodeReply(failureOf(error))
  } finally {
    storage.exec('COMMIT')
  }
}

parentPort!.on('message', (message: Uint8Array | 'stop') => {
  if (message === 'stop') {
    storage.close()
    parentPort!.close()
    return
  }
  const reply = new Uint8Array(answer(message))
  parentPort!.postMessage(reply, [reply.buffer])
})
