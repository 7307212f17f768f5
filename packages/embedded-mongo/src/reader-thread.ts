import { parentPort, workerData } from 'node:worker_threads'
import { versionOf } from './catalog.ts'
import { encodedFailure, runCommand } from './commands/run-command.ts'
import { engineOver } from './engine.ts'
import { openReadOnly } from './storage.ts'
import { decode } from './values.ts'

/** The thread of `reader.ts`. */
const parent = parentPort!
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
    return encodedFailure(error)
  } finally {
    storage.exec('COMMIT')
  }
}

parent.on('message', (message: Uint8Array | 'stop') => {
  if (message !== 'stop') {
    const reply = new Uint8Array(answer(message))
    parent.postMessage(reply, [reply.buffer])
    return
  }
  storage.close()
  parent.close()
})
