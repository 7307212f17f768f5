import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

type Row = Record<string, unknown>

/** One connection to the SQLite file with its prepared statements. */
export interface Storage {
  all(sql: string, ...values: SQLInputValue[]): Row[]
  get(sql: string, ...values: SQLInputValue[]): Row | undefined
  /** The row id of an insert. */
  run(sql: string, ...values: SQLInputValue[]): number
  /** Runs statements that are not kept: changes of tables. */
  exec(sql: string): void
  close(): void
}

export const IN_MEMORY = ':memory:'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT, db TEXT NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL,
    UNIQUE (db, name)
  );
  CREATE TABLE IF NOT EXISTS indexes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL REFERENCES collections(id),
    spec BLOB NOT NULL, multikey INTEGER NOT NULL DEFAULT 0
  );`

/**
 * Opens (or makes) the file in `folder`, or a database in memory for ':memory:'. A lock is held until it is closed or
 * the process ends, however it ends: a second server on the same folder is refused.
 */
export function openStorage(folder: string): Storage {
  if (folder === IN_MEMORY) {
    const storage = storageOver(new DatabaseSync(folder))
    storage.exec(SCHEMA)
    return storage
  }
  mkdirSync(folder, { recursive: true })
  const lock = lockFolder(folder)
  try {
    const database = new DatabaseSync(fileIn(folder))
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE; ${SCHEMA} COMMIT`)
    return storageOver(database, lock)
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Another connection to the same file, which only reads: it sees what is committed and holds up nobody. */
export function openReadOnly(folder: string): Storage {
  return storageOver(new DatabaseSync(fileIn(folder), { readOnly: true }))
}

function fileIn(folder: string): string {
  return join(folder, 'embedded-mongo.sqlite')
}

const SQLITE_BUSY = 5

/** The lock is on a file of its own: one on the data would keep the readers out too. */
function lockFolder(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'embedded-mongo.lock'))
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new Error(
      `embedded-mongo: the data folder ${folder} is in use by another server; only one may open it`,
    )
  }
}

function storageOver(database: DatabaseSync, lock?: DatabaseSync): Storage {
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
      lock?.close()
    },
  }
}
