import { serialize } from 'bson'
import { type Doc, decode } from './values.ts'

/** Bytes; MongoDB's `maxMessageSizeBytes`. */
export const maxMessageBytes = 48_000_000

const opReply = 1
const opQuery = 2004
const opMsg = 2013

const headerBytes = 16
const checksumPresent = 1 << 0
const moreToCome = 1 << 1
/** The lower 16 flag bits must be understood by whoever reads the message. */
const requiredFlags = 0xffff

/** One command as it came in. `body` holds the document sequences as arrays. */
export type Request = {
  requestId: number
  opCode: typeof opQuery | typeof opMsg
  body: Doc
  /** The client wants no answer (write concern w: 0). */
  silent: boolean
}

/** The bytes are not MongoDB's protocol; the connection can't be read any further. */
export class WireError extends Error {}

/** Takes packets as they come from a socket and gives the whole messages in them. Throws WireError on garbage. */
export const createFraming = () => {
  let chunks: Buffer[] = []
  let length = 0
  return (packet: Buffer): Buffer[] => {
    chunks.push(packet)
    length += packet.length
    const messages: Buffer[] = []
    while (length >= 4) {
      if (chunks[0]!.length < 4) chunks = [Buffer.concat(chunks)]
      const size = chunks[0]!.readInt32LE(0)
      if (size < headerBytes || size > maxMessageBytes) throw new WireError(`a message of ${size} bytes`)
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
export const readMessage = (message: Buffer): Request => {
  const requestId = message.readInt32LE(4)
  const opCode = message.readInt32LE(12)
  try {
    if (opCode === opMsg) return { requestId, opCode, ...readMsg(message) }
    if (opCode === opQuery) return { requestId, opCode, body: readLegacyQuery(message), silent: false }
  } catch (error) {
    if (error instanceof WireError) throw error
    throw new WireError(`unreadable message: ${(error as Error).message}`)
  }
  throw new WireError(`opcode ${opCode} is not spoken here`)
}

const readMsg = (message: Buffer): { body: Doc; silent: boolean } => {
  const flags = message.readUInt32LE(headerBytes)
  if (flags & requiredFlags & ~(checksumPresent | moreToCome)) throw new WireError(`unknown flags ${flags}`)
  const end = message.length - (flags & checksumPresent ? 4 : 0)
  let body: Doc | undefined
  const sequences: Doc = {}
  for (let at = headerBytes + 4; at < end; ) {
    const kind = message.readUInt8(at)
    at += 1
    if (kind === 0) {
      if (body) throw new WireError('two bodies')
      const size = sizeAt(message, at, end)
      body = decode(message.subarray(at, at + size))
      at += size
    } else if (kind === 1) {
      const size = sizeAt(message, at, end)
      const [name, docs] = readSequence(message.subarray(at + 4, at + size))
      sequences[name] = docs
      at += size
    } else throw new WireError(`section of kind ${kind}`)
  }
  if (!body) throw new WireError('no body')
  return { body: Object.assign(body, sequences), silent: (flags & moreToCome) !== 0 }
}

const readSequence = (section: Buffer): [string, Doc[]] => {
  const nameEnd = section.indexOf(0)
  if (nameEnd < 0) throw new WireError('a sequence without a name')
  const docs: Doc[] = []
  for (let at = nameEnd + 1; at < section.length; ) {
    const size = sizeAt(section, at, section.length)
    docs.push(decode(section.subarray(at, at + size)))
    at += size
  }
  return [section.toString('utf8', 0, nameEnd), docs]
}

const sizeAt = (bytes: Buffer, at: number, end: number): number => {
  const size = bytes.readInt32LE(at)
  if (size < 5 || at + size > end) throw new WireError(`a part of ${size} bytes`)
  return size
}

/** Drivers may send their first hello in this older form: flags, `db.$cmd`, skip, count, document. */
const readLegacyQuery = (message: Buffer): Doc => {
  const nameEnd = message.indexOf(0, headerBytes + 4)
  if (nameEnd < 0) throw new WireError('a query without a collection')
  const namespace = message.toString('utf8', headerBytes + 4, nameEnd)
  if (!namespace.endsWith('.$cmd')) throw new WireError('only commands are spoken here')
  const at = nameEnd + 9
  const body = decode(message.subarray(at, at + sizeAt(message, at, message.length)))
  return { ...body, $db: namespace.slice(0, -'.$cmd'.length) }
}

/** The answer to a request, in the form in which it was asked. */
export const writeReply = (request: Pick<Request, 'requestId' | 'opCode'>, reply: Doc): Buffer => {
  const body = serialize(reply, { ignoreUndefined: true })
  const prefix = request.opCode === opMsg ? msgPrefix() : replyPrefix()
  const header = Buffer.alloc(headerBytes)
  header.writeInt32LE(headerBytes + prefix.length + body.length, 0)
  header.writeInt32LE(request.requestId, 8)
  header.writeInt32LE(request.opCode === opMsg ? opMsg : opReply, 12)
  return Buffer.concat([header, prefix, body])
}

/** Flags 0, then one section of kind 0. */
const msgPrefix = () => Buffer.alloc(5)

/** Flags 8 (await capable), cursor 0, starting from 0, one document. */
const replyPrefix = () => {
  const prefix = Buffer.alloc(20)
  prefix.writeInt32LE(8, 0)
  prefix.writeInt32LE(1, 16)
  return prefix
}
