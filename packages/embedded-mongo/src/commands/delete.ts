import { badValue } from '../errors.ts'
import { readFilter } from '../filter.ts'
import { plainNumber } from '../values.ts'
import { type Command, existing, flag, listOf } from './command.ts'
import { checkHint } from './find.ts'
import { checkStatement, eachStatement, withErrors } from './statements.ts'
import { matchesOf } from './update.ts'

export const deleteCommand: Command = {
  writes: true,
  fields: ['deletes', 'ordered', 'let'],
  run: (engine, body, db) => {
    const statements = listOf(body, 'deletes')
    const collection = existing(engine, body, 'delete', db)
    let n = 0
    const writeErrors = eachStatement(statements, flag(body, 'ordered', true), statement => {
      checkStatement('delete.deletes', statement, ['q', 'limit', 'hint', 'collation'])
      const limit = plainNumber(statement.limit)
      if (limit !== 0 && limit !== 1)
        throw badValue(`The limit field in delete objects must be 0 or 1. Got ${String(statement.limit)}`)
      const filter = readFilter(statement.q)
      checkHint(collection, statement.hint)
      if (!collection) return
      for (const stored of matchesOf(engine, collection, {
        filter,
        limit: limit || Number.POSITIVE_INFINITY,
      })) {
        engine.records.remove(collection, stored)
        n += 1
      }
    })
    return withErrors({ n }, writeErrors)
  },
}
