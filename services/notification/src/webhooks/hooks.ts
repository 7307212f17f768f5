import { randomBytes, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { type EventOf, HookMade } from '@voxscribe/contracts/events'
import { Hook, HookEvent } from '@voxscribe/contracts/http'
import { HOOKS_MAX } from '@voxscribe/contracts/limits'
import {
  currentTrace,
  type Documents,
  inFreePlace,
  invalidField,
  isInternal,
  type Lease,
  type RateLimit,
  refusal,
  schemaOf,
} from '@voxscribe/service'
import { z } from 'zod'

/** A person's own address that receives events about their notes, with the defaults of a new one. */
const HookRecord = z.object({
  _id: z.string(),
  userId: z.string(),
  /** From 0, unique per person, which limits their number however many are requested at once. */
  place: z.int(),
  url: z.string(),
  events: z.array(HookEvent),
  description: z.string().default(''),
  enabled: z.boolean().default(true),
  /** Why it was turned off, unless by its owner or because of its failures. */
  disabledReason: Hook.shape.disabledReason.default(null),
  /** The account's generation when it was made or turned on; a later password turns it off. */
  generation: z.number(),
  createdAt: z.date(),
  /** Signs the messages, so it can't be stored as a hash. */
  secret: z.string(),
  /** Replaced secrets, which sign as well until then. */
  formerSecrets: z.array(z.object({ secret: z.string(), until: z.date() })).default([]),
  /** Since when all deliveries have failed; null after a success. */
  failingSince: z.date().nullable().default(null),
  /** When its address last accepted a message. */
  lastUsedAt: z.date().nullable().default(null),
  /** When its next message is due; null if none is waiting. */
  nextAt: z.date().nullable().default(null),
  /** Held during a try: one at a time, across all processes. */
  lease: z.custom<Lease>().nullable().default(null),
})
export type HookRecord = z.infer<typeof HookRecord>

const DAY_MS = 86_400_000
/** Standard Webhooks requires 24 to 64. */
const SECRET_BYTES = 32
/** More than are replaced within a day, except by a program that does nothing else. */
const FORMER_SECRETS_MAX = 4

const hookSchema = schemaOf(HookRecord)
  .index({ userId: 1, place: 1 }, { unique: true })
  .index({ nextAt: 1 })
  .index({ 'lease.owner': 1 }, { sparse: true })

const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
function unknown(): never {
  throw refusal('hook_unknown')
}

/** Presents a hook to its owner, field by field. */
export const presentHook = ({ _id: id, ...hook }: HookRecord): Hook => ({
  id,
  url: hook.url,
  events: hook.events,
  description: hook.description,
  enabled: hook.enabled,
  disabledReason: hook.disabledReason ?? null,
  createdAt: hook.createdAt.toISOString(),
  lastUsedAt: hook.lastUsedAt?.toISOString() ?? null,
})

export type HookInput = Pick<HookRecord, 'url' | 'events'> &
  Partial<Pick<HookRecord, 'description' | 'enabled'>>

/** Limit on new addresses of a person's hooks, because each causes a mail to an address that may be a stranger's. */
export const ADDRESSES = { points: 2 * HOOKS_MAX, seconds: 86_400 }

/** People's hooks. `isPrivateAllowed`: allows our network, and no TLS; `addresses`: limits new ones. */
export function createHooks(
  documents: Documents,
  isPrivateAllowed: (url: string) => boolean,
  now: () => Date,
  addresses: Pick<RateLimit, 'check' | 'giveBack'>,
) {
  const hooks = documents.outboxModel<HookRecord>('hooks', hookSchema, { owner: 'userId' })

  async function one(userId: string, _id: string): Promise<HookRecord> {
    const hook = await hooks.findOne({ _id, userId }).lean<HookRecord>()
    return hook ?? unknown()
  }

  /** Writes an address of a hook, with the event for the mail to its owner. Throws if no hook may have that address. */
  async function withAddress<T>(
    userId: string,
    url: string,
    write: (made: EventOf<'HookMade'>) => Promise<T>,
  ): Promise<T> {
    if (!isPrivateAllowed(url)) refuseInternal(url)
    await addresses.check(userId)
    const written = await write(HookMade.create({ userId, url }, { traceId: currentTrace() }))
    await addresses.giveBack(userId, -1)
    return written
  }

  async function insert(userId: string, given: object, made: EventOf<'HookMade'>): Promise<HookRecord> {
    const taken = async () =>
      (await hooks.find({ userId }, { place: 1 }).lean<HookRecord[]>()).map(({ place }) => place)
    const inserted = await inFreePlace([...Array(HOOKS_MAX).keys()], taken, async place => {
      const hook = HookRecord.parse({ ...given, userId, place })
      await hooks.create({ ...hook, outbox: [made] })
      return hook
    })
    if (!inserted) throw refusal('too_many_hooks')
    return inserted
  }

  return {
    model: hooks,
    one,

    /** Newest first. */
    of: (userId: string): Promise<HookRecord[]> =>
      hooks.find({ userId }).sort({ createdAt: -1 }).lean<HookRecord[]>(),

    /** Mails the owner. `generation`: the account's generation in the caller's token, as for `change`. */
    async create(
      userId: string,
      generation: number,
      wanted: Omit<HookInput, 'enabled'>,
    ): Promise<HookRecord> {
      const given = { ...wanted, _id: randomUUID(), generation, createdAt: now(), secret: newSecret() }
      return withAddress(userId, wanted.url, made => insert(userId, given, made))
    },

    /** A changed or enabled hook starts with a clean record. A new address is mailed to the owner. */
    async change(
      userId: string,
      generation: number,
      _id: string,
      wanted: Partial<HookInput>,
    ): Promise<HookRecord> {
      const isFresh = wanted.url !== undefined || wanted.enabled
      const $set = {
        ...wanted,
        ...(isFresh && { failingSince: null }),
        ...(wanted.enabled !== undefined && { disabledReason: null }),
        ...(wanted.enabled && { generation }),
      }
      const write = async (made?: EventOf<'HookMade'>) => {
        const update = { $set, ...(made && { $push: { outbox: made } }) }
        const hook = hooks.findOneAndUpdate({ _id, userId }, update, { returnDocument: 'after' })
        return (await hook.lean<HookRecord>()) ?? unknown()
      }
      const { url } = wanted
      const isElsewhere = url !== undefined && url !== (await one(userId, _id)).url
      return isElsewhere ? withAddress(userId, url, write) : write()
    },

    /** Replaces the secret; the previous one stays valid for a day. */
    async rotate(userId: string, _id: string): Promise<HookRecord> {
      const { secret } = await one(userId, _id)
      const former = { secret, until: new Date(now().getTime() + DAY_MS) }
      const rotated = await hooks
        .findOneAndUpdate(
          { _id, userId, secret },
          {
            $set: { secret: newSecret() },
            $push: { formerSecrets: { $each: [former], $slice: -FORMER_SECRETS_MAX } },
          },
          { returnDocument: 'after' },
        )
        .lean<HookRecord>()
      return rotated ?? this.rotate(userId, _id)
    },

    /** Turns off hooks older than a generation, which begins with a new password. */
    async turnOffBefore(userId: string, generation: number): Promise<void> {
      const before = { userId, enabled: true, generation: { $lt: generation } }
      for (const { _id } of await hooks.find(before, { _id: 1 }).lean<HookRecord[]>())
        await hooks.updateOne(
          { ...before, _id },
          { $set: { enabled: false, disabledReason: 'password_changed' } },
        )
    },

    end: async (userId: string, _id: string): Promise<void> => {
      await hooks.deleteOne({ _id, userId })
    },
  }
}
export type Hooks = ReturnType<typeof createHooks>

/** Throws 400 for an address without TLS or inside our network; names that lead there are refused on connecting. */
function refuseInternal(address: string): void {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:') throw invalidField('url', 'https_needed')
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) ? isInternal(host) : /(^|\.)localhost$/.test(host))
    throw invalidField('url', 'private_address')
}
