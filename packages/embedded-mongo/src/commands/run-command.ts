import { CommandError, failureOf } from '../errors.ts'
import type { Doc } from '../values.ts'
import { encodeReply } from '../wire.ts'
import { aggregate } from './aggregate.ts'
import { type Command, checkFields, type Engine } from './command.ts'
import { handshakeCommands } from './handshake.ts'
import { indexCommands } from './indexes.ts'
import { readCommands } from './reads.ts'
import { writeCommands } from './writes.ts'

const COMMANDS = new Map<string, Command>(
  Object.entries({ ...handshakeCommands, ...readCommands, ...writeCommands, ...indexCommands, aggregate }),
)

function nameOf(body: Doc): string {
  return Object.keys(body)[0] ?? ''
}

export function isWrite(body: Doc): boolean {
  return COMMANDS.get(nameOf(body))?.kind === 'write'
}

/** Reads that may take long or leave a cursor. One of a single document is sooner done than handed to another thread. */
export function mayTakeLong(body: Doc): boolean {
  if (COMMANDS.get(nameOf(body))?.kind !== 'read') return false
  return body.limit !== 1 || body.singleBatch !== true || Boolean(body.skip || body.sort)
}

/** Gives the encoded reply to one command; a failure is one too. */
export function runCommand(engine: Engine, body: Doc): Uint8Array {
  const name = nameOf(body)
  const command = COMMANDS.get(name)
  if (!command) throw new CommandError(59, `no such command: '${name}'`)
  checkFields(name, command, body)
  const reply = command.run(engine, body, typeof body.$db === 'string' ? body.$db : 'admin')
  return reply instanceof Uint8Array ? reply : encodeReply(reply)
}

export function encodedFailure(error: unknown): Uint8Array {
  return encodeReply(failureOf(error))
}
