import type { FileAt } from './chat-exports.ts'
import { isCalledMedia } from './uploads.ts'

/** Returns the files of a drop; in place of a folder the audio and video in it, else a file that is neither. */
export async function droppedFiles(dropped: DataTransfer): Promise<File[]> {
  const found = await Promise.all(entriesOf(dropped))
  return found.flatMap(({ file, within }) => {
    if (!within) return file
    const media = within.map(each => each.file).filter(isCalledMedia)
    return media.length ? media : new File([], file.name, { type: 'inode/directory' })
  })
}

/** Returns every file of a drop, with what is in its folders. */
export async function allDropped(dropped: DataTransfer): Promise<FileAt[]> {
  const found = await Promise.all(entriesOf(dropped))
  return found.flatMap(({ file, within }) => within ?? { path: file.name, file })
}

/** Each file of a drop; `within`: what is in it when it is a folder. */
const entriesOf = ({ files, items }: DataTransfer) =>
  // Read before anything is waited for: after the event they are gone.
  [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item, index) => [files[index], item.webkitGetAsEntry()] as const)
    .flatMap(([file, entry]) => (file ? { file, entry } : []))
    .map(async ({ file, entry }) => ({
      file,
      within: entry?.isDirectory ? await filesIn(entry as FileSystemDirectoryEntry).catch(() => []) : null,
    }))

async function filesIn(folder: FileSystemDirectoryEntry): Promise<FileAt[]> {
  const reader = folder.createReader()
  const files: FileAt[] = []
  // A batch at a time; an empty one is the end.
  for (let batch = await read(reader); batch.length; batch = await read(reader))
    for (const entry of batch)
      files.push(
        ...(entry.isDirectory ? await filesIn(entry as FileSystemDirectoryEntry) : [await at(entry)]),
      )
  return files
}

async function at(entry: FileSystemEntry): Promise<FileAt> {
  const file = await new Promise<File>((...done) => (entry as FileSystemFileEntry).file(...done))
  return { path: entry.fullPath.slice(1), file }
}

const read = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((...done) => reader.readEntries(...done))
