import { type Connection, Schema } from 'mongoose'
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible'
import type { Rate } from '../settings/settings.ts'
import { limitReached } from './problem.ts'

export interface RateLimit {
  /** Counts points, and returns how many are left and for how long. Throws 429 with Retry-After if too many. */
  count(key: string, points?: number): Promise<{ left: number; resetSeconds: number }>
  /** Throws as `count` does if no points are left, or no more than `spared`; counts nothing. */
  check(key: string, spared?: number): Promise<void>
  /** Gives back points that came to nothing; negative points are added, without a limit. */
  giveBack(key: string, points?: number): Promise<void>
  forget(key: string): Promise<void>
}

/** `isRule`: a rule of the product, which `RATE_LIMITS=off` does not lift. */
export type RateLimits = (name: string, rate: Rate, isRule?: boolean) => RateLimit

const unlimited: RateLimit = {
  count: async () => ({ left: Number.POSITIVE_INFINITY, resetSeconds: 0 }),
  check: async () => {},
  giveBack: async () => {},
  forget: async () => {},
}

const NAME = 'rate_limits'
/** Indexes that the library would create with each limiter. */
const schema = new Schema({ key: String, points: Number, expire: Date })
  .index({ expire: -1 }, { expireAfterSeconds: 0 })
  .index({ key: 1 }, { unique: true })

/** Creates rate limits. Their counters are in the service's database, so replicas share them. */
export function createRateLimits(connection: Connection, enabled: boolean): RateLimits {
  connection.model(NAME, schema, NAME)
  return (name, { points, seconds }, isRule = false) => {
    if (!enabled && !isRule) return unlimited
    const limiter = new RateLimiterMongo({
      storeClient: connection,
      tableName: NAME,
      disableIndexesCreation: true,
      keyPrefix: name,
      points,
      duration: seconds,
    })
    function refuse(reason: unknown): never {
      if (!(reason instanceof RateLimiterRes)) throw reason
      throw limitReached(name, Math.max(1, Math.ceil(reason.msBeforeNext / 1000)))
    }
    return {
      count: async (key, points) => {
        const { remainingPoints: left, msBeforeNext } = await limiter.consume(key, points).catch(refuse)
        return { left, resetSeconds: Math.ceil(msBeforeNext / 1000) }
      },
      check: async (key, spared = 0) => {
        const spent = await limiter.get(key)
        if (spent && spent.remainingPoints <= spared && spent.msBeforeNext > 0) refuse(spent)
      },
      giveBack: async (key, points) => {
        await limiter.reward(key, points)
      },
      forget: async key => {
        await limiter.delete(key)
      },
    }
  }
}
