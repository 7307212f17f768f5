import { type Doc, maxDocumentBytes } from '../values.ts'
import { maxMessageBytes } from '../wire.ts'
import { type Command, maxWriteBatchSize } from './command.ts'

const hostInfo = (): Doc => ({
  helloOk: true,
  maxBsonObjectSize: maxDocumentBytes,
  maxMessageSizeBytes: maxMessageBytes,
  maxWriteBatchSize,
  localTime: new Date(),
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  // 21 is MongoDB 7.0. Not a member of a replica set, so drivers neither retry writes nor begin transactions.
  maxWireVersion: 21,
  readOnly: false,
  ok: 1,
})

const helloFields = [
  'helloOk',
  'client',
  'compression',
  'hostInfo',
  'loadBalanced',
  'speculativeAuthenticate',
  'saslSupportedMechs',
  'topologyVersion',
  'maxAwaitTimeMS',
  'internalClient',
  'backpressure',
]

const hello: Command = { fields: helloFields, run: () => ({ isWritablePrimary: true, ...hostInfo() }) }
const isMaster: Command = { fields: helloFields, run: () => ({ ismaster: true, ...hostInfo() }) }
const fine: Command = { fields: [], run: () => ({ ok: 1 }) }

const buildInfo: Command = {
  fields: [],
  run: () => ({
    version: '7.0.0',
    versionArray: [7, 0, 0, 0],
    modules: ['embedded-mongo'],
    bits: 64,
    debug: false,
    maxBsonObjectSize: maxDocumentBytes,
    storageEngines: ['sqlite'],
    ok: 1,
  }),
}

/** What drivers ask before and beside the real work. */
export const handshakeCommands: Record<string, Command> = {
  hello,
  isMaster,
  ismaster: isMaster,
  ping: fine,
  endSessions: fine,
  refreshSessions: fine,
  killSessions: fine,
  buildInfo,
  buildinfo: buildInfo,
  connectionStatus: {
    fields: ['showPrivileges'],
    run: () => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] }, ok: 1 }),
  },
}
