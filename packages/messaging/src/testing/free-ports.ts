import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// A port that was given out looks free until something listens there, so each Jest worker draws from its own 2,000.
const FIRST = 10_000 + (Number(process.env.JEST_WORKER_ID ?? 0) % 11) * 2_000
const given = new Set<number>()

/** Returns free ports below the system's for outgoing connections (32768 and up), so they stay free for a restart. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = randomInt(FIRST, FIRST + 2_000)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) ports.push(port)
  }
  return ports
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise(resolve => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
