import { startWatchedProxy } from '@voxscribe/messaging/testing'
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

async function count(url: string, { lengthOf, sent, received }: Protocol): Promise<CountingProxy> {
  let counts: Counts = new Map()
  const add = (name: string | undefined) => name && counts.set(name, (counts.get(name) ?? 0) + 1)
  const watch = () => ({
    sent: framesOf(lengthOf, frame => add(sent(frame))),
    received: framesOf(lengthOf, frame => add(received(frame))),
  })
  const proxy = await startWatchedProxy(watch, url)
  return {
    url: proxy.url,
    take() {
      const taken = counts
      counts = new Map()
      return taken
    },
    stop: proxy.close,
  }
}

/** Counts database commands by `service.collection command`. */
export const countCommands = (url: string): Promise<CountingProxy> => count(url, MONGO)
/** Counts messages by `publish` and `deliver`, including broadcasts, and queues by `declare`. */
export const countMessages = (url: string): Promise<CountingProxy> => count(url, AMQP)
