import { badValue, CommandError } from '../store/errors.ts'
import { type Doc, encodeReply, isDoc, MAX_DOCUMENT_BYTES, MAX_MESSAGE_BYTES } from '../store/values.ts'
import { checkFields, type Engine } from './command.ts'
import { createIndexes, listIndexes } from './indexes.ts'
import { aggregate, find, getMore, killCursors } from './reads.ts'
import { findAndModify, insert, remove, update } from './writes.ts'

interface Command {
  /** Supported fields, in addition to those of any command. */
  fields: readonly string[]
  /** Returns a reply, possibly already encoded as BSON. */
  run(engine: Engine, body: Doc): Doc | Uint8Array
  /** Whether it runs in its group's transaction and is answered after the commit. */
  writes?: true
}

const HELLO = {
  isWritablePrimary: true,
  helloOk: true,
  maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  maxMessageSizeBytes: MAX_MESSAGE_BYTES,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  // 21 is MongoDB 7.0. Sessions aren't offered, so drivers neither retry writes nor begin transactions.
  maxWireVersion: 21,
  ok: 1,
}
const HELLO_FIELDS = ['helloOk', 'client', 'compression', 'hostInfo', 'loadBalanced', 'backpressure']

const FIND = ['filter', 'sort', 'projection', 'skip', 'limit', 'batchSize', 'singleBatch']
const FIND_AND_MODIFY = ['query', 'update', 'new', 'upsert', 'remove', 'sort']

const COMMANDS = new Map<unknown, Command>(
  Object.entries({
    hello: { fields: HELLO_FIELDS, run: hello },
    ismaster: { fields: HELLO_FIELDS, run: hello },
    ping: { fields: [], run: () => ({ ok: 1 }) },
    scrub: { fields: [], run: askScrub },
    find: { fields: FIND, run: find },
    getMore: { fields: ['collection', 'batchSize'], run: getMore },
    killCursors: { fields: ['cursors'], run: killCursors },
    aggregate: { fields: ['pipeline', 'cursor'], run: aggregate },
    insert: { writes: true, fields: ['documents', 'ordered'], run: insert },
    update: { writes: true, fields: ['updates', 'ordered'], run: update },
    delete: { writes: true, fields: ['deletes', 'ordered'], run: remove },
    findAndModify: { writes: true, fields: FIND_AND_MODIFY, run: findAndModify },
    createIndexes: { writes: true, fields: ['indexes'], run: createIndexes },
    listIndexes: { fields: ['cursor'], run: listIndexes },
  }),
)

function hello(): Doc {
  return { ...HELLO, localTime: new Date() }
}

/** Our own command, after which the server soon removes deleted data from the file, too. */
function askScrub(engine: Engine): Doc {
  engine.scrubAskedAt = performance.now()
  return { ok: 1 }
}

/** Fields of any command. On a single server, only a write concern changes the answer. */
const EVERYWHERE = ['$db', '$clusterTime', '$readPreference', 'comment', 'maxTimeMS', 'writeConcern']

export function isWrite(body: Doc): boolean {
  return COMMANDS.get(Object.keys(body)[0])?.writes === true
}

export function runCommand(engine: Engine, body: Doc): Uint8Array {
  const [name = ''] = Object.keys(body)
  const command = COMMANDS.get(name)
  if (!command) throw new CommandError(59, `no such command: '${name}'`)
  checkFields(name, body, [name, ...command.fields, ...EVERYWHERE])
  const { w = 1 } = isDoc(body.writeConcern) ? body.writeConcern : {}
  if (w !== 1 && w !== 'majority') throw badValue(`there is no write concern w: ${String(w)}`)
  const reply = command.run(engine, body)
  return reply instanceof Uint8Array ? reply : encodeReply(reply)
}
