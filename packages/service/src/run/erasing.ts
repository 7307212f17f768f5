import type { EventOf, Service } from '@voxscribe/contracts/events'
import { spellingsOf } from '@voxscribe/contracts/phone-lines'
import type { Bus } from '@voxscribe/messaging'
import type { Documents } from '../database/documents.ts'
import type { Logger } from '../observe/log.ts'
import type { ClosedAccounts } from './closed-accounts.ts'
import type { Built, Job } from './definition.ts'

const SWEEP_EVERY_MS = 5_000

interface Deps {
  bus: Bus
  closed: ClosedAccounts
  documents: Pick<Documents, 'eraseOwned' | 'scrub'>
  log: Logger
}

/** Erases accounts in a service: at the event, and in sweeps during the next hour. Everything is idempotent. */
export function createErasing<S extends Service>(
  service: S,
  { erase }: Pick<Built<S>, 'erase'>,
  { bus, closed, documents, log }: Deps,
) {
  /** The service's own erasure comes first, as it may read documents that are then deleted. */
  async function eraseAll(userId: string, event?: EventOf<'AccountErased'>): Promise<void> {
    await erase?.(userId, event)
    await documents.eraseOwned(userId)
  }
  async function forget(words: string[]): Promise<void> {
    await bus.dropDeadLetters(service, message => isAbout(message, words))
    await documents.scrub()
  }
  return {
    async handle(event: EventOf<'AccountErased'>): Promise<void> {
      const { userId, phone, email } = event.data
      await closed.erase(userId)
      await eraseAll(userId, event)
      await forget([userId, email, ...(phone ? spellingsOf(phone) : [])])
    },
    job: {
      name: 'sweep-erased',
      everyMs: SWEEP_EVERY_MS,
      async run() {
        for (const account of await closed.due()) {
          const { _id: userId } = account
          await eraseAll(userId)
            .then(() => forget([userId]))
            .then(() => closed.swept(account))
            .catch(err => log.warn({ err, userId }, 'an erasure sweep failed, it will be retried'))
        }
      },
    } satisfies Job,
  }
}

/** Whether a message has one of the words as a value; if it can't be parsed, whether it contains one. */
function isAbout(message: unknown, words: string[]): boolean {
  if (typeof message === 'string') return words.some(word => message.includes(word))
  const text = JSON.stringify(message)
  return words.some(word => text.includes(JSON.stringify(word)))
}
