import { renameSync, statSync } from 'node:fs'
import pino from 'pino'
import { counter } from './metrics.ts'

const FILE_BYTES = 50_000_000
/** Older files kept next to the newest: `…log.1` to `…log.5`. */
const FILES_KEPT = 5
/** Bytes of lines that wait in memory while they can't be written; further lines are dropped. */
const WAITING_BYTES = 1_000_000

const dropped = counter({
  name: 'log_lines_dropped_total',
  help: 'Lines that could not be written to the log, on a full disk for instance',
})

/** Opens a file to append to, or standard output. A line that can't be written doesn't end the process. */
export function openLogFile(path: string | undefined, fileBytes = FILE_BYTES): pino.DestinationStream {
  const target = path === undefined ? { dest: 1 } : { dest: path, mkdir: true, mode: 0o600 }
  const stream = pino.destination({ ...target, sync: true, maxLength: WAITING_BYTES })
  // The remaining lines are written with the next one.
  stream.on('error', () => {})
  stream.on('drop', () => dropped.inc())
  if (path !== undefined) rotate(stream, path, fileBytes)
  return stream
}

type Stream = ReturnType<typeof pino.destination>

/** Starts a new file after `fileBytes` and deletes the oldest one. */
function rotate(stream: Stream, path: string, fileBytes: number): void {
  let bytes = statSync(path).size
  stream.on('write', (written: number) => {
    bytes += written
    if (bytes < fileBytes) return
    bytes = 0
    for (let age = FILES_KEPT; age > 0; age--) moveOn(path, age)
    // Takes effect after this line. If there is no room for a new file, the renamed one is written on.
    stream.reopen()
  })
}

/** Renames a file to the next older name, if it exists. */
function moveOn(path: string, age: number): void {
  try {
    renameSync(age > 1 ? `${path}.${age - 1}` : path, `${path}.${age}`)
  } catch {
    // There aren't that many files yet.
  }
}
