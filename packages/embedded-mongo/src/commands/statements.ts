import { asCommandError, CommandError, writeErrorOf } from '../errors.ts'
import type { Doc } from '../values.ts'
import { refuseOptions } from './command.ts'

// What insert, update and delete have in common: several statements in one command, each with an outcome of its own.

/** Refuses fields of a statement that are not understood. */
export const checkStatement = (name: string, statement: Doc, fields: readonly string[]): void => {
  const unknown = Object.keys(statement).find(field => !fields.includes(field))
  if (unknown) throw new CommandError(40415, `BSON field '${name}.${unknown}' is an unknown field.`)
  refuseOptions(statement)
}

/** Runs the statements of a write command; after the first error an ordered one stops. */
export const eachStatement = (
  statements: Doc[],
  ordered: boolean,
  execute: (statement: Doc, index: number) => void,
): Doc[] => {
  const writeErrors: Doc[] = []
  for (const [index, statement] of statements.entries()) {
    try {
      execute(statement, index)
    } catch (error) {
      // What is wrong with a statement is told for that statement; anything else fails the whole command.
      const known = asCommandError(error)
      if (!known) throw error
      writeErrors.push(writeErrorOf(index, known))
      if (ordered) break
    }
  }
  return writeErrors
}

export const withErrors = (reply: Doc, writeErrors: Doc[]): Doc =>
  writeErrors.length > 0 ? { ...reply, writeErrors, ok: 1 } : { ...reply, ok: 1 }
