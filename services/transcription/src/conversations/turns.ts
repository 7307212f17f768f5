import { createUnderWay, type Problem } from '@voxscribe/service'
import PQueue from 'p-queue'

interface Turns {
  atOnce: number
  /** Under way or waiting, of one person. */
  ofPerson: number
}

/** Does work that takes seconds a few at a time: who has less of it goes first. Throws `tooMany` beyond one person's. */
export function createTurns({ atOnce, ofPerson }: Turns, tooMany: () => Problem) {
  const places = new PQueue({ concurrency: atOnce })
  const counted = createUnderWay()
  return <T>(userId: string, work: () => Promise<T>): Promise<T> =>
    counted(userId, async before => {
      if (before >= ofPerson) throw tooMany()
      return places.add(work, { priority: -before })
    })
}
