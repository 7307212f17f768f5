import { parentPort, workerData } from 'node:worker_threads'
import { type ServerOptions, startServer } from './server.ts'

/** The thread that holds the server: starts it, says where it listens, and stops it when told. */
const parent = parentPort!
try {
  const server = await startServer(workerData as ServerOptions)
  parent.once('message', async () => {
    await server.stop()
    parent.close()
  })
  parent.postMessage({ port: server.port })
} catch (error) {
  parent.postMessage({ failed: error instanceof Error ? error.message : String(error) })
}
