import { typeMismatch } from '../errors.ts'
import { readFilter } from '../filter.ts'
import { keyOf } from '../index-keys.ts'
import { valuesAt } from '../paths.ts'
import { scan } from '../scan.ts'
import { typeName, type Value } from '../values.ts'
import { type Command, existing } from './command.ts'
import { checkHint } from './find.ts'

/** Distinct values, those of arrays one by one, in MongoDB's order of values. */
export const distinct: Command = {
  fields: ['key', 'query', 'collation', 'hint'],
  run: (engine, body, db) => {
    const collection = existing(engine, body, 'distinct', db)
    const { key } = body
    if (typeof key !== 'string')
      throw typeMismatch(
        `BSON field 'distinct.key' is the wrong type '${typeName(key)}', expected type 'string'`,
      )
    const filter = readFilter(body.query)
    checkHint(collection, body.hint)
    const found = new Map<string, { key: Buffer; value: Value }>()
    if (collection)
      for (const { doc } of scan(engine.storage, collection, { filter }))
        for (const value of valuesAt(doc, key).flat(1)) {
          if (value === undefined) continue
          const bytes = keyOf(value)
          const name = bytes.toString('latin1')
          if (!found.has(name)) found.set(name, { key: bytes, value })
        }
    const values = [...found.values()].sort((a, b) => Buffer.compare(a.key, b.key)).map(({ value }) => value)
    return { values, ok: 1 }
  },
}
