import type { Statistics, Transcription, TranscriptionStats } from '@voxscribe/contracts/http'
import { audioLength } from '@voxscribe/contracts/wording'
import type { Model } from 'mongoose'
import type { NoteRecord } from './record.ts'

interface Asked {
  page: number
  limit: number
  status?: 'all' | NoteRecord['status'] | undefined
  search?: string | undefined
}

interface Sums extends Statistics {
  /** Bytes. */
  bytes: number
  seconds: number
}

/** What a person sees of their notes. */
export function createHistory(notes: Model<NoteRecord>) {
  async function sumsOf(userId: string): Promise<Sums> {
    const groups: { _id: NoteRecord['status']; count: number; bytes: number; seconds: number }[] =
      await notes.aggregate([
        { $match: { userId, deletedAt: null } },
        {
          $group: {
            _id: '$status',
            count: { $sum: 1 },
            bytes: { $sum: '$bytes' },
            seconds: { $sum: '$durationSeconds' },
          },
        },
      ])
    const sum = (of: 'count' | 'bytes' | 'seconds') => groups.reduce((total, group) => total + group[of], 0)
    const countOf = (status: NoteRecord['status']) => groups.find(({ _id }) => _id === status)?.count ?? 0
    return {
      total: sum('count'),
      completed: countOf('completed'),
      processing: countOf('processing'),
      failed: countOf('failed'),
      bytes: sum('bytes'),
      seconds: Math.round(sum('seconds') * 100) / 100,
    }
  }

  return {
    /** A page of notes, newest first; the statistics are of the whole account, whatever is asked for. */
    async page(userId: string, { page, limit, status, search }: Asked) {
      const filter = {
        userId,
        deletedAt: null,
        ...(status && status !== 'all' ? { status } : {}),
        ...(search
          ? {
              $or: [
                { fileName: literally(search) },
                { title: literally(search) },
                { text: literally(search) },
              ],
            }
          : {}),
      }
      const [found, total, { bytes, seconds, ...statistics }] = await Promise.all([
        notes
          .find(filter)
          .sort({ createdAt: -1, _id: 1 })
          .skip((page - 1) * limit)
          .limit(limit)
          .lean(),
        notes.countDocuments(filter),
        sumsOf(userId),
      ])
      const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) }
      return { transcriptions: found.map(shown), statistics, pagination }
    },

    async stats(userId: string): Promise<TranscriptionStats> {
      const { bytes, seconds, ...statistics } = await sumsOf(userId)
      return { ...statistics, totalFileSize: bytes, totalSeconds: seconds }
    },
  }
}

/** The text as it was typed, in any case: nothing in it is a pattern. A pattern travels as a text that NUL would end. */
const literally = (text: string) =>
  new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\0', '\\x00'), 'i')

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
    language: note.spokenLanguage && note.spokenLanguage !== 'auto' ? note.spokenLanguage : note.language,
    status: note.status,
    text: note.text,
    wordCount: note.wordCount,
    confidenceScore: note.confidence,
    notice: note.notice,
    error: note.error?.sentence ?? null,
    audioAvailable: note.objectKey !== null,
  }
}
