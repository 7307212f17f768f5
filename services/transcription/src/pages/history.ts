import type {
  api,
  CheckedQueryOf,
  Pagination,
  Statistics,
  Transcription,
  TranscriptionStats,
} from '@voxscribe/contracts/http'
import { searched } from '@voxscribe/contracts/search-words'
import { distinctTags } from '@voxscribe/contracts/tags'
import type { RateLimits } from '@voxscribe/service'
import type { Model, QueryFilter } from 'mongoose'
import { presentNote } from '../note/item.ts'
import { foundByTag } from '../note/listing.ts'
import { type Mine, type NoteRecord, WITHOUT_BULK } from '../note/record.ts'
import { bestCorrection, correctionsIn } from './typos.ts'

interface Scope {
  'conversation.id'?: string | null
}
type Asked = CheckedQueryOf<typeof api.transcriptions>

const LISTED = { ...WITHOUT_BULK, segments: 0, translations: 0, texts: 0 } as const

const byAlphabet = new Intl.Collator('en').compare

/** Product limit: searches of a person without a result, as each then tries thousands of spellings. */
const FRUITLESS = { points: 60, seconds: 60 }

/** Counting stops here; an exact count would scan one key per note. */
const COUNTED_MAX = 1_000

const exactly = ({ page, limit }: Asked, total: number): Pagination => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
})

/** Beyond the count, there is a next page as long as pages are full. */
function paginationOf(asked: Asked, shown: number, count: number): Pagination {
  if (count <= COUNTED_MAX) return exactly(asked, count)
  const { page, limit } = asked
  const total = Math.max(COUNTED_MAX, shown && (page - 1) * limit + shown)
  const next = shown === limit ? page + 1 : 0
  return { page, limit, total, totalPages: Math.max(Math.ceil(total / limit), next), totalIsMinimum: true }
}

/** Returns the filter for a list; a search without letters or digits finds nothing. */
export function filterOf(
  userId: string,
  { status, source, language, from, to, search, tag }: Partial<Asked>,
  alsoFoundBy: unknown[] = [],
): QueryFilter<NoteRecord> {
  // These have only letters and digits, so they need no escaping.
  const spellings = (search ? searched(search) : []).map(beginnings => ({
    $and: beginnings.map(beginning => ({ words: new RegExp(`^${beginning}`) })),
  }))
  const foundBy = [
    ...(spellings.length > 1 ? [{ $or: spellings }] : spellings),
    ...[...(tag ? [foundByTag(tag)] : []), ...alsoFoundBy].map(words => ({ words })),
  ]
  const filter = {
    userId,
    ...(search && !spellings.length && { _id: { $in: [] } }),
    ...(status && status !== 'all' && { status }),
    ...(source && { 'source.channel': source }),
    ...(language && { listedLanguage: language }),
    ...((from || to) && { createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
    ...(foundBy.length && { $and: foundBy }),
  }
  return filter as QueryFilter<NoteRecord>
}

/** Returns the languages of a person's notes, with total bytes and seconds of each; reads an index alone. */
export const languagesOf = (notes: Model<NoteRecord>, userId: string) =>
  notes.aggregate<{ _id: string; bytes: number; seconds: number }>([
    { $match: { userId } },
    {
      $group: { _id: '$listedLanguage', bytes: { $sum: '$bytes' }, seconds: { $sum: '$durationSeconds' } },
    },
  ])

/**
 * Lists and counts a person's notes. A deleted note has no `userId`, so no query finds it. `hasConversations`: whether
 * the person has conversations, whose notes lists leave out.
 */
export function createHistory(
  notes: Model<NoteRecord>,
  rateLimits: RateLimits,
  hasConversations: (userId: string) => Promise<boolean> = async () => false,
) {
  const fruitless = rateLimits('search-fruitless-person', FRUITLESS, true)

  /** Returns the scope of a list: a conversation's notes, or those of none, unless the person has no conversations. */
  async function scopeOf(userId: string, conversation: string | undefined): Promise<Scope> {
    if (conversation === 'all') return {}
    if (conversation) return { 'conversation.id': conversation }
    return (await hasConversations(userId)) ? { 'conversation.id': null } : {}
  }

  async function statisticsOf(userId: string, scope: Scope = {}): Promise<Statistics> {
    const countOf = (status: NoteRecord['status']) => notes.countDocuments({ userId, status, ...scope })
    const [completed = 0, processing = 0, failed = 0] = await Promise.all(
      (['completed', 'processing', 'failed'] as const).map(countOf),
    )
    return { total: completed + processing + failed, completed, processing, failed }
  }

  /** Counts the notes. A page that is not full is the last one and gives the count. */
  function countOf(filter: QueryFilter<NoteRecord>, { page, limit }: Asked, shown: number) {
    if (shown < limit && (shown > 0 || page === 1)) return (page - 1) * limit + shown
    return notes.countDocuments(filter, { limit: COUNTED_MAX + 1 })
  }

  /** Returns the search with one typo corrected, if that finds a note; else null. Throws 429 beyond the limit. */
  async function suggestionFor(userId: string, asked: Asked, left: AbortSignal): Promise<string | null> {
    if (!asked.search) return null
    await fruitless.count(userId)
    for (const { token, candidates, rest } of correctionsIn(asked.search)) {
      if (left.aborted) return null
      const filter = filterOf(userId, { ...asked, search: rest }, [{ $in: candidates }])
      const note = await notes
        .findOne(filter, { words: 1, text: 1, title: 1, fileName: 1 })
        .sort({ createdAt: -1, _id: 1 })
        .lean<NoteRecord | null>()
      if (note) return asked.search.replace(token, () => bestCorrection(note, token, candidates))
    }
    return null
  }

  return {
    /**
     * Returns a page of notes, newest first. The statistics ignore all filters but the conversation. `left`: aborted
     * when the caller has left. `sample`: a note shown below all others and not counted.
     */
    async page(
      userId: string,
      asked: Asked,
      left: AbortSignal,
      sample: () => Promise<Transcription | null> = async () => null,
    ) {
      const { page, limit, status = 'all' } = asked
      const { search, source, language, from, to, tag, conversation } = asked
      const scope = await scopeOf(userId, conversation)
      const isWhole = [search, source, language, from, to, tag].every(one => !one)
      // A search finds notes of conversations, too.
      const filter = { ...filterOf(userId, asked), ...(search && !conversation ? {} : scope) }
      const [found, statistics] = await Promise.all([
        notes
          .find(filter, LISTED)
          .sort({ createdAt: -1, _id: 1 })
          .skip((page - 1) * limit)
          .limit(limit)
          .lean<NoteRecord[]>(),
        statisticsOf(userId, scope),
      ])
      const transcriptions = found.map(presentNote)
      if (isWhole) {
        const total = statistics[status === 'all' ? 'total' : status]
        const pagination = exactly(asked, total)
        const isEnd = page === Math.max(1, pagination.totalPages) && found.length < limit
        const below = isEnd && status === 'all' && !conversation ? await sample() : null
        if (below) transcriptions.push(below)
        return { transcriptions, statistics, pagination, suggestion: null }
      }
      const count = await countOf(filter, asked, found.length)
      const pagination = paginationOf(asked, found.length, count)
      const suggestion = count ? null : await suggestionFor(userId, asked, left)
      return { transcriptions, statistics, pagination, suggestion }
    },

    newest: (mine: Mine, search: string, limit: number) =>
      notes
        .find({ ...filterOf(mine.userId, { search }), ...mine }, LISTED)
        .sort({ createdAt: -1, _id: 1 })
        .limit(limit)
        .lean<NoteRecord[]>(),

    async stats(userId: string): Promise<TranscriptionStats> {
      const [statistics, tagged, languages] = await Promise.all([
        statisticsOf(userId),
        notes.find({ userId, words: /^#/ }, { tags: 1 }).lean(),
        languagesOf(notes, userId),
      ])
      const seconds = languages.reduce((sum, language) => sum + language.seconds, 0)
      return {
        ...statistics,
        totalFileSize: languages.reduce((sum, { bytes }) => sum + bytes, 0),
        totalSeconds: Math.round(seconds * 100) / 100,
        languages: languages.map(({ _id }) => _id).sort(),
        tags: distinctTags(tagged.flatMap(({ tags }) => tags ?? [])).sort(byAlphabet),
      }
    },
  }
}
