import { ObjectId } from 'bson'
import type { Collection } from '../catalog.ts'
import { CommandError } from '../errors.ts'
import { type Doc, encodeStored, typeName } from '../values.ts'
import { type Command, collectionName, type Engine, flag, listOf } from './command.ts'
import { eachStatement, withErrors } from './statements.ts'

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
