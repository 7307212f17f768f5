import { type Documents, deleteAll, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { Account, Accounts } from './accounts.ts'
import { type Sender, senderKeys } from './inbound.ts'
import { createRemembered } from './remembered.ts'

/**
 * Binds a number or a WhatsApp user id to an account. Proved: a message with the account's link code came from it;
 * valid while the account's number stays, whatever its code is by then. Seen: the user id came
 * together with a number that the account claims; valid while that claim is.
 */
const Binding = z.object({
  /** A sender key. */
  _id: z.string(),
  accountId: z.string(),
  /** The account's `boundBy` at that time. */
  provedBy: z.string().nullable(),
  seenWith: z.string().nullable(),
  /** The message that proves this key together with another one: it proves both or neither. */
  partOf: z.string().nullable().optional(),
})
type Binding = z.infer<typeof Binding>

const bindingSchema = schemaOf(Binding).index({ seenWith: 1 }, { sparse: true }).index({ accountId: 1 })

export interface Match {
  account: Account
  proved: boolean
}

export function createBindings(
  documents: Pick<Documents, 'model'>,
  accounts: Accounts,
  remembered = createRemembered(false),
) {
  const bindings = documents.model('senders', bindingSchema)

  async function holds({ accountId, provedBy, seenWith }: Binding, account: Account): Promise<boolean> {
    if (provedBy) return account.boundBy === provedBy && account.voidBoundBy !== provedBy
    return (await accounts.byPhoneKey(seenWith ?? ''))?._id === accountId
  }

  /** Returns the bindings of these keys, and the valid ones in the order of the keys. */
  async function look(keys: string[]) {
    const found: Binding[] = await bindings.find({ _id: { $in: keys } }).lean()
    const owners = found.length ? await accounts.byIds(found.map(binding => binding.accountId)) : []
    const held: { binding: Binding; account: Account }[] = []
    for (const key of keys) {
      const binding = found.find(({ _id }) => _id === key)
      const account = owners.find(({ _id }) => _id === binding?.accountId)
      if (binding && account && (await holds(binding, account))) held.push({ binding, account })
    }
    return { found, held }
  }

  /** The version we decided on, for the optimistic write below. */
  const bindingAsRead = (found: Binding[], key: string) => found.find(({ _id }) => _id === key) ?? null

  /** Writes a binding unless it has changed since it was read. */
  const write = (key: string, before: Binding | null, after: Omit<Binding, '_id'>): Promise<boolean> =>
    remembered.write(async () => {
      if (!before) return insertOnce(bindings, { _id: key, ...after })
      const { accountId, provedBy, seenWith } = before
      const asRead = { _id: key, accountId, provedBy, seenWith }
      const { matchedCount } = await bindings.updateOne(asRead, { $set: after })
      return matchedCount === 1
    })

  /** Returns the account of a sender, and the sender's keys that are not bound to it yet. */
  async function find(sender: Sender) {
    const keys = senderKeys(sender)
    const [{ found, held }, claim] = await Promise.all([
      look(keys),
      sender.phone ? accounts.byPhoneKey(keys[0]!) : null,
    ])
    const proof = held.find(({ binding }) => binding.provedBy)
    const account = proof?.account ?? claim ?? held[0]?.account
    if (!account) return undefined
    const match: Match = { account, proved: Boolean(proof) }
    // One proved key proves the sender's other keys, too.
    const isHeld = (key: string) =>
      held.some(({ binding }) => binding._id === key && (!proof || binding.provedBy))
    const unseen = keys.filter(key => !isHeld(key) && (proof || key !== account.phoneKey))
    return { match, unseen, found }
  }

  return {
    /**
     * Returns the account of a sender: the proved one, else the one that claims the number. Binds the sender's other keys
     * to it, so that the sender is recognised when the number is hidden. `onNew` runs before such a binding, so that it
     * runs again if it fails, and after it, for messages that came meanwhile.
     */
    async match(
      sender: Sender,
      onNew: (match: Match) => Promise<unknown> = async () => {},
    ): Promise<Match | undefined> {
      const looked = await find(sender)
      if (!looked) return undefined
      const { match, unseen, found } = looked
      const { account, proved } = match
      if (unseen.length) await onNew(match)
      for (const key of unseen) {
        const after = {
          accountId: account._id,
          provedBy: proved ? account.boundBy : null,
          seenWith: proved ? null : account.phoneKey,
          partOf: null,
        }
        await write(key, bindingAsRead(found, key), after)
      }
      if (unseen.length) await onNew(match)
      return match
    },

    /** The same without a write; undefined also if a key would have to be bound. */
    recognise: (sender: Sender): Promise<Match | undefined> =>
      remembered.read(senderKeys(sender).join(), async () => {
        const looked = await find(sender)
        return looked?.unseen.length ? undefined : looked?.match
      }),

    /** Returns the account that one of these keys is proved to belong to. */
    proverOf: async (keys: string[]): Promise<Account | undefined> =>
      (await look(keys)).held.find(({ binding }) => binding.provedBy)?.account,

    /** Forgets the senders of an account. */
    forgetOf: (accountId: string) => remembered.write(() => deleteAll(bindings, { accountId })),

    /** Returns a number's key and those of the user ids seen with it. */
    async keysWith(key: string): Promise<string[]> {
      return [key, ...(await bindings.find({ seenWith: key }).lean()).map(({ _id }) => _id)]
    },

    /**
     * Binds all keys of the sender to the account whose code the message contains. `taken`: one of them is proved to belong
     * to another account; then bindings that this message has made already are undone. `known`: they were all bound to it.
     */
    async prove(sender: Sender, account: Account, message: string): Promise<'proved' | 'known' | 'taken'> {
      const keys = senderKeys(sender)
      const { found, held } = await look(keys)
      const ours = { accountId: account._id, provedBy: account.boundBy }
      const isTaken = held.some(({ binding }) => binding.provedBy && binding.accountId !== account._id)
      if (isTaken) {
        // The document stays, without proof: an earlier delivery under way must not insert it again.
        const nobodys = { provedBy: null, seenWith: null, partOf: null }
        const part = { _id: { $in: keys }, ...ours, partOf: message }
        await remembered.write(async () => bindings.updateOne(part, { $set: nobodys }))
        return 'taken'
      }
      for (const key of keys) {
        const isPart = key !== keys.at(-1)
        const before = bindingAsRead(found, key)
        // A proof by another message is not part of this one.
        if (isPart && before?.accountId === ours.accountId && before.provedBy === ours.provedBy) continue
        const after = { ...ours, seenWith: null, partOf: isPart ? message : null }
        if (await write(key, before, after)) continue
        // Two deliveries of one message are one proof. Otherwise the provider's redelivery finds which proof came first.
        const stored = { _id: key, ...ours }
        if (isPart && (await bindings.exists(stored))) continue
        if (!isPart && (await bindings.updateOne(stored, { $set: after })).matchedCount) continue
        throw new Error('Two accounts are linked to one sender at this moment')
      }
      const isKnown = keys.every(key => held.some(({ binding }) => binding._id === key && binding.provedBy))
      return isKnown ? 'known' : 'proved'
    },
  }
}
export type Bindings = ReturnType<typeof createBindings>
