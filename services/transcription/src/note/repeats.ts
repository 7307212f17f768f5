import { NOTE_REFRESHES_A_DAY, REFRESHES_AN_HOUR } from '@voxscribe/contracts/limits'
import type { RateLimits } from '@voxscribe/service'

/** Rules of the product: each refresh costs us an engine, and the person nothing. */
const PER_NOTE = { points: NOTE_REFRESHES_A_DAY, seconds: 86_400 }
export const REFRESHES = { name: 'refresh-person', points: REFRESHES_AN_HOUR, seconds: 3_600 }

/** Counts what a person has transcribed again; throws 429 beyond the limits. */
export function createRepeats(rateLimits: RateLimits) {
  const perPerson = rateLimits(REFRESHES.name, REFRESHES, true)
  const perNote = rateLimits('refresh-note', PER_NOTE, true)
  return {
    async count(userId: string, id: string): Promise<void> {
      await perPerson.count(userId)
      await perNote.count(id).catch(async error => {
        await perPerson.giveBack(userId)
        throw error
      })
    },
    async giveBack(userId: string, id: string): Promise<void> {
      await Promise.all([perPerson.giveBack(userId), perNote.giveBack(id)])
    },
  }
}
export type Repeats = ReturnType<typeof createRepeats>
