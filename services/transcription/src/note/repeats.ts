import { PLANS } from '@voxscribe/contracts/plans'
import type { RateLimits } from '@voxscribe/service'

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

/** Counts what a person has done again with notes; throws 429 beyond the limits. */
export function createRepeats(rateLimits: RateLimits, what: keyof typeof RULES) {
  const { person, note } = RULES[what]
  const perPerson = rateLimits(person.name, person, true)
  const perNote = rateLimits(`${what}-note`, note, true)
  return {
    async count(userId: string, id: string, points = 1): Promise<void> {
      await perNote.count(id)
      await perPerson.count(userId, points).catch(async error => {
        await this.giveBack(userId, id, points)
        throw error
      })
    },
    async giveBack(userId: string, id: string, points = 1): Promise<void> {
      await Promise.all([perPerson.giveBack(userId, points), perNote.giveBack(id)])
    },
  }
}
export type Repeats = ReturnType<typeof createRepeats>
