import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { openEngine } from './engine.ts'
import { createFraming, readMessage, writeReply } from './wire.ts'

// The worker thread of `index.ts`: opens the data, reports its port, and stops on request.

const engine = openEngine(workerData.path, workerData.reserve)
const sockets = new Set<Socket>()
let unanswered = 0

async function answer(socket: Socket, message: Buffer): Promise<void> {
  const request = readMessage(message)
  const reply = await engine.run(request.body)
  if (socket.writable) socket.write(writeReply(request, reply))
}

const server = createServer(socket => {
  sockets.add(socket)
  socket.setNoDelay(true)
  const frame = createFraming()
  // Runs each connection's commands in sequence: a read must not overtake an unacknowledged write.
  let last = Promise.resolve()
  // Anything but MongoDB's protocol ends the connection; others are unaffected.
  const cut = () => void socket.destroy()
  socket.on('data', packet => {
    try {
      for (const message of frame(packet)) {
        unanswered += 1
        last = last.then(() => answer(socket, message)).catch(cut)
        last.then(() => unanswered--)
      }
    } catch {
      cut()
    }
  })
  socket.on('error', cut)
  socket.on('close', () => sockets.delete(socket))
})

async function stop(): Promise<void> {
  clearInterval(sweeping)
  clearInterval(emptying)
  clearInterval(scrubbing)
  const closed = new Promise(resolve => server.close(resolve))
  for (const socket of sockets) socket.pause()
  while (unanswered > 0) await new Promise(setImmediate)
  for (const socket of sockets) socket.destroySoon()
  await closed
  await engine.close()
  parentPort!.close()
}

// A failure (a full disk) is retried at the next tick.
const sweep = () => void engine.sweep(new Date()).catch(() => {})
const sweeping = setInterval(sweep, workerData.ttlSweepSeconds * 1000)
async function emptyLog() {
  await engine.emptyLog().catch(() => {})
  engine.refillReserve()
}
const emptying = setInterval(emptyLog, 2_000)
/** Deletions within this time are scrubbed together. */
const SCRUB_REST_MS = 10_000
const SCRUB_EVERY_MS = 1_800_000
const scrubbing = setInterval(() => {
  try {
    engine.scrub(SCRUB_REST_MS, SCRUB_EVERY_MS)
  } catch {
    // On a full disk, tries again at the next tick.
  }
}, 5_000)
// An earlier process may have ended because it couldn't sync its log, and nothing may be written behind that gap.
await emptyLog()
parentPort!.once('message', stop)
// A killed process leaves its socket; this process has locked the folder by now.
if (workerData.socket) rmSync(workerData.socket, { force: true })
server.listen(workerData.socket ? { path: workerData.socket } : { port: workerData.port, host: '127.0.0.1' })
await once(server, 'listening')
parentPort!.postMessage((server.address() as AddressInfo).port)
