import { isLanguage } from '@voxscribe/contracts/languages'
import { wordsOf } from '@voxscribe/contracts/search-words'
import { type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import type { Model } from 'mongoose'
import { z } from 'zod'
import type { Counted, NoteRecord, Place } from '../note/record.ts'

// The numbers of a person's notes, kept so that no call reads all notes, and exact whatever crashes or runs twice:
//
// - Each note says what it was last counted as (`counted`); a person's tally is the sum of that over their notes.
// - A step that changes what lists show marks its note as not settled, in the same write. Who asks for a list settles
//   the person's marked notes first; a job settles those that no one asks for. So no step waits for a count.
// - To settle, one write moves notes in the tally and writes down in it what is being moved. It has to find the tally
//   as it was before the notes were read. Only then the notes are told. Whoever finds an unfinished move finishes it.
// - Each move has the note's number of counts: one that comes late, or twice, finds another number and changes nothing.

/** Notes that are settled in one step. */
const BATCH = 100

interface Move {
  note: string
  counted: Counted
}

const Tally = z.object({
  _id: z.string(),
  /** Changes with each write. */
  rev: z.number(),
  /** Notes by `status source language`. */
  counts: z.custom<Record<string, number>>(),
  bytes: z.number(),
  microseconds: z.number(),
  /** Changes that the notes have yet to be told. */
  moving: z.custom<Move[]>(),
})
type Tally = z.infer<typeof Tally>

export type Sums = Omit<Tally, '_id' | 'rev' | 'moving'>

const tallySchema = () => schemaOf(Tally)
const NOTHING = { rev: 0, counts: {}, bytes: 0, microseconds: 0, moving: [] }

/** The language that a note is shown in: what was heard, else what is expected. */
export const languageOf = ({ spokenLanguage, language }: Pick<NoteRecord, 'spokenLanguage' | 'language'>) =>
  spokenLanguage && spokenLanguage !== 'auto' ? spokenLanguage : language

/** Only languages of the product: the name of a counter has no other characters. */
function listedLanguage(note: NoteRecord): string {
  const language = languageOf(note)
  return isLanguage(language) ? language : 'auto'
}

const ANY = '*'

/** Names the list of notes with these properties; null when any will do. */
export function listOf({ status = ANY, source = ANY, language = ANY }: Filters): string | null {
  const name = `${status} ${source} ${language}`
  return name === `${ANY} ${ANY} ${ANY}` ? null : name
}
type Filters = { [name in 'status' | 'source' | 'language']?: string | undefined }

/** The lists that a note stands in: one for each combination of filters, so that one index serves all of them. */
export function listsOf({ status, source, language }: Required<Filters>): string[] {
  const names = [status, ANY].flatMap(status =>
    [source, ANY].flatMap(source => [language, ANY].map(language => listOf({ status, source, language }))),
  )
  return names.filter(name => name !== null)
}

function placeOf(note: NoteRecord): Place | null {
  if (note.deletedAt) return null
  return {
    status: note.status,
    source: note.source.channel,
    language: listedLanguage(note),
    bytes: note.bytes,
    microseconds: Math.round((note.durationSeconds ?? 0) * 1_000_000),
  }
}

const isSame = (one: Place | null, other: Place | null) => JSON.stringify(one) === JSON.stringify(other)

/** Fields for lists, in the write that settles a note. */
function derived(note: NoteRecord) {
  const place = placeOf(note)
  return place
    ? {
        $set: {
          settled: true,
          words: wordsOf([note.text ?? '', note.title ?? '', note.fileName]),
          lists: listsOf(place),
        },
      }
    : { $set: { settled: true }, $unset: { userId: 1, words: 1, lists: 1 } }
}

export function createTallies(documents: Pick<Documents, 'model'>, notes: Model<NoteRecord>) {
  const tallies = documents.model<Tally>('tallies', tallySchema())

  async function tallyOf(userId: string): Promise<Tally> {
    const tally = await tallies.findById(userId).lean()
    if (tally) return tally as Tally
    await insertOnce(tallies, { _id: userId, ...NOTHING })
    return tallyOf(userId)
  }

  /** Tells the notes what they were counted as. Any number of processes may do this for one move. */
  async function finish({ _id: userId, rev, moving }: Tally): Promise<void> {
    await Promise.all(
      moving.map(({ note, counted }) =>
        // Past mongoose's middleware: no event waits here.
        notes.collection.updateOne(
          { _id: note as never, 'counted.times': counted.times > 1 ? counted.times - 1 : null },
          // A note that was deleted meanwhile, and never counted, is not its person's any more; now it is to be counted out.
          { $set: { counted, userId, settled: null } },
        ),
      ),
    )
    await tallies.updateOne({ _id: userId, rev }, { $set: { moving: [] }, $inc: { rev: 1 } })
  }

  /** Moves in the tally what has changed. Null when the tally was changed meanwhile: it all has to be read again. */
  async function move(tally: Tally, unsettled: NoteRecord[]): Promise<Map<string, Counted> | null> {
    const { _id, rev } = tally
    const known = new Map<string, Counted>()
    const moving: Move[] = []
    const sums: Record<string, number> = {}
    const add = (place: Place | null, by: 1 | -1) => {
      if (!place) return
      const { status, source, language, bytes, microseconds } = place
      const changes = {
        [`counts.${status} ${source} ${language}`]: 1,
        bytes,
        microseconds,
      }
      for (const [name, change] of Object.entries(changes)) sums[name] = (sums[name] ?? 0) + by * change
    }
    for (const note of unsettled) {
      const before = note.counted ?? { times: 0, as: null }
      const as = placeOf(note)
      known.set(note._id, before)
      if (isSame(as, before.as)) continue
      const counted = { times: before.times + 1, as }
      known.set(note._id, counted)
      moving.push({ note: note._id, counted })
      add(before.as, -1)
      add(as, 1)
    }
    if (!moving.length) return known
    const { matchedCount } = await tallies.updateOne(
      { _id, rev },
      { $set: { moving }, $inc: { rev: 1, ...sums } },
    )
    if (!matchedCount) return null
    await finish({ ...tally, rev: rev + 1, moving })
    return known
  }

  /** Brings lists and numbers of a person up to everything that was written before. */
  async function settle(userId: string): Promise<void> {
    const unsettled = { settled: null, userId }
    while (await notes.exists(unsettled)) {
      const tally = await tallyOf(userId)
      if (tally.moving.length) {
        await finish(tally)
        continue
      }
      const found = (await notes.find(unsettled, NEEDED).limit(BATCH).lean()) as NoteRecord[]
      const counted = await move(tally, found)
      if (!counted) continue
      await Promise.all(
        found.map(note => {
          const times = counted.get(note._id)?.times || null
          const where = { _id: note._id as never, changes: note.changes ?? null, 'counted.times': times }
          return notes.collection.updateOne(where, derived(note))
        }),
      )
    }
  }

  return {
    settle,

    /** The numbers of everything that was settled. */
    async sums(userId: string): Promise<Sums> {
      return (await tallies.findById(userId).lean()) ?? NOTHING
    },

    /** Settles what no one has asked for, among it the notes of an older version: they have never been counted. */
    async settleAll(): Promise<void> {
      for (;;) {
        const found = await notes.find({ settled: null }, { userId: 1, changes: 1 }).limit(BATCH).lean()
        if (!found.length) return
        for (const userId of new Set(found.map(note => note.userId))) if (userId) await settle(userId)
        // Left of a deletion: of no person, so in no list.
        for (const { _id, userId, changes } of found) {
          if (!userId) {
            const where = { _id: _id as never, userId: null, changes: changes ?? null }
            await notes.collection.updateOne(where as never, { $set: { settled: true } })
          }
        }
      }
    },
  }
}
export type Tallies = ReturnType<typeof createTallies>

const NEEDED = {
  userId: 1,
  source: 1,
  fileName: 1,
  title: 1,
  bytes: 1,
  language: 1,
  spokenLanguage: 1,
  durationSeconds: 1,
  status: 1,
  text: 1,
  deletedAt: 1,
  changes: 1,
  counted: 1,
}
