import { type Documents, hashOf, invalidField, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** Something that is good once, for who has its secret, until a time. */
const Pass = z.object({
  /** A hash of its kind and secret. */
  _id: z.string(),
  /** The account that it is for; null: none is known yet. */
  userId: z.string().nullable(),
  /** Of tickets and tokens: a person whom the provider has signed in, as `identityOf` writes it. */
  identity: z.string().optional(),
  /** Null unless the provider has verified it. */
  email: z.string().nullable().default(null),
  expiresAt: z.date(),
})
type Pass = z.infer<typeof Pass>
export type Identified = Pass & { identity: string }

/**
 * `attempt`: a sign-in that has left for the provider. `ticket`: one that came back, in the page; `token`: the same in a mail.
 * `challenge`: what an authenticator signs.
 */
type Kind = 'attempt' | 'ticket' | 'token' | 'challenge'

const passSchema = schemaOf(Pass)
  .index({ identity: 1 }, { sparse: true })
  .index({ userId: 1 })
  .index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

export type Passes = ReturnType<typeof createPasses>

export function createPasses(documents: Documents) {
  const passes = documents.model<Pass>('passes', passSchema, { owner: 'userId' })
  const idOf = (kind: Kind, secret: string) => hashOf(`${kind} ${secret}`)
  const find = (kind: Kind, secret: string) =>
    passes.findOne({ _id: idOf(kind, secret), expiresAt: { $gt: new Date() } }).lean<Pass>()

  /** Returns whether this call is the one that uses it up. */
  const use = async ({ _id }: Pick<Pass, '_id'>): Promise<boolean> =>
    (await passes.deleteOne({ _id })).deletedCount === 1

  return {
    use,
    async add(kind: Kind, secret: string, validMs: number, about: Partial<Pass> = {}): Promise<void> {
      const expiresAt = new Date(Date.now() + validMs)
      await passes.create({ userId: null, email: null, ...about, _id: idOf(kind, secret), expiresAt })
    },
    /** Uses a pass up; null for one that is unknown, used or over. */
    async take(kind: Kind, secret: string): Promise<Pass | null> {
      const found = await find(kind, secret)
      return found && (await use(found)) ? found : null
    },
    /** Returns what the provider has said; throws 400 by the kind for one that is unknown, used or over. */
    async identified(kind: 'ticket' | 'token', secret: string): Promise<Identified> {
      const found = await find(kind, secret)
      if (!found?.identity) throw invalidField(kind, 'link_expired')
      return found as Identified
    },
    endAllOf: async (identity: string): Promise<void> => {
      await passes.deleteMany({ identity })
    },
  }
}
