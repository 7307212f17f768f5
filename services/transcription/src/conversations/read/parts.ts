import type { ReadChat, ReadMessage } from '@voxscribe/contracts/chat'
import type { ConversationBody } from '@voxscribe/contracts/http'
import type { z } from 'zod'

/** A file of the export, as the caller lists it. */
export type ListedFile = z.output<typeof ConversationBody>['files'][number]

/** A recording that a line names. */
export interface ListedNote extends Omit<ListedFile, 'name'> {
  file: string
  n: number
  at: number
  /** Index among the people. */
  person: number | null
}

/** A piece of a chat, stored in one document. `from`: place of its first item, from 1. */
export type Part =
  | { kind: 'text'; from: number; items: string[] }
  | { kind: 'files'; from: number; items: ListedFile[] }
  | { kind: 'notes'; from: number; items: ListedNote[] }
  | { kind: 'missing'; from: number; items: string[] }
  | { kind: 'messages'; from: number; items: ReadMessage[] }
export type PartKind = Part['kind']

const MESSAGES_AT_ONCE = 200
const NAMES_AT_ONCE = 2_000
/** UTF-16 units: with one more message of maximum length, they still fit into a document. */
const UNITS_AT_ONCE = 250_000
const TEXT_UNITS = 1_000_000

function* cut<T>(
  items: T[],
  most: number,
  unitsOf: (item: T) => number,
): Generator<{ from: number; items: T[] }> {
  let units = 0
  let first = 0
  for (const [index, item] of items.entries()) {
    if (index - first === most || (index > first && units + unitsOf(item) > UNITS_AT_ONCE)) {
      yield { from: first + 1, items: items.slice(first, index) }
      first = index
      units = 0
    }
    units += unitsOf(item)
  }
  if (items.length > first) yield { from: first + 1, items: items.slice(first) }
}

function* textIn(text: string): Generator<Part> {
  for (let from = 0; from < text.length; ) {
    let end = Math.min(from + TEXT_UNITS, text.length)
    // Surrogate pairs stay together.
    if (end < text.length && /[\uDC00-\uDFFF]/.test(text[end]!)) end -= 1
    yield { kind: 'text', from: from + 1, items: [text.slice(from, end)] }
    from = end
  }
}

/** Returns the recordings that lines name, each at its first line, and the named files that the export lacks. */
function filesIn({ messages }: ReadChat, listed: ListedFile[]) {
  const known = new Map(listed.map(file => [file.name, file]))
  const notes = new Map<string, ListedNote>()
  const missing = new Set<string>()
  for (const [index, { at, person, kind, file }] of messages.entries()) {
    const { name } = file ?? {}
    if (!name) continue
    const found = known.get(name)
    if (!found) missing.add(name)
    else if (kind === 'note' && !notes.has(name))
      notes.set(name, { file: name, bytes: found.bytes, sha256: found.sha256, n: index + 1, at, person })
  }
  return { notes: [...notes.values()], missing: [...missing] }
}

/** Cuts a chat into pieces to store. */
export function partsOf(text: string, chat: ReadChat, listed: ListedFile[]) {
  const { notes, missing } = filesIn(chat, listed)
  function* parts(): Generator<Part> {
    yield* textIn(text)
    for (const part of cut(listed, NAMES_AT_ONCE, ({ name }) => name.length + 100))
      yield { kind: 'files', ...part }
    for (const part of cut(notes, NAMES_AT_ONCE, ({ file }) => file.length + 200))
      yield { kind: 'notes', ...part }
    for (const part of cut(missing, NAMES_AT_ONCE, name => name.length)) yield { kind: 'missing', ...part }
    for (const part of cut(chat.messages, MESSAGES_AT_ONCE, ({ text: said }) => said.length))
      yield { kind: 'messages', ...part }
  }
  return { notes: notes.length, parts: parts() }
}
