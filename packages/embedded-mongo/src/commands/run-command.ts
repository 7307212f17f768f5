import { CommandError, failureOf } from '../errors.ts'
import type { GroupCommit } from '../group-commit.ts'
import type { Doc } from '../values.ts'
import { aggregateCommands } from './aggregate.ts'
import { collectionCommands } from './collections.ts'
import { type Command, checkFields, type Engine } from './command.ts'
import { deleteCommand } from './delete.ts'
import { distinct } from './distinct.ts'
import { findCommands } from './find.ts'
import { findAndModify } from './find-and-modify.ts'
import { handshakeCommands } from './handshake.ts'
import { indexCommands } from './indexes.ts'
import { insertCommand } from './insert.ts'
import { updateCommand } from './update.ts'

const commands = new Map<string, Command>(
  Object.entries({
    ...handshakeCommands,
    ...findCommands,
    ...aggregateCommands,
    ...indexCommands,
    ...collectionCommands,
    insert: insertCommand,
    update: updateCommand,
    delete: deleteCommand,
    distinct,
    findAndModify,
    findandmodify: findAndModify,
  }),
)

/** Answers one command; a failure is an answer too. A write is answered after its commit. */
export const runCommand = async (engine: Engine, commits: GroupCommit, body: Doc): Promise<Doc> => {
  try {
    const name = Object.keys(body)[0] ?? ''
    const command = commands.get(name)
    if (!command) throw new CommandError(59, `no such command: '${name}'`)
    checkFields(name, command, body)
    const db = typeof body.$db === 'string' ? body.$db : 'admin'
    return await commits.run(command.writes === true, () => command.run(engine, body, db))
  } catch (error) {
    return failureOf(error)
  }
}
