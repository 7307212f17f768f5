import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

type Row = Record<string, unknown>

/** One SQLite file with its prepared statements. */
export type Storage = {
  all: (sql: string, ...values: SQLInputValue[]) => Row[]
  get: (sql: string, ...values: SQLInputValue[]) => Row | undefined
  /** The row id of an insert. */
  run: (sql: string, ...values: SQLInputValue[]) => number
  /** Runs statements that are not kept: changes of tables, begin, commit, savepoints. */
  exec: (sql: string) => void
  /** Folds the write-ahead log into the file and closes it. */
  close: () => void
}

const schema = `
  CREATE TABLE IF NOT EXISTS collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT, db TEXT NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL,
    UNIQUE (db, name)
  );
  CREATE TABLE IF NOT EXISTS indexes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL REFERENCES collections(id),
    spec BLOB NOT NULL, multikey INTEGER NOT NULL DEFAULT 0
  );`

/**
 * Opens (or makes) the file in `folder`, or a database in memory for ':memory:'. The lock on the file is held until
 * it is closed or the process ends, however it ends: a second server on the same folder is refused.
 */
export const openStorage = (folder: string): Storage => {
  const inMemory = folder === ':memory:'
  if (!inMemory) mkdirSync(folder, { recursive: true })
  const database = new DatabaseSync(inMemory ? folder : join(folder, 'embedded-mongo.sqlite'))
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`)
  } catch (error) {
    database.close()
    throw isLocked(error) ? alreadyOpen(folder) : error
  }
  return storageOver(database)
}

const sqliteBusy = 5

const isLocked = (error: unknown) => (error as { errcode?: number }).errcode === sqliteBusy

const alreadyOpen = (folder: string) =>
  new Error(`embedded-mongo: the data folder ${folder} is in use by another server; only one may open it`)

const storageOver = (database: DatabaseSync): Storage => {
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  return {
    all: (sql, ...values) => prepare(sql).all(...values),
    get: (sql, ...values) => prepare(sql).get(...values),
    run: (sql, ...values) => Number(prepare(sql).run(...values).lastInsertRowid),
    exec: sql => database.exec(sql),
    close: () => {
      statements.clear()
      database.close()
    },
  }
}
