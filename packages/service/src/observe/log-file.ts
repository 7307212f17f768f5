import { renameSync, statSync } from 'node:fs'
import pino from 'pino'
import { counter } from './metrics.ts'

const FILE_BYTES = 50_000_000
/** Older files beside the newest: `…log.1` to `…log.5`. */
const FILES_KEPT = 5
/** Lines wait in memory while they cannot be written; further ones are dropped. */
const WAITING_BYTES = 1_000_000

const dropped = counter({
  name: 'log_lines_dropped_total',
  help: 'Lines that could not be written to the log, on a full disk for instance',
})

/** Returns the end of a file, or standard output: a line that cannot be written ends nothing. */
export function openLogFile(path: string | undefined, fileBytes = FILE_BYTES): pino.DestinationStream {
  const target = path === undefined ? { dest: 1 } : { dest: path, mkdir: true, mode: 0o600 }
  const stream = pino.destination({ ...target, sync: true, maxLength: WAITING_BYTES })
  // What is left is written with the next line.
  stream.on('error', () => {})
  stream.on('drop', () => dropped.inc())
  if (path !== undefined) rotate(stream, path, fileBytes)
  return stream
}

type Stream = ReturnType<typeof pino.destination>

/** Begins a new file after so many bytes; the oldest one goes. */
function rotate(stream: Stream, path: string, fileBytes: number): void {
  let bytes = statSync(path).size
  stream.on('write', (written: number) => {
    bytes += written
    if (bytes < fileBytes) return
    bytes = 0
    for (let age = FILES_KEPT; age > 0; age--) moveOn(path, age)
    // After this line. Without room for a new file the one that has moved is written on.
    stream.reopen()
  })
}

/** Gives a file the name of the next older one, if it is there. */
function moveOn(path: string, age: number): void {
  try {
    renameSync(age > 1 ? `${path}.${age - 1}` : path, `${path}.${age}`)
  } catch {
    // There have not been as many yet.
  }
}
