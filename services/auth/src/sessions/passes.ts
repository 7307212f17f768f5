import { type Documents, hashOf, invalidField, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** A single-use secret that expires. */
const Pass = z.object({
  /** A hash of the kind and the secret. */
  _id: z.string(),
  /** The account that it's for; null while unknown. */
  userId: z.string().nullable(),
  /** In tickets and tokens: a person who has signed in at the provider, as written by `identityOf`. */
  identity: z.string().optional(),
  /** Null unless the provider has verified it. */
  email: z.string().nullable().default(null),
  expiresAt: z.date(),
})
type Pass = z.infer<typeof Pass>
export type Identified = Pass & { identity: string }

/**
 * `attempt`: a sign-in sent to the provider. `ticket`: one that came back, kept by the page; `token`: the same in a
 * mail. `challenge`: to be signed by an authenticator.
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

  /** Uses up a pass. Returns false if another call already did. */
  const use = async ({ _id }: Pick<Pass, '_id'>): Promise<boolean> =>
    (await passes.deleteOne({ _id })).deletedCount === 1

  return {
    use,
    async add(kind: Kind, secret: string, validMs: number, about: Partial<Pass> = {}): Promise<void> {
      const expiresAt = new Date(Date.now() + validMs)
      await passes.create({ userId: null, email: null, ...about, _id: idOf(kind, secret), expiresAt })
    },
    /** Uses up a pass. Returns null if it's unknown, used or expired. */
    async take(kind: Kind, secret: string): Promise<Pass | null> {
      const found = await find(kind, secret)
      return found && (await use(found)) ? found : null
    },
    /** Returns the identity from the provider. Throws 400 on field `kind` if the pass is unknown, used or expired. */
    async identified(kind: 'ticket' | 'token', secret: string): Promise<Identified> {
      const found = await find(kind, secret)
      if (!found?.identity) throw invalidField(kind, 'link_expired')
      return found as Identified
    },
    /** Ends the tickets and tokens of an identity, or the tokens mailed to an account. */
    endAllOf: async (of: { identity: string } | { userId: string }): Promise<void> => {
      await passes.deleteMany(of)
    },
  }
}
