import { createUnderWay, type Problem } from '@voxscribe/service'
import PQueue from 'p-queue'

interface Turns {
  atOnce: number
  /** Running and waiting calls of one person. */
  perPerson: number
}

/** Runs slow work, a few calls at a time; people with fewer calls go first. Throws `tooMany` beyond `perPerson`. */
export function createTurns({ atOnce, perPerson }: Turns, tooMany: () => Problem) {
  const places = new PQueue({ concurrency: atOnce })
  const counted = createUnderWay()
  return <T>(userId: string, work: () => Promise<T>): Promise<T> =>
    counted(userId, async before => {
      if (before >= perPerson) throw tooMany()
      return places.add(work, { priority: -before })
    })
}
