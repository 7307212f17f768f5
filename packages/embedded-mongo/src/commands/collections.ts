import { namespaceOf } from '../catalog.ts'
import { CommandError, notImplemented } from '../errors.ts'
import { compileFilter } from '../expressions.ts'
import { readFilter } from '../filter.ts'
import type { Doc } from '../values.ts'
import { type Command, collectionName, existing, flag } from './command.ts'

const create: Command = {
  writes: true,
  fields: [
    'capped',
    'timeseries',
    'viewOn',
    'pipeline',
    'validator',
    'validationLevel',
    'validationAction',
    'collation',
    'expireAfterSeconds',
    'clusteredIndex',
    'size',
    'max',
    'autoIndexId',
    'changeStreamPreAndPostImages',
    'encryptedFields',
    'storageEngine',
    'indexOptionDefaults',
  ],
  run: (engine, body, db) => {
    const option = Object.keys(body).find(
      name =>
        create.fields.includes(name) &&
        name !== 'collation' &&
        body[name] !== false &&
        body[name] !== undefined,
    )
    if (option) throw notImplemented(`a collection with '${option}'`)
    if (existing(engine, body, 'create', db))
      throw new CommandError(48, `Collection ${db}.${collectionName(body, 'create')} already exists.`)
    engine.catalog.ensure(db, collectionName(body, 'create'))
    return { ok: 1 }
  },
}

const drop: Command = {
  writes: true,
  fields: [],
  run: (engine, body, db) => {
    const collection = existing(engine, body, 'drop', db)
    if (!collection) return { ok: 1 } // as MongoDB 7
    const nIndexesWas = collection.indexes.length
    engine.catalog.drop(collection)
    return { nIndexesWas, ns: namespaceOf(collection), ok: 1 }
  },
}

const dropDatabase: Command = {
  writes: true,
  fields: [],
  run: ({ catalog }, _body, db) => {
    for (const collection of catalog.all()) if (collection.db === db) catalog.drop(collection)
    return { dropped: db, ok: 1 }
  },
}

const listCollections: Command = {
  fields: ['filter', 'cursor', 'nameOnly', 'authorizedCollections'],
  run: ({ catalog, cursors }, body, db) => {
    const matches = compileFilter(readFilter(body.filter))
    const nameOnly = flag(body, 'nameOnly')
    const docs = catalog
      .all()
      .filter(collection => collection.db === db)
      .map(({ name, indexes }): Doc => {
        const base = { name, type: 'collection' }
        return nameOnly
          ? base
          : { ...base, options: {}, info: { readOnly: false }, idIndex: indexes[0]?.spec }
      })
      .filter(matches)
    return cursors.open(`${db}.$cmd.listCollections`, docs, docs.length, false)
  },
}

const listDatabases: Command = {
  fields: ['filter', 'nameOnly', 'authorizedDatabases'],
  run: ({ catalog }, body) => {
    const names = [...new Set(catalog.all().map(({ db }) => db))].sort()
    const docs = names.map(
      (name): Doc => (flag(body, 'nameOnly') ? { name } : { name, sizeOnDisk: 0, empty: false }),
    )
    const databases = docs.filter(compileFilter(readFilter(body.filter)))
    return { databases, ...(!flag(body, 'nameOnly') && { totalSize: 0 }), ok: 1 }
  },
}

export const collectionCommands: Record<string, Command> = {
  create,
  drop,
  dropDatabase,
  listCollections,
  listDatabases,
}
