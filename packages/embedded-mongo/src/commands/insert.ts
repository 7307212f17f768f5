import { ObjectId } from 'bson'
import type { Collection } from '../catalog.ts'
import { badValue, CommandError, writeErrorOf } from '../errors.ts'
import { type Doc, encodeStored, typeName } from '../values.ts'
import { type Command, collectionName, type Engine, flag, listOf } from './command.ts'

/** Checks and stores one document, with `_id` in front and made when it is missing. */
export const insertDoc = ({ records }: Engine, collection: Collection, doc: Doc): Doc => {
  const { _id = new ObjectId(), ...rest } = doc
  const complete: Doc = { _id, ...rest }
  checkId(_id)
  records.insert(collection, complete, encodeStored(complete))
  return complete
}

const checkId = (id: unknown): void => {
  const type = typeName(id)
  if (type === 'array' || type === 'regex' || type === 'missing')
    throw new CommandError(53, `The '_id' value cannot be of type ${type}`)
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
      const known = statementError(error)
      writeErrors.push(writeErrorOf(index, known))
      if (ordered) break
    }
  }
  return writeErrors
}

/** What is wrong with a statement is told for that statement; anything else fails the whole command. */
const statementError = (error: unknown): CommandError => {
  if (error instanceof CommandError) return error
  if (error instanceof Error && error.constructor.name === 'MingoError') return badValue(error.message)
  throw error
}

export const withErrors = (reply: Doc, writeErrors: Doc[]): Doc =>
  writeErrors.length > 0 ? { ...reply, writeErrors, ok: 1 } : { ...reply, ok: 1 }

export const insertCommand: Command = {
  writes: true,
  fields: ['documents', 'ordered', 'bypassDocumentValidation'],
  run: (engine, body, db) => {
    const documents = listOf(body, 'documents')
    const collection = engine.catalog.ensure(db, collectionName(body, 'insert'))
    let n = 0
    const writeErrors = eachStatement(documents, flag(body, 'ordered', true), doc => {
      insertDoc(engine, collection, doc)
      n += 1
    })
    return withErrors({ n }, writeErrors)
  },
}
