import { type Doc, MAX_DOCUMENT_BYTES } from '../values.ts'
import { MAX_MESSAGE_BYTES } from '../wire.ts'
import { type Command, MAX_WRITE_BATCH_SIZE } from './command.ts'

const HELLO_FIELDS = ['helloOk', 'client', 'compression', 'hostInfo', 'loadBalanced', 'backpressure']

function hello(role: Doc): Command {
  return {
    kind: 'other',
    fields: HELLO_FIELDS,
    run: () => ({
      ...role,
      helloOk: true,
      maxBsonObjectSize: MAX_DOCUMENT_BYTES,
      maxMessageSizeBytes: MAX_MESSAGE_BYTES,
      maxWriteBatchSize: MAX_WRITE_BATCH_SIZE,
      localTime: new Date(),
      logicalSessionTimeoutMinutes: 30,
      minWireVersion: 0,
      // 21 is MongoDB 7.0. Not a member of a replica set, so drivers neither retry writes nor begin transactions.
      maxWireVersion: 21,
      readOnly: false,
      ok: 1,
    }),
  }
}

const fine: Command = { kind: 'other', fields: [], run: () => ({ ok: 1 }) }
const buildinfo: Command = {
  kind: 'other',
  fields: [],
  run: () => ({ version: '7.0.0', versionArray: [7, 0, 0, 0], modules: ['embedded-mongo'], ok: 1 }),
}

/** Commands that drivers send before and beside the real work. */
export const handshakeCommands: Record<string, Command> = {
  hello: hello({ isWritablePrimary: true }),
  ismaster: hello({ ismaster: true }),
  ping: fine,
  endSessions: fine,
  buildinfo,
}
