import type { EventOf } from '@voxscribe/contracts/events'
import { type Documents, keepNewest, Problem, type RateLimits, schemaOf, usedUp } from '@voxscribe/service'
import { z } from 'zod'
import type { Take } from '../queue/spending.ts'
import type { TranscriptionSettings } from '../settings.ts'

/** The plan of a person, as billing last told of it; without one it is the free one. */
const PlanRecord = z.object({
  /** The person's id. */
  _id: z.string(),
  isPaid: z.boolean(),
  /** When it changed. */
  at: z.date(),
})

const DAY_SECONDS = 86_400

interface Deps {
  documents: Documents
  rateLimits: RateLimits
  settings: Pick<TranscriptionSettings, 'TEXT_CHARS_PER_DAY'>
  now(): Date
}

/** The characters that a person may send to the text model, and receive from it, on a day in UTC. */
export function createTextDays({ documents, rateLimits, settings, now }: Deps) {
  const plans = documents.model('plans', schemaOf(PlanRecord), { owner: '_id' })
  const { free, paid } = settings.TEXT_CHARS_PER_DAY
  // One count: it goes on when the plan changes.
  const limitOf = (points: number) => rateLimits('text-characters', { points, seconds: DAY_SECONDS }, true)
  const limits = { free: limitOf(free), paid: limitOf(paid) }

  return {
    /** Throws 429 `text_day_is_full` when a call would go beyond the day; what is received may. */
    of:
      (userId: string): Take =>
      async sent => {
        const at = now()
        const limit = (await plans.findById(userId).lean())?.isPaid ? limits.paid : limits.free
        const key = `${userId} ${at.toISOString().slice(0, 10)}`
        await limit.count(key, sent).catch(async error => {
          if (!(error instanceof Problem)) throw error
          await limit.giveBack(key, sent)
          const waitSeconds = DAY_SECONDS - (Math.floor(at.getTime() / 1000) % DAY_SECONDS)
          throw usedUp('text-characters', waitSeconds, 'text_day_is_full')
        })
        return async cost => {
          if (cost !== sent) await limit.giveBack(key, sent - cost)
        }
      },

    async planChanged({ data: { userId, change }, occurredAt }: EventOf<'SubscriptionChanged'>) {
      await keepNewest(plans, 'at', { _id: userId, isPaid: change !== 'ended', at: new Date(occurredAt) })
    },
  }
}
