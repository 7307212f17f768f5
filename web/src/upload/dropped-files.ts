import { isCalledMedia } from './uploads.ts'

/** Returns the files of a drop; in place of a folder the audio and video in it, else a file that is neither. */
export async function droppedFiles({ files, items }: DataTransfer): Promise<File[]> {
  // Read before anything is waited for: after the event they are gone.
  const entries = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item, index) => [files[index], item.webkitGetAsEntry()] as const)
  const found = entries.map(async ([file, entry]) => {
    if (!file || !entry?.isDirectory) return file ?? []
    const within = (await filesIn(entry as FileSystemDirectoryEntry).catch(() => [])).filter(isCalledMedia)
    return within.length ? within : new File([], file.name, { type: 'inode/directory' })
  })
  return (await Promise.all(found)).flat()
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader()
  const files: File[] = []
  // A batch at a time; an empty one is the end.
  for (let batch = await read(reader); batch.length; batch = await read(reader))
    for (const entry of batch)
      files.push(
        ...(entry.isDirectory
          ? await filesIn(entry as FileSystemDirectoryEntry)
          : [await new Promise<File>((...done) => (entry as FileSystemFileEntry).file(...done))]),
      )
  return files
}

const read = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((...done) => reader.readEntries(...done))
