import { PasskeyChanged } from '@voxscribe/contracts/events'
import type { Passkey as PublicPasskey } from '@voxscribe/contracts/http'
import { PASSKEYS_MAX } from '@voxscribe/contracts/limits'
import {
  currentTrace,
  type Documents,
  inFreePlace,
  isDuplicateKey,
  Problem,
  refusal,
  schemaOf,
} from '@voxscribe/service'
import { z } from 'zod'
import type { User, Users } from '../accounts/users.ts'

const Passkey = z.object({
  /** The credential's id, which belongs to one account. */
  _id: z.string(),
  userId: z.string(),
  /** The account's `passwordGeneration` when the passkey was added; the next one ends it, as it ends API keys. */
  generation: z.number(),
  /** One of the `PASSKEYS_MAX` places of its owner and generation; unique. */
  place: z.string(),
  name: z.string(),
  /** COSE, as base64url. */
  publicKey: z.string(),
  /** The authenticator's signature counter; some leave it at 0. */
  counter: z.number(),
  transports: z.array(z.string()),
  createdAt: z.date(),
  lastUsedAt: z.date().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

type Owner = Pick<User, '_id' | 'passwordGeneration'>
const of = ({ _id: userId, passwordGeneration: generation }: Owner) => ({ userId, generation })

const passkeySchema = schemaOf(Passkey).index({ place: 1 }, { unique: true }).index({ userId: 1 })

const present = ({ _id: id, name, createdAt, lastUsedAt }: Passkey): PublicPasskey => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})

/** Returns a 400: while a passkey is being added, a 401 would refer to the session. */
export function notAdded(): Problem {
  const { code, message } = refusal('passkey_refused')
  return new Problem(400, code, message)
}

/** Public keys for signing in. */
export function createPasskeys(documents: Documents, users: Users) {
  const passkeys = documents.outboxModel<Passkey>('passkeys', passkeySchema, { owner: 'userId' })
  const all = (owner: Owner) => passkeys.find(of(owner)).sort({ createdAt: -1 }).lean<Passkey[]>()

  async function insert(passkey: Passkey): Promise<PublicPasskey> {
    const { userId, name } = passkey
    const event = PasskeyChanged.create({ userId, name, change: 'added' }, { traceId: currentTrace() })
    try {
      await passkeys.create({ ...passkey, outbox: [event] })
    } catch (error) {
      throw isDuplicateKey(error, '_id') ? notAdded() : error
    }
    return present(passkey)
  }

  return {
    /** Newest first. */
    of: async (owner: Owner): Promise<PublicPasskey[]> => (await all(owner)).map(present),

    all,

    /** Returns the account's passkey with this credential id. */
    find: (owner: Owner, _id: string) => passkeys.findOne({ _id, ...of(owner) }).lean<Passkey>(),

    /** Throws 400 for a credential that already exists, 409 for too many. */
    async add(
      owner: Owner,
      added: Pick<Passkey, '_id' | 'name' | 'publicKey' | 'counter' | 'transports'>,
    ): Promise<PublicPasskey> {
      const { userId, generation } = of(owner)
      const places = Array.from({ length: PASSKEYS_MAX }, (_, at) => `${userId} ${generation} ${at}`)
      const taken = async () => (await all(owner)).map(({ place }) => place)
      const made = await inFreePlace(places, taken, place =>
        insert({ ...added, userId, generation, place, createdAt: new Date(), lastUsedAt: null }),
      )
      if (!made) throw refusal('too_many_passkeys')
      return made
    },

    rename: async (owner: Owner, _id: string, name: string): Promise<PublicPasskey | undefined> => {
      const renamed = { returnDocument: 'after' } as const
      const found = await passkeys
        .findOneAndUpdate({ _id, ...of(owner) }, { $set: { name } }, renamed)
        .lean<Passkey>()
      return found ? present(found) : undefined
    },

    /**
     * Removes a passkey. Returns false if the person has no such passkey. Throws 409 for the last one of a person who
     * can sign in only by passkey. Publishes first: a passkey that is still stored can be removed again.
     */
    async remove(owner: Owner, _id: string, isOnlyWay: boolean): Promise<boolean> {
      const kept = await all(owner)
      const found = kept.find(passkey => passkey._id === _id)
      if (!found) return false
      if (isOnlyWay && kept.length === 1) throw refusal('no_other_way')
      const data = { userId: owner._id, name: found.name, change: 'removed' } as const
      await users.publish(owner._id, PasskeyChanged.create(data, { traceId: currentTrace() }))
      return (await passkeys.deleteOne({ _id })).deletedCount === 1
    },

    /** Records a use. Returns false if the counter hasn't risen: the authenticator may have been cloned. */
    noteUse: async (_id: string, counter: number): Promise<boolean> => {
      const isRising = counter === 0 ? { counter } : { counter: { $lt: counter } }
      const used = { $set: { counter, lastUsedAt: new Date() } }
      return (await passkeys.updateOne({ _id, ...isRising }, used)).matchedCount === 1
    },
  }
}
