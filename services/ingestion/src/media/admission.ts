import { ACCOUNT_BLOCKED, DAY_IS_FULL, reason } from '@voxscribe/contracts/reasons'
import { refusalText } from '@voxscribe/contracts/refusals'
import { Problem, type Rate, type RateLimit, type RateLimits } from '@voxscribe/service'
import type { Account, Accounts } from '../senders/accounts.ts'
import type { IngestionSettings } from '../settings.ts'
import { Rejected } from './file.ts'

const DAY_SECONDS = 86_400

/** The rate limit of uploads. Its error states the number of files, and when the next one is accepted. */
export function createUploadLimit(rateLimits: RateLimits, rate: Rate): Pick<RateLimit, 'count'> {
  const limit = rateLimits('upload', rate)
  return {
    count: key =>
      limit.count(key).catch(error => {
        if (!(error instanceof Problem)) throw error
        const { status, code, retryAfterSeconds = 0 } = error
        const time = new Date(Date.now() + retryAfterSeconds * 1000)
          .toISOString()
          .slice(0, 19)
          .replace('T', ' ')
        const facts = { count: rate.points, minutes: Math.round(rate.seconds / 60), time }
        const sentence = refusalText('too_many_in_time', facts)
        throw new Problem(status, code, sentence, { retryAfterSeconds, limit: 'files' })
      }),
  }
}

/** Decides whether to accept another file: not from a blocked account, nor beyond the day's notes and bytes. */
export function createAdmission(
  accounts: Accounts,
  rateLimits: RateLimits,
  { NOTES_PER_DAY, BYTES_PER_DAY, SUPPORT_EMAIL: support }: IngestionSettings,
) {
  const daily = (name: string, points: number | undefined): RateLimit | undefined =>
    points ? rateLimits(name, { points, seconds: DAY_SECONDS }, true) : undefined
  const notes = daily('notes-of-day', NOTES_PER_DAY)
  const bytes = daily('bytes-of-day', BYTES_PER_DAY)

  /**
   * Counts a file that `take` stores, but not one that fails or is a repeat (null). The file that exceeds the day's
   * bytes is still accepted. Throws Rejected if the day is full; `current`, called before storing, if the account is
   * blocked.
   */
  return async <T extends { bytes: number }>(
    userId: string,
    take: (current: () => Promise<Account | null>) => Promise<T | null>,
  ): Promise<T | null> => {
    async function current(): Promise<Account | null> {
      const account = await accounts.byId(userId)
      if (account?.blocked) throw new Rejected(reason(ACCOUNT_BLOCKED, { support }))
      return account
    }
    await bytes?.check(userId).catch(refuseDay)
    await notes?.count(userId).catch(refuseDay)
    let taken: T | null = null
    try {
      taken = await take(current)
    } catch (error) {
      // A blocked account's file isn't retried.
      if (!(error instanceof Rejected)) await current()
      throw error
    } finally {
      if (!taken) await notes?.giveBack(userId)
    }
    if (taken) await bytes?.count(userId, taken.bytes).catch(unlessFull)
    return taken
  }
}

function refuseDay(error: unknown): never {
  if (!(error instanceof Problem)) throw error
  const { retryAfterSeconds = 0, limit } = error
  const until = new Date(Date.now() + retryAfterSeconds * 1000).toISOString()
  throw new Rejected(reason(DAY_IS_FULL, { until }), 0, { retryAfterSeconds, limit })
}

function unlessFull(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}
