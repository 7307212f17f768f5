import type {
  api,
  CheckedQueryOf,
  Pagination,
  Statistics,
  Transcription,
  TranscriptionStats,
} from '@voxscribe/contracts/http'
import { noticeOf, sentenceOf } from '@voxscribe/contracts/reasons'
import { searched } from '@voxscribe/contracts/search-words'
import { audioLength } from '@voxscribe/contracts/wording'
import type { Model, QueryFilter } from 'mongoose'
import type { NoteRecord } from '../note/record.ts'
import { languageOf, listOf, type Sums, type Tallies } from './tally.ts'

type Asked = CheckedQueryOf<typeof api.transcriptions>

/** Fields of a note that a list shows. */
const SHOWN = {
  fileName: 1,
  title: 1,
  source: 1,
  engine: 1,
  original: 1,
  version: 1,
  createdAt: 1,
  bytes: 1,
  durationSeconds: 1,
  spokenLanguage: 1,
  language: 1,
  status: 1,
  text: 1,
  wordCount: 1,
  confidence: 1,
  notices: 1,
  notice: 1,
  error: 1,
  objectKey: 1,
  deletedAt: 1,
}

const statisticsOf = (sums: Sums): Statistics => ({
  total: countIn(sums, {}),
  completed: countIn(sums, { status: 'completed' }),
  processing: countIn(sums, { status: 'processing' }),
  failed: countIn(sums, { status: 'failed' }),
})

/** How many notes have that status, source and language, as far as they are given. */
function countIn({ counts }: Sums, { status, source, language }: Partial<Asked>): number {
  const wanted = [status === 'all' ? undefined : status, source, language]
  let total = 0
  for (const [name, count] of Object.entries(counts)) {
    const place = name.split(' ')
    if (wanted.every((value, at) => value === undefined || value === place[at])) total += count
  }
  return total
}

function languagesIn({ counts }: Sums): string[] {
  const places = Object.entries(counts).filter(([, count]) => count > 0)
  return [...new Set(places.map(([name]) => name.split(' ')[2] ?? ''))].sort()
}

/** Found notes are counted up to here: to count all would be to read a key of each. */
const COUNTED_MAX = 1_000

const exactly = ({ page, limit }: Pick<Asked, 'page' | 'limit'>, total: number): Pagination => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
})

/** Whoever goes on from page to page comes to the end, also where it is not known yet. */
function paginationOf({ page, limit }: Asked, shown: number, count: number): Pagination {
  if (count <= COUNTED_MAX) return exactly({ page, limit }, count)
  const total = Math.max(COUNTED_MAX, shown && (page - 1) * limit + shown)
  const next = shown === limit ? page + 1 : 0
  return { page, limit, total, totalPages: Math.max(Math.ceil(total / limit), next), totalIsMinimum: true }
}

/** The notes that are asked for; `beginnings` are of words, each of which must occur. */
function filterOf(userId: string, { status, source, language, from, to }: Asked, beginnings: string[]) {
  const list = listOf({ status: status === 'all' ? undefined : status, source, language })
  return {
    userId,
    ...(list && { lists: list }),
    ...((from || to) && { createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
    // Letters and digits only: nothing in them is a pattern.
    ...(beginnings.length && { $and: beginnings.map(beginning => ({ words: new RegExp(`^${beginning}`) })) }),
  } as QueryFilter<NoteRecord>
}

/** A person's notes as they see them. */
export function createHistory(notes: Model<NoteRecord>, tallies: Tallies) {
  /** `total`: how many there are, where that is known. A page of the far half is then read from the end. */
  async function pageOf(filter: QueryFilter<NoteRecord>, { page, limit }: Asked, total?: number) {
    const before = (page - 1) * limit
    const query = notes.find(filter, SHOWN).lean<NoteRecord[]>()
    if (total === undefined || before < total / 2)
      return query.sort({ createdAt: -1, _id: 1 }).skip(before).limit(limit)
    const shown = Math.min(limit, total - before)
    if (shown <= 0) return []
    const behind = total - before - shown
    return (await query.sort({ createdAt: 1, _id: -1 }).skip(behind).limit(shown)).reverse()
  }

  /** How many there are; a page that is not full is the last one, and says it itself. */
  function countOf(filter: QueryFilter<NoteRecord>, { page, limit }: Asked, shown: number) {
    if (shown < limit && (shown > 0 || page === 1)) return (page - 1) * limit + shown
    return notes.countDocuments(filter, { limit: COUNTED_MAX + 1 })
  }

  return {
    /** A page of notes, newest first; the statistics are of the whole account, whatever is asked for. */
    async page(userId: string, asked: Asked) {
      const { search, from, to } = asked
      await tallies.settle(userId)
      const beginnings = search ? searched(search) : []
      const isOfSigns = Boolean(search) && !beginnings.length
      const filter = filterOf(userId, asked, beginnings)
      const sums = await tallies.sums(userId)
      const total = search || from || to ? undefined : countIn(sums, asked)
      const found = isOfSigns ? [] : await pageOf(filter, asked, total)
      return {
        // One that was deleted at this moment is still its person's until it is settled.
        transcriptions: found.filter(note => !note.deletedAt).map(shown),
        statistics: statisticsOf(sums),
        pagination:
          total === undefined
            ? paginationOf(asked, found.length, isOfSigns ? 0 : await countOf(filter, asked, found.length))
            : exactly(asked, total),
      }
    },

    async stats(userId: string): Promise<TranscriptionStats> {
      await tallies.settle(userId)
      const sums = await tallies.sums(userId)
      const totalSeconds = Math.round(sums.microseconds / 10_000) / 100
      return {
        ...statisticsOf(sums),
        totalFileSize: sums.bytes,
        totalSeconds,
        languages: languagesIn(sums),
      }
    },
  }
}

/** A note as the API shows it, field by field. */
export function shown(note: NoteRecord): Transcription {
  const createdAt = note.createdAt.toISOString()
  return {
    id: note._id,
    fileName: note.fileName,
    title: note.title ?? note.fileName,
    source: note.source.channel,
    engine: typeof note.engine === 'string' ? { name: note.engine, model: null, instead: [] } : note.engine,
    edited: Boolean(note.original),
    version: note.version ?? 1,
    date: createdAt.slice(0, 10),
    time: createdAt.slice(11, 16),
    createdAt,
    fileSize: note.bytes,
    audioLength: note.durationSeconds === null ? '' : audioLength(note.durationSeconds),
    durationSeconds: note.durationSeconds,
    language: languageOf(note),
    status: note.status,
    text: note.text,
    wordCount: note.wordCount,
    confidenceScore: note.confidence,
    notice: note.notices ? noticeOf(note.notices) : (note.notice ?? null),
    noticeCodes: (note.notices ?? []).map(({ code }) => code),
    error: note.error && sentenceOf(note.error),
    errorCode: note.error?.code ?? null,
    audioAvailable: note.objectKey !== null,
  }
}
