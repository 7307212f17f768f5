import { PLANS } from '@voxscribe/contracts/plans'
import type { RateLimit, RateLimits } from '@voxscribe/service'

const DAY_SECONDS = 86_400

export const REFRESHES = { name: 'refresh-person', points: 20, seconds: 3_600 }
/** In minutes of audio: as many per day as the paid plan has per month. */
const SPEAKERS_OF_PERSON = { name: 'speakers-person', points: PLANS.monthly.minutes, seconds: DAY_SECONDS }
/** Requests to tell the speakers of one note apart. */
const NOTE_SPEAKERS_A_DAY = 10

/** Product limits: each of these takes an engine or a core, and is free for the person. */
const RULES = {
  refresh: { person: REFRESHES, note: { points: 5, seconds: DAY_SECONDS } },
  speakers: { person: SPEAKERS_OF_PERSON, note: { points: NOTE_SPEAKERS_A_DAY, seconds: DAY_SECONDS } },
}

/** A limit, its key, and the points to count; default: 1. */
export type Counted = [limit: RateLimit, key: string, points?: number]

/** Counts against all of these limits, or against none if one refuses. */
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

/** Limits how often a person repeats work on notes; `count` throws 429 beyond the limits. */
export function createRepeats(rateLimits: RateLimits, what: keyof typeof RULES) {
  const { person, note } = RULES[what]
  const perPerson = rateLimits(person.name, person, true)
  const perNote = rateLimits(`${what}-note`, note, true)
  const counted = (userId: string, id: string, points = 1): Counted[] => [
    [perNote, id],
    [perPerson, userId, points],
  ]
  return {
    count: (...args: Parameters<typeof counted>) => countAll(counted(...args)),
    giveBack: (...args: Parameters<typeof counted>) => giveBackAll(counted(...args)),
  }
}
export type Repeats = ReturnType<typeof createRepeats>
