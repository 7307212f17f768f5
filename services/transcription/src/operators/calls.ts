import { type AdminCall, checked } from '@voxscribe/service'
import { z } from 'zod'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'

const Whose = z.object({ userId: z.string().min(1) })
const DAYS = 7
const DAY_MS = 86_400_000
const LAST = 10
const SHOWN = { status: 1, createdAt: 1, source: 1, bytes: 1, durationSeconds: 1, error: 1 } as const

/** An account's notes: how many a day (UTC), and the state of the last ones. Never their text or title. */
export const createOperatorCalls = (
  { model }: Pick<Notes, 'model'>,
  now: () => Date,
): Record<string, AdminCall> => ({
  usage: async body => {
    const { userId } = checked(Whose, body)
    const theirs = { userId, deletedAt: null }
    const dayOf = (at: Date) => at.toISOString().slice(0, 10)
    const days = Array.from({ length: DAYS }, (_, ago) => dayOf(new Date(now().getTime() - ago * DAY_MS)))
    const since = new Date(`${days.at(-1)}T00:00:00Z`)
    const [counted, last] = await Promise.all([
      model.find({ ...theirs, createdAt: { $gte: since } }, { createdAt: 1 }).lean(),
      model.find(theirs, SHOWN).sort({ createdAt: -1 }).limit(LAST).lean<NoteRecord[]>(),
    ])
    const perDay = Map.groupBy(counted, ({ createdAt }) => dayOf(createdAt))
    return {
      userId,
      days: days.map(day => ({ day, notes: perDay.get(day)?.length ?? 0 })),
      last: last.map(({ _id: id, status, createdAt, source, bytes, durationSeconds, error }) => ({
        id,
        status,
        createdAt: createdAt.toISOString(),
        source: source.channel,
        bytes,
        seconds: durationSeconds,
        failure: error?.code ?? null,
      })),
    }
  },
})
