import { randomUUID } from 'node:crypto'
import { KeyMade } from '@voxscribe/contracts/events'
import { type ApiKey, KeyScope } from '@voxscribe/contracts/http'
import { KEYS_MAX } from '@voxscribe/contracts/limits'
import {
  currentTrace,
  type Documents,
  hashOf,
  inFreePlace,
  newSecret,
  refusal,
  schemaOf,
} from '@voxscribe/service'
import { z } from 'zod'
import type { User } from '../accounts/users.ts'
import type { PublishEnded } from '../sessions/sessions.ts'

const Key = z.object({
  _id: z.string(),
  userId: z.string(),
  /** The account's `passwordGeneration` at creation; the next one ends the key. */
  generation: z.number(),
  /** One of the `KEYS_MAX` places of its owner and generation; unique. */
  place: z.string(),
  name: z.string(),
  scopes: z.array(KeyScope),
  prefix: z.string(),
  hash: z.string(),
  createdAt: z.date(),
  expiresAt: z.date().nullable(),
  lastUsedAt: z.date().nullable(),
  lastAddress: z.string().nullable(),
})
type Key = z.infer<typeof Key>

const PREFIX_LENGTH = 'vox_'.length + 6
/** Minimum time between two writes of uses from the same address. */
const USE_WRITTEN_MS = 60_000

type Owner = Pick<User, '_id' | 'passwordGeneration'>
const of = ({ _id: userId, passwordGeneration: generation }: Owner) => ({ userId, generation })

const keySchema = schemaOf(Key)
  .index({ hash: 1 }, { unique: true })
  .index({ place: 1 }, { unique: true, sparse: true })
  .index({ userId: 1 })

const presentKey = (key: Key): ApiKey => ({
  id: key._id,
  name: key.name,
  scopes: key.scopes,
  prefix: key.prefix,
  createdAt: key.createdAt.toISOString(),
  expiresAt: key.expiresAt?.toISOString() ?? null,
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  lastAddress: key.lastAddress,
})

/** API keys for people's own programs. Only a hash of the secret is stored. */
export function createKeys(documents: Documents, publishEnded: PublishEnded) {
  const keys = documents.outboxModel<Key>('keys', keySchema, { owner: 'userId' })
  return {
    /** Newest first. */
    of: async (owner: Owner): Promise<ApiKey[]> =>
      (await keys.find(of(owner)).sort({ createdAt: -1 }).lean<Key[]>()).map(presentKey),

    async create(
      owner: Owner,
      wanted: Pick<Key, 'name' | 'scopes'> & { expiresAt?: string },
    ): Promise<{ key: ApiKey; secret: string }> {
      const { _id: userId, passwordGeneration } = owner
      const places = Array.from({ length: KEYS_MAX }, (_, at) => `${userId} ${passwordGeneration} ${at}`)
      const taken = async () =>
        (await keys.find(of(owner), { place: 1 }).lean<Key[]>()).map(({ place }) => place)
      const made = await inFreePlace(places, taken, async place => {
        const secret = `vox_${newSecret()}`
        const key: Key = {
          _id: randomUUID(),
          ...of(owner),
          place,
          name: wanted.name,
          scopes: wanted.scopes,
          prefix: secret.slice(0, PREFIX_LENGTH),
          hash: hashOf(secret),
          createdAt: new Date(),
          expiresAt: wanted.expiresAt ? new Date(wanted.expiresAt) : null,
          lastUsedAt: null,
          lastAddress: null,
        }
        const made = KeyMade.create({ userId, name: wanted.name }, { traceId: currentTrace() })
        await keys.create({ ...key, outbox: [made] })
        return { key: presentKey(key), secret }
      })
      if (!made) throw refusal('too_many_keys')
      return made
    },

    /** Returns false if the person has no such key. */
    async end(owner: Owner, _id: string): Promise<boolean> {
      if (!(await keys.exists({ _id, ...of(owner) }))) return false
      await publishEnded(owner._id, _id)
      return (await keys.deleteOne({ _id })).deletedCount === 1
    },

    /** Returns the key with this secret. Throws 401 if it's unknown or expired, 403 if it lacks `scope`. */
    admit: async (secret: string, scope?: KeyScope): Promise<Key> => {
      const key = await keys.findOne({ hash: hashOf(secret) }).lean<Key>()
      if (!key) throw refusal('invalid_api_key')
      if (key.expiresAt && key.expiresAt.getTime() <= Date.now()) throw refusal('api_key_expired')
      if (scope && !key.scopes.includes(scope)) throw refusal('missing_scope', { scope })
      return key
    },

    noteUse: async ({ _id, lastUsedAt, lastAddress }: Key, address: string): Promise<void> => {
      const now = new Date()
      const isNew = address !== lastAddress || now.getTime() - (lastUsedAt?.getTime() ?? 0) > USE_WRITTEN_MS
      if (isNew) await keys.updateOne({ _id }, { $set: { lastUsedAt: now, lastAddress: address } })
    },
  }
}
