import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import { Button } from '../ui/action/button.tsx'
import { useListener } from '../ui/action/use-listener.ts'
import { classes } from '../ui/classes.ts'
import type { FileAt } from './chat-exports.ts'
import { isCalledMedia } from './uploads.ts'

interface DropZoneProps {
  onDrop(dropped: DataTransfer): void
  children: ReactNode
}

/** Takes files dropped anywhere on the page; outside a zone, the browser would open them instead of the page. */
export function DropZone({ onDrop, children }: DropZoneProps) {
  const [over, setOver] = useState(false)
  useListener(document, ['dragover', 'drop'], event => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    setOver(event.type === 'dragover')
    if (event.type === 'drop') onDrop(event.dataTransfer)
  })
  // Only leaving the window counts, not moving from one element to another.
  useListener(document, ['dragleave'], event => event.relatedTarget || setOver(false))
  return (
    <div
      className={classes(
        'flex flex-wrap items-center gap-2 rounded-card border border-dashed p-2 max-[22.5rem]:gap-1 max-[22.5rem]:px-1.5 sm:gap-3 sm:px-4 sm:py-3',
        over ? 'border-accent bg-wash' : 'border-edge/50',
      )}
    >
      {children}
    </div>
  )
}

interface FileButtonProps extends ComponentProps<typeof Button> {
  /** The name of the field, if it differs from the button's. */
  name?: string
  accept?: string
  multiple?: boolean
  children: string
  /** Whether to choose a folder with everything in it. */
  folder?: boolean
  onFiles(files: File[]): void
}

/** Opens the browser's file picker. */
export function FileButton({ name, accept, multiple, folder, onFiles, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={multiple}
        {...(folder && { webkitdirectory: '' })}
        aria-label={name ?? button.children}
        className="sr-only"
        tabIndex={-1}
        onChange={event => {
          onFiles([...(event.target.files ?? [])])
          // Otherwise, choosing the same file again would not be a change.
          event.target.value = ''
        }}
      />
      <Button variant="secondary" {...button} onClick={() => input.current?.click()} />
    </>
  )
}

/** Returns the dropped files. A folder becomes its audio and video files or, without any, a file that is neither. */
export async function droppedFiles(dropped: DataTransfer): Promise<File[]> {
  const found = await Promise.all(entriesOf(dropped))
  return found.flatMap(({ file, within }) => {
    if (!within) return file
    const media = within.map(each => each.file).filter(isCalledMedia)
    return media.length ? media : new File([], file.name, { type: 'inode/directory' })
  })
}

/** Returns all dropped files, including everything in folders. */
export async function allDropped(dropped: DataTransfer): Promise<FileAt[]> {
  const found = await Promise.all(entriesOf(dropped))
  return found.flatMap(({ file, within }) => within ?? { path: file.name, file })
}

/** Returns each dropped file; `within`: the content, if it is a folder. */
const entriesOf = ({ files, items }: DataTransfer) =>
  // The items are read before any await, because they are gone after the event.
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
  // Folders are read in batches; an empty batch ends them.
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
