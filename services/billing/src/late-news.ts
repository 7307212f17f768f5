import type { EventOf } from '@voxscribe/contracts/events'
import { type Documents, gauge, insertOnce, type Job, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { Handlers } from './handlers.ts'

/** Events that nothing later repeats: a person's profile, and notes that were not theirs. */
const KINDS = ['UserRegistered', 'UserUpdated', 'NoteWithdrawn'] as const
type Kind = (typeof KINDS)[number]

/** An event that could not be processed after all its tries. */
const LateNews = z.object({
  /** The event's id. */
  _id: z.string(),
  kind: z.enum(KINDS),
  event: z.custom<EventOf<Kind>>(),
  /** When it was last tried: one that keeps failing goes behind the others. */
  triedAt: z.date(),
  forgetAt: z.date(),
})

const lateNewsSchema = schemaOf(LateNews)
  .index({ triedAt: 1 })
  .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })

/** It holds names and addresses: as long as dead letters do by default. */
const KEPT_MS = 30 * 86_400_000
const EVERY_MS = 10 * 60_000
const AT_ONCE = 100

const oldestSeconds = gauge({
  name: 'billing_late_news_oldest_seconds',
  help: 'Age of the oldest news about people and notes that billing could not take in so far; 0: there is none',
})

/**
 * Keeps news that were given up and takes them in as soon as that works, by the clock: without them an account would
 * have the wrong months, number or minutes for ever. Their dead letters may be put back as well.
 */
export function createLateNews(documents: Pick<Documents, 'model'>, handlers: Handlers, now: () => Date) {
  const news = documents.model('late_news', lateNewsSchema)
  const keep = (kind: Kind) => async (event: EventOf<Kind>) => {
    const at = now()
    const forgetAt = new Date(at.getTime() + KEPT_MS)
    await insertOnce(news, { _id: event.id, kind, event, triedAt: at, forgetAt })
  }

  async function takeIn(): Promise<void> {
    const problems: unknown[] = []
    for (const { _id, kind, event } of await news.find({}).sort({ triedAt: 1 }).limit(AT_ONCE).lean()) {
      try {
        await handlers[kind](event as never)
        await news.deleteOne({ _id })
      } catch (error) {
        problems.push(error)
        await news.updateOne({ _id }, { $set: { triedAt: now() } })
      }
    }
    const [oldest] = await news.find({}).sort({ forgetAt: 1 }).limit(1).lean()
    oldestSeconds.set(oldest ? (now().getTime() + KEPT_MS - oldest.forgetAt.getTime()) / 1000 : 0)
    if (problems.length) throw new AggregateError(problems, 'Some news can still not be taken in')
  }

  const job: Job = { name: 'take in late news', everyMs: EVERY_MS, run: takeIn }
  return {
    givenUp: {
      UserRegistered: keep('UserRegistered'),
      UserUpdated: keep('UserUpdated'),
      NoteWithdrawn: keep('NoteWithdrawn'),
    },
    job,
  }
}
