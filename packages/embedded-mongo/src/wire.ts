import { Long, serialize } from 'bson'
import { type Doc, decode } from './values.ts'

/** Bytes; MongoDB's `maxMessageSizeBytes`. */
export const MAX_MESSAGE_BYTES = 48_000_000

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013

const HEADER_BYTES = 16
const CHECKSUM_PRESENT = 1 << 0
const MORE_TO_COME = 1 << 1
/** The lower 16 flag bits must be understood by whoever reads the message. */
const REQUIRED_FLAGS = 0xffff

/** One command as it came in. `body` holds the document sequences as arrays. */
export interface Request {
  requestId: number
  opCode: number
  body: Doc
  /** The client wants no answer (write concern w: 0). */
  isSilent: boolean
}

/** The bytes are not MongoDB's protocol; the connection can't be read any further. */
export class WireError extends Error {}

/** Takes packets as they come from a socket and gives the whole messages in them. Throws WireError on garbage. */
export function createFraming(): (packet: Buffer) => Buffer[] {
  let chunks: Buffer[] = []
  let length = 0
  return packet => {
    chunks.push(packet)
    length += packet.length
    const messages: Buffer[] = []
    while (length >= 4) {
      if (chunks[0]!.length < 4) chunks = [Buffer.concat(chunks)]
      const size = chunks[0]!.readInt32LE(0)
      if (size < HEADER_BYTES || size > MAX_MESSAGE_BYTES) throw new WireError(`a message of ${size} bytes`)
      if (length < size) break
      const joined = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      messages.push(joined.subarray(0, size))
      chunks = joined.length > size ? [joined.subarray(size)] : []
      length -= size
    }
    return messages
  }
}

/** Reads one whole message. Throws WireError when it is not one that a driver sends. */
export function readMessage(message: Buffer): Request {
  const [requestId, opCode] = [message.readInt32LE(4), message.readInt32LE(12)]
  try {
    if (opCode === OP_MSG) return { requestId, opCode, ...readMsg(message) }
    if (opCode === OP_QUERY) return { requestId, opCode, body: readHello(message), isSilent: false }
  } catch (error) {
    if (error instanceof WireError) throw error
    throw new WireError(`unreadable message: ${(error as Error).message}`)
  }
  throw new WireError(`opcode ${opCode} is not spoken here`)
}

function readMsg(message: Buffer): Pick<Request, 'body' | 'isSilent'> {
  const flags = message.readUInt32LE(HEADER_BYTES)
  if (flags & REQUIRED_FLAGS & ~(CHECKSUM_PRESENT | MORE_TO_COME))
    throw new WireError(`unknown flags ${flags}`)
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0)
  let body: Doc | undefined
  const sequences: Doc = {}
  for (let at = HEADER_BYTES + 4; at < end; ) {
    const kind = message.readUInt8(at)
    at += 1
    const size = sizeAt(message, at, end)
    const section = message.subarray(at, at + size)
    at += size
    if (kind === 0 && !body) body = decode(section)
    else if (kind === 1) readSequence(section, sequences)
    else throw new WireError(`section of kind ${kind}`)
  }
  if (!body) throw new WireError('no body')
  return { body: Object.assign(body, sequences), isSilent: (flags & MORE_TO_COME) !== 0 }
}

function readSequence(section: Buffer, sequences: Doc): void {
  const nameEnd = section.indexOf(0, 4)
  if (nameEnd < 0) throw new WireError('a sequence without a name')
  const docs: Doc[] = []
  for (let at = nameEnd + 1; at < section.length; ) {
    const size = sizeAt(section, at, section.length)
    docs.push(decode(section.subarray(at, at + size)))
    at += size
  }
  sequences[section.toString('utf8', 4, nameEnd)] = docs
}

function sizeAt(bytes: Buffer, at: number, end: number): number {
  const size = bytes.readInt32LE(at)
  if (size < 5 || at + size > end) throw new WireError(`a part of ${size} bytes`)
  return size
}

/** Drivers send their first hello in this older form: flags, `db.$cmd`, skip, count, document. */
function readHello(message: Buffer): Doc {
  const nameEnd = message.indexOf(0, HEADER_BYTES + 4)
  const namespace = message.toString('utf8', HEADER_BYTES + 4, Math.max(nameEnd, HEADER_BYTES + 4))
  if (!namespace.endsWith('.$cmd')) throw new WireError('only commands are spoken here')
  const at = nameEnd + 9
  const body = decode(message.subarray(at, at + sizeAt(message, at, message.length)))
  return { ...body, $db: namespace.slice(0, -'.$cmd'.length) }
}

/** The answer to a request, in the form in which it was asked. */
export function writeReply(
  { requestId, opCode }: Pick<Request, 'requestId' | 'opCode'>,
  reply: Uint8Array,
): Buffer {
  const isMsg = opCode === OP_MSG
  // Flags 0 and one section of kind 0; or: flags 8 (await capable), cursor 0, starting from 0, one document.
  const prefix = isMsg ? Buffer.alloc(5) : Buffer.from([8, ...Array(15).fill(0), 1, 0, 0, 0])
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeInt32LE(HEADER_BYTES + prefix.length + reply.length, 0)
  header.writeInt32LE(requestId, 8)
  header.writeInt32LE(isMsg ? OP_MSG : OP_REPLY, 12)
  return Buffer.concat([header, prefix, reply])
}

export function encodeReply(reply: Doc): Uint8Array {
  return serialize(reply, { ignoreUndefined: true })
}

const CURSOR = Buffer.from('\x03cursor\0')
const END = Buffer.alloc(1)
/** The elements of a document of its own and the closing zero. */
const OK = encodeReply({ ok: 1 }).subarray(4)

/** `{ cursor: { [field]: docs, id, ns }, ok: 1 }` around documents that are BSON already. */
export function encodeCursor(field: string, docs: Uint8Array[], id: number, ns: string): Uint8Array {
  const batch = [...docs.flatMap((doc, i) => [Buffer.from(`\x03${i}\0`), doc]), END]
  const name = Buffer.from(`\x04${field}\0`)
  const cursor = [name, sizeOf(batch), ...batch, encodeReply({ id: Long.fromNumber(id), ns }).subarray(4)]
  const reply = [CURSOR, sizeOf(cursor), ...cursor, OK]
  return Buffer.concat([sizeOf(reply), ...reply])
}

/** The first bytes of a document with these parts. */
function sizeOf(parts: Uint8Array[]): Buffer {
  const size = Buffer.allocUnsafe(4)
  size.writeInt32LE(4 + parts.reduce((sum, part) => sum + part.length, 0))
  return size
}
