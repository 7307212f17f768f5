import type { Problem } from '@voxscribe/service'
import PQueue from 'p-queue'

interface Turns {
  atOnce: number
  /** Under way or waiting, of one person. */
  ofPerson: number
}

/** Does work that takes seconds a few at a time: who has less of it goes first. Throws `tooMany` beyond one person's. */
export function createTurns({ atOnce, ofPerson }: Turns, tooMany: () => Problem) {
  const places = new PQueue({ concurrency: atOnce })
  const counts = new Map<string, number>()
  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const before = counts.get(userId) ?? 0
    if (before >= ofPerson) throw tooMany()
    counts.set(userId, before + 1)
    return places.add(work, { priority: -before }).finally(() => {
      const left = (counts.get(userId) ?? 1) - 1
      if (left) counts.set(userId, left)
      else counts.delete(userId)
    })
  }
}
