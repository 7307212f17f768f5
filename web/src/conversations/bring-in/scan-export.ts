import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { ReadChat } from '@voxscribe/contracts/chat'
import { secondsOf } from '../../upload/sound.ts'
import type { Chat } from './find-chat.ts'
import { bytesOf, type ExportFile } from './open-export.ts'

export interface Digested {
  name: string
  bytes: number
  sha256: string
}

/** A recording that a line of the chat names. */
export interface Recording {
  file: string
  /** Unix time, milliseconds. */
  at: number
  sha256: string
  /** Null if the browser can't read its length. */
  seconds: number | null
}

/** An export that was read completely. */
export interface ScannedExport {
  chat: Chat
  files: Digested[]
  /** Seconds of each recording, by file name. */
  lengths: Map<string, number | null>
}

/** Returns a file's content, which the browser may keep on disk. */
export async function contentOf({ name, read }: ExportFile, signal: AbortSignal): Promise<File> {
  const pieces: Blob[] = []
  await read(piece => void pieces.push(new Blob([piece])), signal)
  return new File(pieces, name.slice(name.lastIndexOf('/') + 1))
}

/** Reads every file once: digests of all files, lengths of recordings. */
export async function scanExport(
  chat: Chat,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<ScannedExport> {
  const named = new Set(notesIn(chat.read))
  const total = bytesOf([...chat.files.values()]) || 1
  const lengths = new Map<string, number | null>()
  const files: Digested[] = []
  let done = 0
  for (const [name, file] of chat.files) {
    const digest = sha256.create()
    const pieces: Blob[] = []
    await file.read(piece => {
      digest.update(piece)
      if (named.has(name)) pieces.push(new Blob([piece]))
      done += piece.length
      onShare(done / total)
    }, signal)
    files.push({ name, bytes: file.bytes, sha256: bytesToHex(digest.digest()) })
    if (named.has(name)) lengths.set(name, await secondsOf(new Blob(pieces)))
  }
  return { chat, files, lengths }
}

const notesIn = ({ messages }: ReadChat) =>
  messages.flatMap(({ kind, file }) => (kind === 'note' && file?.name ? [file.name] : []))

/** Returns the recordings that lines name and the export contains, each at its first line. */
export function recordingsOf({ chat: { read }, files, lengths }: ScannedExport): Recording[] {
  const digests = new Map(files.map(file => [file.name, file.sha256]))
  const found = new Map<string, Recording>()
  for (const { kind, file, at } of read.messages) {
    const digest = kind === 'note' && file?.name && digests.get(file.name)
    if (digest && !found.has(file.name!))
      found.set(file.name!, {
        file: file.name!,
        at,
        sha256: digest,
        seconds: lengths.get(file.name!) ?? null,
      })
  }
  return [...found.values()]
}

export interface Cost {
  minutes: number
  /** The newest recordings that the minutes cover, newest first; identical audio costs once. */
  fitting: Recording[]
  waiting: number
}

/** `left`: minutes left; null: unlimited. */
export function costOf(recordings: Recording[], left: number | null): Cost {
  const heard = new Set<string>()
  const fitting: Recording[] = []
  let [seconds, used] = [0, 0]
  for (const recording of recordings.toSorted((a, b) => b.at - a.at)) {
    const own = heard.has(recording.sha256) ? 0 : (recording.seconds ?? 0)
    heard.add(recording.sha256)
    seconds += own
    if (left !== null && used + own > left * 60) continue
    used += own
    fitting.push(recording)
  }
  return { minutes: seconds / 60, fitting, waiting: recordings.length - fitting.length }
}

/** Counts missing files: those that the messenger left out, and those that lines name but the export lacks. */
export function countMissing({ chat: { read, files } }: ScannedExport) {
  const missing = new Set<string>()
  let omitted = 0
  for (const { file } of read.messages) {
    if (file?.omitted) omitted += 1
    else if (file?.name && !files.has(file.name)) missing.add(file.name)
  }
  return omitted + missing.size
}
