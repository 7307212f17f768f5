import { statfs } from 'node:fs/promises'
import { type AdminCall, checked, type Figures } from '@voxscribe/service'
import { z } from 'zod'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import { countWaiting, oldestSeconds } from '../queue/waiting.ts'

const UserBody = z.object({ userId: z.string().min(1) })
const DAYS = 7
const DAY_MS = 86_400_000
const LAST = 10
const SHOWN = { status: 1, createdAt: 1, source: 1, bytes: 1, durationSeconds: 1, error: 1 } as const

/** Maximum notes of a day to read for the figures. */
const READ_MAX = 20_000

interface Deps extends Pick<Notes, 'model'> {
  /** Engines in use, the best first. */
  engines(): { name: string; model?: string | null }[]
  dataDir: string
}

/** Serves figures about all notes, and an account's notes per UTC day and last states, never their text or title. */
export const createOperatorCalls = (
  { model, engines, dataDir }: Deps,
  now: () => Date,
): Record<string, AdminCall> => ({
  figures: async () => ({ figures: await figuresOf({ model, engines, dataDir }, now()) }),
  usage: async body => {
    const { userId } = checked(UserBody, body)
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

const nameOf = ({ name, model }: { name: string; model?: string | null }) =>
  [name, model].filter(Boolean).join(' ')

/** Counts the values, the most frequent first. */
function counted(values: string[]): Record<string, number> {
  const groups = [...Map.groupBy(values, value => value)].map(
    ([value, { length }]) => [value, length] as const,
  )
  return Object.fromEntries(groups.toSorted(([, a], [, b]) => b - a))
}

async function figuresOf({ model, engines, dataDir }: Deps, at: Date): Promise<Figures> {
  const count = (status: NoteRecord['status']) => model.countDocuments({ status, deletedAt: null })
  const lately = { createdAt: { $gte: new Date(at.getTime() - DAY_MS) }, deletedAt: null }
  const [processing, completed, failed, waiting, oldest, ofDay, { bavail, blocks, bsize }] =
    await Promise.all([
      count('processing'),
      count('completed'),
      count('failed'),
      countWaiting(model),
      oldestSeconds(model, at),
      model.find(lately, { status: 1, engine: 1, error: 1 }).limit(READ_MAX).lean<NoteRecord[]>(),
      statfs(dataDir).catch(() => statfs('.')),
    ])
  const heardBy = counted(ofDay.flatMap(({ engine }) => (engine ? [nameOf(engine)] : [])))
  const inUse = Object.fromEntries(engines().map(engine => [nameOf(engine), 0]))
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
  return {
    Notes: { processing, completed, failed, 'came within a day': ofDay.length },
    Queue: { waiting, 'the first waits for': `${Math.round(oldest)} s` },
    'Engines, notes of a day': { ...inUse, ...heardBy },
    Errors: counted(ofDay.flatMap(({ status, error }) => (status === 'failed' && error ? [error.code] : []))),
    Disk: { free: gigabytes(bavail * bsize), of: gigabytes(blocks * bsize) },
  }
}
