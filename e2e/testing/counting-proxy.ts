import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { BSON } from 'mongodb'

export type Counts = Map<string, number>

/** A connection to a server on this machine that counts what is sent over it, by name. */
export interface CountingProxy {
  url: string
  /** Returns the counts since the last call. */
  take(): Counts
  stop(): Promise<void>
}

interface Protocol {
  /** Bytes of the first frame; undefined until its beginning has arrived. */
  lengthOf(bytes: Buffer): number | undefined
  /** Name under which a frame is counted; undefined if it isn't. */
  sent(frame: Buffer): string | undefined
  received(frame: Buffer): string | undefined
}

const OP_MSG = 2013
/** Commands that a driver sends by itself, or at a start. */
const NO_WORK = new Set(['hello', 'ping', 'endSessions', 'listIndexes', 'buildInfo'])

/** MongoDB's wire protocol: counts a client's OP_MSGs as `service.collection command`. */
const MONGO: Protocol = {
  lengthOf: bytes => (bytes.length < 4 ? undefined : bytes.readInt32LE(0)),
  sent(frame) {
    if (frame.readInt32LE(12) !== OP_MSG) return undefined
    // The document follows a header of 16 bytes, the flags and the section's kind.
    const document = BSON.deserialize(frame.subarray(21, 21 + frame.readInt32LE(21)))
    const [[command = '', collection] = []] = Object.entries(document)
    const service = String(document.$db).replace(/^.*_/, '')
    return NO_WORK.has(command) ? undefined : `${service}.${collection} ${command}`
  },
  received: () => undefined,
}

/** AMQP 0-9-1: counts a client's `basic.publish` and `queue.declare` (of shared queues), and `basic.deliver`. */
const BASIC = 60
const QUEUE = 50
const isMethod = (frame: Buffer, method: number, of = BASIC) =>
  frame[0] === 1 && frame.readUInt16BE(7) === of && frame.readUInt16BE(9) === method
/** Excludes passive declarations (checks), and queues of a single process. */
function isDeclaration(frame: Buffer): boolean {
  if (!isMethod(frame, 10, QUEUE)) return false
  const bits = frame[14 + frame.readUInt8(13)] ?? 0
  const [isPassive, isExclusive] = [bits & 1, bits & 4]
  return !isPassive && !isExclusive
}
const AMQP: Protocol = {
  lengthOf(bytes) {
    if (bytes.length < 8) return undefined
    // A client's greeting is not a frame.
    return bytes.toString('latin1', 0, 4) === 'AMQP' ? 8 : bytes.readUInt32BE(3) + 8
  },
  sent: frame => (isDeclaration(frame) ? 'declare' : isMethod(frame, 40) ? 'publish' : undefined),
  received: frame => (isMethod(frame, 60) ? 'deliver' : undefined),
}

/** Returns a function that calls `found` with each frame of a stream. */
function framesOf(lengthOf: Protocol['lengthOf'], found: (frame: Buffer) => void) {
  let pending: Buffer = Buffer.alloc(0)
  return (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const length = lengthOf(pending)
      if (length === undefined || pending.length < length) return
      found(pending.subarray(0, length))
      pending = pending.subarray(length)
    }
  }
}

async function startProxy(url: string, { lengthOf, sent, received }: Protocol): Promise<CountingProxy> {
  const target = new URL(url)
  const { hostname, port } = target
  let counts: Counts = new Map()
  const count = (name: string | undefined) => name && counts.set(name, (counts.get(name) ?? 0) + 1)
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const upstream = connect(Number(port), hostname)
    client.on(
      'data',
      framesOf(lengthOf, frame => count(sent(frame))),
    )
    upstream.on(
      'data',
      framesOf(lengthOf, frame => count(received(frame))),
    )
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      // When one end closes, so does the other.
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.href,
    take() {
      const taken = counts
      counts = new Map()
      return taken
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Counts database commands by `service.collection command`. */
export const countCommands = (url: string): Promise<CountingProxy> => startProxy(url, MONGO)
/** Counts messages by `publish` and `deliver`, including broadcasts, and queues by `declare`. */
export const countMessages = (url: string): Promise<CountingProxy> => startProxy(url, AMQP)
