import { fireEvent } from '@testing-library/react'

/** A dropped file, or a dropped folder with its content. */
type Dropped = File | { folder: string; within: Dropped[] }

const entryOf = (dropped: Dropped, above = ''): object =>
  dropped instanceof File
    ? {
        isDirectory: false,
        fullPath: `${above}/${dropped.name}`,
        file: (done: (file: File) => void) => done(dropped),
      }
    : { isDirectory: true, createReader: () => readerOf(dropped.within, `${above}/${dropped.folder}`) }

/** Imitates browsers, which return a folder's entries in batches; an empty batch ends them. */
function readerOf(within: Dropped[], above: string) {
  const batches = [...within.map(one => [entryOf(one, above)]), []]
  return { readEntries: (done: (batch: object[]) => void) => done(batches.shift() ?? []) }
}

/** Drops files and folders anywhere on the page. */
export const drop = (...all: Dropped[]) =>
  fireEvent.drop(document.body, {
    dataTransfer: {
      types: ['Files'],
      files: all.map(one => (one instanceof File ? one : new File(['4096 bytes'], one.folder))),
      items: [
        { kind: 'string' },
        ...all.map(one => ({ kind: 'file', webkitGetAsEntry: () => entryOf(one) })),
      ],
    },
  })
