import type { api, CheckedQueryOf, ConversationMessage } from '@voxscribe/contracts/http'
import { folded, oneSpelling, searched, wordsOf } from '@voxscribe/contracts/search-words'
import type { Model } from 'mongoose'
import type { NoteRecord } from '../note/record.ts'
import { timeOf } from './present.ts'
import { type ConversationRecord, rootsOf, type Store, type StoredMessage } from './store.ts'

type Asked = CheckedQueryOf<typeof api.conversationMessages>
type Placed = StoredMessage & { n: number }

export const PLACED = { conversation: 1, createdAt: 1 } as const
const SHOWN = { ...PLACED, status: 1, durationSeconds: 1, text: 1 } as const
/** The words and their times, which files of chats do not show, are most of a note. */
const EXPORTED = { ...SHOWN, original: 1, sha256: 1, objectKey: 1 } as const
export type ExportedNote = Pick<NoteRecord, keyof typeof EXPORTED>

/** Removes the signs between letters, which a search ignores. */
const lettersOf = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}]+/gu, '')

/** Returns a test for all words of a search, by the rules of the search for notes; undefined for signs only. */
function searchFor(search: string): ((text: string) => boolean) | undefined {
  const spellings = searched(search)
  if (!spellings.length) return undefined
  return text => {
    // Splitting into words is slow, and most texts lack the letters.
    const letters = lettersOf(folded(text))
    const other = oneSpelling(letters)
    const isLikely = spellings.some(words =>
      words.every(word => letters.includes(word) || other.includes(oneSpelling(word)) || /[aou]e/.test(word)),
    )
    if (!isLikely) return false
    const words = wordsOf([text])
    return spellings.some(wanted => wanted.every(part => words.some(word => word.startsWith(part))))
  }
}

export function createMessages(store: Store, notes: Model<NoteRecord>) {
  /** Returns fields of the notes made from a conversation's files, by file; of several, the newest. */
  async function notesOf<F extends typeof PLACED>(id: string, fields: F, more: object = {}) {
    const filter = { 'conversation.id': id, deletedAt: null, ...more }
    const found = await notes
      .find(filter as never, fields)
      .lean<Pick<NoteRecord, (keyof F & keyof NoteRecord) | '_id'>[]>()
    // The database would sort whole notes.
    const inOrder = found.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    return new Map(inOrder.map(note => [note.conversation!.file, note]))
  }

  /** Returns the files whose notes have the words of a search. */
  async function filesWith(id: string, search: string): Promise<Set<string>> {
    const words = searched(search).map(all => ({
      $and: all.map(word => ({ words: new RegExp(`^${word}`) })),
    }))
    return new Set((await notesOf(id, PLACED, { $or: words })).keys())
  }

  async function filterOf(
    { _id, people, timeZone }: ConversationRecord,
    { search, person, kind, day }: Asked,
  ) {
    const rootOf = rootsOf(people)
    const dayIn = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' })
    const has = search ? searchFor(search) : undefined
    if (search && !has) return () => false
    const said = search ? await filesWith(_id, search) : undefined
    return (message: Placed) =>
      (!kind || message.kind === kind) &&
      (!day || dayIn.format(message.at) >= day) &&
      (!person || (message.person !== null && rootOf(message.person) === person)) &&
      (!has || has(message.text) || (message.kind === 'note' && said!.has(message.file?.name ?? '')))
  }

  /** Yields messages from a place on, piece by piece, so that other calls are not blocked. */
  async function* from(conversation: ConversationRecord, n: number): AsyncGenerator<Placed> {
    for await (const { from: first, items } of store.items(conversation, 'messages', n))
      for (const [index, message] of items.entries())
        if (first + index >= n) yield { ...message, n: first + index }
  }

  async function presented(
    conversation: ConversationRecord,
    found: Placed[],
  ): Promise<ConversationMessage[]> {
    const rootOf = rootsOf(conversation.people)
    const files = found.flatMap(({ kind, file }) => (kind === 'note' && file?.name ? [file.name] : []))
    const ofFiles = { 'conversation.file': { $in: files } }
    const made = files.length ? await notesOf(conversation._id, SHOWN, ofFiles) : undefined
    return found.map(({ n, at, person, kind, text, edited, file }) => {
      const note = kind === 'note' ? made?.get(file?.name ?? '') : undefined
      return {
        n,
        at: timeOf(at),
        personId: person && rootOf(person),
        kind,
        text,
        edited,
        file,
        note: note
          ? { id: note._id, status: note.status, durationSeconds: note.durationSeconds, text: note.text }
          : null,
      }
    })
  }

  return {
    from,
    notesOf,

    /** Returns the fields of notes that files show, by file. All at once: a chat may have thousands of notes. */
    exportedNotesOf: (id: string): Promise<Map<string, ExportedNote>> => notesOf(id, EXPORTED),

    /** Returns the messages after a place that fit. `next`: where to go on; null at the end, or if the caller left. */
    async page(conversation: ConversationRecord, asked: Asked, left?: AbortSignal) {
      const fits = await filterOf(conversation, asked)
      const found: Placed[] = []
      let next: number | null = null
      for await (const message of from(conversation, asked.after + 1)) {
        if (left?.aborted) break
        if (!fits(message)) continue
        if (found.length === asked.limit) {
          next = found.at(-1)!.n
          break
        }
        found.push(message)
      }
      return { messages: await presented(conversation, found), next }
    },
  }
}
