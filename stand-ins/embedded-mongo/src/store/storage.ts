import { closeSync, fdatasyncSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

type Row = Record<string, unknown>

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

/** Opens or creates the file in `folder`, or a database in memory. The folder stays locked until the close or exit. */
export function openStorage(folder: string): Storage {
  const lock = folder === IN_MEMORY ? undefined : lockFolder(folder)
  try {
    const database = new DatabaseSync(lock ? fileIn(folder) : folder)
    // `server.ts` empties the log, so no commit does.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000')
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`)
    return storageOver(database, lock && { lock, log: openSync(`${fileIn(folder)}-wal`, 'r+') })
  } catch (error) {
    lock?.close()
    throw error
  }
}

function fileIn(folder: string): string {
  return join(folder, 'embedded-mongo.sqlite')
}

const SQLITE_BUSY = 5

export class FolderInUse extends Error {
  override name = 'FolderInUse'
}

/** Locks a folder with a separate file until the lock is closed. Throws FolderInUse. */
export function lockFolder(folder: string): DatabaseSync {
  mkdirSync(folder, { recursive: true })
  const lock = new DatabaseSync(join(folder, 'embedded-mongo.lock'))
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new FolderInUse(`embedded-mongo: the data folder ${folder} is in use by another server`)
  }
}

/** A connection to the SQLite file, with its prepared statements. */
export type Storage = ReturnType<typeof storageOver>

function storageOver(database: DatabaseSync, writer?: { lock: DatabaseSync; log: number }) {
  // Reads pages from the system's cache: searches read more of them than SQLite would keep.
  database.exec(`PRAGMA mmap_size = ${2 ** 30}`)
  const statements = new Map<string, StatementSync>()
  /** Number of this connection's changed rows that are synced to disk. */
  let synced = -1

  function prepare(sql: string): StatementSync {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  return {
    all: (sql: string, ...values: SQLInputValue[]): Row[] => prepare(sql).all(...values),
    get: (sql: string, ...values: SQLInputValue[]): Row | undefined => prepare(sql).get(...values),
    /** Yields the numbers of one column; the statement stays open until the end. */
    *column(sql: string, ...values: SQLInputValue[]): Generator<number> {
      for (const row of prepare(sql).iterate(...values)) yield Object.values(row)[0] as number
    },
    /** Runs a statement and returns the row id of an insert. */
    run: (sql: string, ...values: SQLInputValue[]) => Number(prepare(sql).run(...values).lastInsertRowid),
    /** Runs statements that aren't cached: schema changes and transactions. */
    exec: (sql: string) => database.exec(sql),
    /** Syncs the log if rows have changed since. Uses fdatasync: SQLite's fsync takes several times as long. */
    sync(): void {
      if (!writer) return
      const changes = Number(prepare('SELECT total_changes() AS n').get()?.n)
      if (changes === synced) return
      fdatasyncSync(writer.log)
      synced = changes
    },
    close(): void {
      if (writer) closeSync(writer.log)
      database.close()
      writer?.lock.close()
    },
  }
}
