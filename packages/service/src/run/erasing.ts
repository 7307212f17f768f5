import type { EventOf, Service } from '@voxscribe/contracts/events'
import { spellingsOf } from '@voxscribe/contracts/phone-lines'
import type { Bus } from '@voxscribe/messaging'
import { z } from 'zod'
import { insertOnce } from '../database/document-writes.ts'
import { type Documents, schemaOf } from '../database/documents.ts'
import { unauthorized } from '../http/problem.ts'
import type { TokenCheck } from '../http/tokens.ts'
import type { Logger } from '../observe/log.ts'
import type { Built, Job } from './definition.ts'

/** An erased account: nothing may be made for it any more, by requests and messages that were under way. */
const Erased = z.object({
  /** The account's id. */
  _id: z.string(),
  at: z.date(),
  /** When the next sweep is due; null: there were enough. */
  sweepAt: z.date().nullable(),
  forgetAt: z.date(),
})

/** Longer than any message is retried or kept as a dead letter, by default. */
const REMEMBERED_MS = 60 * 86_400_000
/** Times after the erasure at which everything is deleted again that work under way may have left behind. */
const SWEEPS_MS = [10_000, 60_000, 600_000, 3_000_000]
const SWEEP_EVERY_MS = 5_000
const AT_ONCE = 20

const erasedSchema = schemaOf(Erased)
  .index({ sweepAt: 1 }, { sparse: true })
  .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })

export type Erased = ReturnType<typeof createErased>

/** The accounts that a service has to forget, by id and date only. */
export function createErased(documents: Pick<Documents, 'model'>) {
  const erased = documents.model('erased', erasedSchema)
  const nextSweep = (at: number) => {
    const due = SWEEPS_MS.map(ms => at + ms).find(time => time > Date.now())
    return due === undefined ? null : new Date(due)
  }
  return {
    has: async (userId: string): Promise<boolean> =>
      (await erased.collection.findOne({ _id: userId as never }, { projection: { _id: 1 } })) !== null,
    add: async (userId: string): Promise<void> => {
      const at = Date.now()
      const forgetAt = new Date(at + REMEMBERED_MS)
      await insertOnce(erased, { _id: userId, at: new Date(at), sweepAt: nextSweep(at), forgetAt })
    },
    due: () =>
      erased
        .find({ sweepAt: { $lte: new Date() } })
        .limit(AT_ONCE)
        .lean(),
    swept: async ({ _id, at }: z.infer<typeof Erased>): Promise<void> => {
      await erased.updateOne({ _id }, { $set: { sweepAt: nextSweep(at.getTime()) } })
    },
  }
}

/** Refuses the access tokens of erased accounts, which are still valid for some minutes. */
export const admitting =
  (checkToken: TokenCheck, erased: Erased) => async (authorization: string | undefined) => {
    const claims = checkToken(authorization)
    if (await erased.has(claims.userId)) throw unauthorized()
    return claims
  }

interface Deps {
  bus: Bus
  erased: Erased
  documents: Pick<Documents, 'scrub'>
  log: Logger
}

/** Erases accounts in a service: at the event, and in sweeps over the next hour. All of it is idempotent. */
export function createErasing<S extends Service>(
  service: S,
  { erase }: Pick<Built<S>, 'erase'>,
  { bus, erased, documents, log }: Deps,
) {
  async function forget(words: string[]): Promise<void> {
    await bus.dropDeadLetters(service, message => isAbout(message, words))
    await documents.scrub()
  }
  return {
    async handle(event: EventOf<'AccountErased'>): Promise<void> {
      const { userId, phone, email } = event.data
      await erased.add(userId)
      await erase(userId, event)
      await forget([userId, email, ...(phone ? spellingsOf(phone) : [])])
    },
    job: {
      name: 'sweep-erased',
      everyMs: SWEEP_EVERY_MS,
      async run() {
        for (const account of await erased.due()) {
          const { _id: userId } = account
          await erase(userId)
            .then(() => forget([userId]))
            .then(() => erased.swept(account))
            .catch(err => log.warn({ err, userId }, 'a sweep after an erasure failed, it is tried again'))
        }
      },
    } satisfies Job,
  }
}

/** Whether one of the words is a value in the message; of one that cannot be read, whether it occurs. */
function isAbout(message: unknown, words: string[]): boolean {
  if (typeof message === 'string') return words.some(word => message.includes(word))
  const text = JSON.stringify(message)
  return words.some(word => text.includes(JSON.stringify(word)))
}
