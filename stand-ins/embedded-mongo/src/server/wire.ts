import { type Doc, decode, MAX_MESSAGE_BYTES } from '../store/values.ts'

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013

const HEADER_BYTES = 16
/** The reader of a message must understand its lower 16 flag bits. */
const REQUIRED_FLAGS = 0xffff

/** A received command; `body` has document sequences as arrays. */
export interface Request {
  requestId: number
  opCode: number
  body: Doc
}

/** Returns a function that joins a socket's packets into whole messages. Throws on an impossible length. */
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
      if (size < HEADER_BYTES || size > MAX_MESSAGE_BYTES) throw new Error(`a message of ${size} bytes`)
      if (length < size) break
      const joined = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      messages.push(joined.subarray(0, size))
      chunks = joined.length > size ? [joined.subarray(size)] : []
      length -= size
    }
    return messages
  }
}

/** Parses a whole message. Throws for anything that drivers don't send, after which the connection can't be read. */
export function readMessage(message: Buffer): Request {
  const [requestId, opCode] = [message.readInt32LE(4), message.readInt32LE(12)]
  if (opCode === OP_QUERY) return { requestId, opCode, body: readHello(message) }
  const flags = message.readUInt32LE(HEADER_BYTES)
  if (opCode !== OP_MSG || flags & REQUIRED_FLAGS) throw new Error('an unsupported opcode or flag')
  return { requestId, opCode, body: readSections(message) }
}

function readSections(message: Buffer): Doc {
  let body: Doc | undefined
  const sequences: Doc = {}
  for (let at = HEADER_BYTES + 4; at < message.length; ) {
    const kind = message.readUInt8(at)
    const section = partAt(message, at + 1)
    at += 1 + section.length
    if (kind === 0 && !body) body = decode(section)
    else if (kind === 1) readSequence(section, sequences)
    else throw new Error(`section of kind ${kind}`)
  }
  if (!body) throw new Error('no body')
  return Object.assign(body, sequences)
}

function readSequence(section: Buffer, sequences: Doc): void {
  const nameEnd = section.indexOf(0, 4)
  const docs: Doc[] = []
  for (let at = nameEnd + 1, part: Buffer; at < section.length; at += part.length) {
    part = partAt(section, at)
    docs.push(decode(part))
  }
  sequences[section.toString('utf8', 4, nameEnd)] = docs
}

/** Returns the part at an offset, which begins with its length in bytes. */
function partAt(bytes: Buffer, at: number): Buffer {
  const size = bytes.readInt32LE(at)
  if (size < 5 || at + size > bytes.length) throw new Error(`a part of ${size} bytes`)
  return bytes.subarray(at, at + size)
}

/** Parses a driver's first hello, which has this older form: flags, `db.$cmd`, skip, count, document. */
function readHello(message: Buffer): Doc {
  const nameEnd = message.indexOf(0, HEADER_BYTES + 4)
  const [, db] = /^([^.]+)\.\$cmd$/.exec(message.toString('utf8', HEADER_BYTES + 4, nameEnd)) ?? []
  if (!db) throw new Error('only commands are supported')
  return { ...decode(partAt(message, nameEnd + 9)), $db: db }
}

/** Encodes a reply in the format of its request. */
export function writeReply({ requestId, opCode }: Omit<Request, 'body'>, reply: Uint8Array): Buffer {
  const isMsg = opCode === OP_MSG
  // Flags 0 and one section of kind 0; or flags 8 (await capable), cursor 0, starting from 0, one document.
  const prefix = isMsg ? Buffer.alloc(5) : Buffer.from([8, ...Array(15).fill(0), 1, 0, 0, 0])
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeInt32LE(HEADER_BYTES + prefix.length + reply.length, 0)
  header.writeInt32LE(requestId, 8)
  header.writeInt32LE(isMsg ? OP_MSG : OP_REPLY, 12)
  return Buffer.concat([header, prefix, reply])
}
