import { PLANS } from '@voxscribe/contracts/plans'
import type { RateLimit, RateLimits } from '@voxscribe/service'

const DAY_SECONDS = 86_400

export const REFRESHES = { name: 'refresh-person', points: 20, seconds: 3_600 }
/** In minutes of sound: a day has as many as a month of the paid plan. */
const SPEAKERS_OF_PERSON = { name: 'speakers-person', points: PLANS.monthly.minutes, seconds: DAY_SECONDS }
/** Requests to tell the speakers of one note apart. */
const NOTE_SPEAKERS_A_DAY = 10

/** Rules of the product: each of these costs us an engine, or a core, and the person nothing. */
const RULES = {
  refresh: { person: REFRESHES, note: { points: 5, seconds: DAY_SECONDS } },
  speakers: { person: SPEAKERS_OF_PERSON, note: { points: NOTE_SPEAKERS_A_DAY, seconds: DAY_SECONDS } },
}

/** A limit, what it counts by, and how many; default: 1. */
export type Counted = [limit: RateLimit, key: string, points?: number]

/** Counts by all of these limits, or, where one refuses, by none. */
export async function countAll(all: Counted[]): Promise<void> {
  for (const [at, [limit, key, points]] of all.entries())
    await limit.count(key, points).catch(async error => {
      await giveBackAll(all.slice(0, at + 1))
      throw error
    })
}

export async function giveBackAll(all: Counted[]): Promise<void> {
  await Promise.all(all.map(([limit, key, points]) => limit.giveBack(key, points)))
}

/** Counts what a person has done again with notes; throws 429 beyond the limits. */
export function createRepeats(rateLimits: RateLimits, what: keyof typeof RULES) {
  const { person, note } = RULES[what]
  const perPerson = rateLimits(person.name, person, true)
  const perNote = rateLimits(`${what}-note`, note, true)
  const counted = (userId: string, id: string, points = 1): Counted[] => [
    [perNote, id],
    [perPerson, userId, points],
  ]
  return {
    count: (...of: Parameters<typeof counted>) => countAll(counted(...of)),
    giveBack: (...of: Parameters<typeof counted>) => giveBackAll(counted(...of)),
  }
}
export type Repeats = ReturnType<typeof createRepeats>
