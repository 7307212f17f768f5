import { CHAT_FILES_MAX } from '@voxscribe/contracts/limits'
import { BlobReader, configure, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js'
import { ApiError } from '../../api/errors.ts'
import { i18n } from '../../language/i18n.ts'
import { figure, megabytes } from '../../ui/figures.ts'
import type { FileAt } from '../../upload/chat-exports.ts'

// This module loads when the first export is chosen.

// The page's policy forbids workers made from text, which the library uses.
configure({ useWebWorkers: false })

const BYTES_MAX = 4 * 1024 ** 3
const PIECE_BYTES = 1024 * 1024

/** A file of an export, read in pieces. */
export interface ExportFile {
  /** Includes the folders that lead to it. */
  name: string
  bytes: number
  /** Passes on the content piece by piece. Rejects with an `ApiError` if the file is damaged. */
  read(onPiece: (piece: Uint8Array<ArrayBuffer>) => void, signal: AbortSignal): Promise<void>
}

export const unreadable = (sentence: string) => new ApiError(sentence, 415)

const damaged = () =>
  unreadable(i18n.t('This file is damaged, or its download broke off. Please export the chat again.'))
const tooLarge = () =>
  unreadable(
    i18n.t('This is more than can be read here: {size} and {count} files at most.', {
      size: megabytes(BYTES_MAX),
      count: figure(CHAT_FILES_MAX),
    }),
  )

/** Whether the operating system added this file to the ZIP or folder. */
const isSystemFile = (name: string) =>
  /(^|\/)(__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i.test(name)

/** Opens a ZIP, or takes files as they are. Rejects with an `ApiError` that gives the reason. */
export async function openExport(chosen: FileAt[], signal: AbortSignal): Promise<ExportFile[]> {
  const [first] = chosen
  const isZip = chosen.length === 1 && first && (await beginsAsZip(first.file))
  if (isZip) return filesInZip(first.file, signal)
  if (chosen.length === 1 && /\.zip$/i.test(first?.path ?? '')) throw damaged()
  const files = chosen.filter(({ path }) => !isSystemFile(path)).map(plainFile)
  if (files.length > CHAT_FILES_MAX || bytesOf(files) > BYTES_MAX) throw tooLarge()
  return files
}

export const bytesOf = (files: ExportFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)

async function beginsAsZip(file: Blob): Promise<boolean> {
  const [p, k] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  return p === 0x50 && k === 0x4b
}

const plainFile = ({ path, file }: FileAt): ExportFile => ({
  name: path,
  bytes: file.size,
  async read(onPiece, signal) {
    for (let at = 0; at < file.size; at += PIECE_BYTES) {
      signal.throwIfAborted()
      onPiece(new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer()))
    }
  },
})

async function filesInZip(zip: Blob, signal: AbortSignal): Promise<ExportFile[]> {
  const found = new Map<string, ExportFile>()
  let bytes = 0
  const reader = new ZipReader(new BlobReader(zip), { filenameValidation: 'tolerant' })
  const entries = reader.getEntriesGenerator()
  for (;;) {
    const { value: entry, done } = await entries.next().catch(() => {
      throw damaged()
    })
    if (done) return [...found.values()]
    signal.throwIfAborted()
    if (entry.directory) continue
    const name = entry.filename.replaceAll('\\', '/')
    if (isSystemFile(name)) continue
    if (/^\/|^[a-z]:|(^|\/)\.\.(\/|$)/i.test(name))
      throw unreadable(
        i18n.t(
          'A file in it has a name that leads elsewhere ({name}). No messenger writes such names, so nothing was read.',
          { name },
        ),
      )
    if (entry.encrypted)
      throw unreadable(i18n.t('This ZIP is locked with a password. Please unpack it, and choose its folder.'))
    bytes += entry.uncompressedSize
    if (found.size === CHAT_FILES_MAX || bytes > BYTES_MAX) throw tooLarge()
    // The first of several files with the same name counts, as on the server.
    if (!found.has(name)) found.set(name, zippedFile(name, entry))
  }
}

function zippedFile(name: string, entry: FileEntry): ExportFile {
  const bytes = entry.uncompressedSize
  return {
    name,
    bytes,
    async read(onPiece, signal) {
      let read = 0
      const pieces = new WritableStream<Uint8Array<ArrayBuffer>>({
        write(piece) {
          read += piece.length
          if (read > bytes) throw damaged()
          onPiece(piece)
        },
      })
      await entry.getData(pieces, { signal, checkSignature: true }).catch(() => {
        signal.throwIfAborted()
        throw damaged()
      })
    },
  }
}
