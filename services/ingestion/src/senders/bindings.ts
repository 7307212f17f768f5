import { MESSENGERS } from '@voxscribe/contracts/channels'
import { type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { Account, Accounts } from './accounts.ts'
import { areConflicting, type Sender, senderKeys } from './inbound.ts'

/**
 * Binds a number or user id to an account. A proved one (by a message with the account's link code) is valid until the
 * account's number changes or that use is undone. One seen with a number that the account claims is valid while the
 * claim is.
 */
const Binding = z.object({
  _id: z.string(),
  accountId: z.string(),
  /** The account's `boundBy` when it was proved. */
  provedBy: z.string().nullable(),
  seenWith: z.string().nullable(),
  code: z.string().nullable().optional(),
  /** The message that proved it; a message proves both keys of its sender or neither. */
  message: z.string().nullable().optional(),
  /** Other keys that came in the same message. */
  with: z.array(z.string()).optional(),
  version: z.number().optional(),
})
type Binding = z.infer<typeof Binding>

const bindingSchema = schemaOf(Binding).index({ seenWith: 1 }, { sparse: true }).index({ accountId: 1 })

export interface Match {
  account: Account
  proved: boolean
}
interface Held {
  binding: Binding
  account: Account
}

const UNBIND = {
  $set: { provedBy: null, seenWith: null, code: null, message: null, with: [] },
  $inc: { version: 1 },
}
const TRIES = 5

/** Whether a bound key came with a different number or user id, so the sender of these keys is someone else. */
const contradicts = ({ binding }: Held, keys: string[]): boolean =>
  (binding.with ?? []).some(known => keys.some(key => areConflicting(key, known)))

/** Returns the account of a message with these keys; undefined if unknown. The first rule that applies decides. */
function accountOf(keys: string[], held: Held[], claim: Account | null): Match | undefined {
  const isSomebodyElse = (some: Held[]) => some.some(each => contradicts(each, keys))
  const proofs = held.filter(({ binding }) => binding.provedBy)
  const [proof] = proofs
  const account = claim ?? held[0]?.account
  // The keys are proved for two accounts.
  if (proofs.some(each => each.account._id !== proof?.account._id)) return undefined
  // A proved key once came with a rival of another key.
  if (isSomebodyElse(proofs)) return undefined
  // One key is proved. The others are free, seen or claimed, and belong to that account as well.
  if (proof) return { account: proof.account, proved: true }
  // No key is proved, and one was seen with a rival.
  if (isSomebodyElse(held)) return undefined
  // The number is claimed, or a key was seen.
  if (account) return { account, proved: false }
  return undefined
}

export function createBindings(documents: Pick<Documents, 'model'>, accounts: Accounts) {
  const bindings = documents.model('senders', bindingSchema, { owner: 'accountId' })

  /** Returns the bindings of these keys, valid ones in the order of the keys, and the newest claim of the number. */
  async function look(keys: string[]) {
    const number = keys.find(key => key.startsWith('phone:'))
    const [found, claim]: [Binding[], Account | null] = await Promise.all([
      bindings.find({ _id: { $in: keys } }).lean(),
      number ? accounts.byPhoneKey(number) : null,
    ])
    const others = found.map(({ accountId }) => accountId).filter(id => id !== claim?._id)
    const owners = [...(claim ? [claim] : []), ...(others.length ? await accounts.byIds(others) : [])]

    async function holds({ provedBy, seenWith, code }: Binding, account: Account): Promise<boolean> {
      if (!provedBy) {
        const seen = seenWith === number ? claim : await accounts.byPhoneKey(seenWith ?? '')
        return seen?._id === account._id
      }
      const isUndone = code ? account.undoneCodes?.includes(code) : false
      return account.boundBy === provedBy && account.voidBoundBy !== provedBy && !isUndone
    }
    const held: Held[] = []
    for (const key of keys) {
      const binding = found.find(({ _id }) => _id === key)
      const account = owners.find(({ _id }) => _id === binding?.accountId)
      if (binding && account && (await holds(binding, account))) held.push({ binding, account })
    }
    return { found, held, claim, proofs: held.filter(({ binding }) => binding.provedBy) }
  }

  /** Writes a binding unless it has changed since it was read. */
  async function write(
    _id: string,
    before: Binding | undefined,
    after: Omit<Binding, '_id'>,
  ): Promise<boolean> {
    const { version = null } = before ?? {}
    const written = { ...after, version: (version ?? 0) + 1 }
    if (!before) return insertOnce(bindings, { _id, ...written })
    return (await bindings.updateOne({ _id, version }, { $set: written })).matchedCount === 1
  }

  /** Returns the owner of these keys; undefined for an unknown sender. */
  async function decide(keys: string[]) {
    const looked = await look(keys)
    const match = accountOf(keys, looked.held, looked.claim)
    return match && { ...looked, match }
  }

  /** Returns a sender's account, and the keys of the sender that aren't bound to it yet. */
  async function find(sender: Sender) {
    const keys = senderKeys(sender)
    const decided = await decide(keys)
    if (!decided) return undefined
    const { match, held, found, proofs } = decided
    const [proof] = proofs
    const { account, proved } = match
    const unbound = keys.flatMap(key => {
      const others = keys.filter(other => other !== key)
      const before = found.find(({ _id }) => _id === key)
      const binding = held.find(({ binding: { _id, accountId, provedBy } }) => {
        return _id === key && accountId === account._id && (!proof || provedBy)
      })?.binding
      // A claimed number needs no binding until another key comes with it.
      if (!binding && !proved && key === account.phoneKey && !others.length) return []
      if (binding && others.every(other => binding.with?.includes(other))) return []
      // One proved key proves the sender's other keys as well.
      const bound = binding ?? {
        accountId: account._id,
        provedBy: proof?.binding.provedBy ?? null,
        seenWith: proved ? null : account.phoneKey,
        code: proof?.binding.code ?? null,
        message: null,
      }
      return [{ key, before, after: { ...bound, with: [...new Set([...(binding?.with ?? []), ...others])] } }]
    })
    return { match, unbound }
  }

  return {
    /**
     * Returns a sender's account: the proved one, otherwise the one that claims the number. Binds the sender's other
     * keys to it. `onNew` runs before that, so that it runs again if it fails, and after it, for messages that arrived
     * in between.
     */
    async match(
      sender: Sender,
      onNew: (match: Match) => Promise<unknown> = async () => {},
    ): Promise<Match | undefined> {
      for (let tried = 0; tried < TRIES; tried++) {
        const looked = await find(sender)
        if (!looked?.unbound.length) return looked?.match
        await onNew(looked.match)
        let isWritten = true
        for (const { key, before, after } of looked.unbound) isWritten &&= await write(key, before, after)
        await onNew(looked.match)
        if (isWritten) return looked.match
      }
      throw new Error('A sender changes all the time')
    },

    /** Does the same without writing; undefined as well if a key would have to be bound. */
    async recognise(sender: Sender): Promise<Match | undefined> {
      const looked = await find(sender)
      return looked?.unbound.length ? undefined : looked?.match
    },

    ownerOf: async (keys: string[]): Promise<Match | undefined> => (await decide(keys))?.match,

    async provedOwnerOf(keys: string[]): Promise<Account | undefined> {
      const match = await this.ownerOf(keys)
      return match?.proved ? match.account : undefined
    },

    /** Returns a number's key and the keys of user ids seen with it. */
    async keysWith(key: string): Promise<string[]> {
      const seen = await bindings.find({ seenWith: key }).lean()
      return [...new Set([key, ...seen.map(({ _id }) => _id)])]
    },

    /** Returns the account that one of these keys was proved for by this code, which is used up since; undefined when none was. */
    async provedBy(keys: string[], code: string): Promise<Account | undefined> {
      return (await look(keys)).proofs.find(({ binding }) => binding.code === code)?.account
    },

    async telegramKeysOf(accountId: string): Promise<string[]> {
      const proved = await bindings.find({ accountId, provedBy: { $ne: null } }).lean()
      return proved.map(({ _id }) => _id).filter(key => key.startsWith(MESSENGERS.telegram.idKind))
    },

    /** Returns the numbers and user ids that are bound to an account, as sender keys. */
    async keysOf(accountId: string): Promise<string[]> {
      return (await bindings.find({ accountId }, { _id: 1 }).lean()).map(({ _id }) => _id)
    },

    /** Unbinds from an account a number that its person has left, and the user ids that came with it. Idempotent. */
    async leave(accountId: string, key: string): Promise<void> {
      const left = await bindings.findById(key).lean()
      const keys = [key, ...(left?.accountId === accountId ? (left.with ?? []) : [])]
      for (const _id of keys) await bindings.updateOne({ _id, accountId }, UNBIND)
    },

    async isProvedElsewhere({ _id: accountId, boundBy, undoneCodes = [] }: Account, keys: string[]) {
      const others = await bindings.find({ accountId, provedBy: boundBy }).lean()
      return others.some(({ _id, code }) => !keys.includes(_id) && !(code && undoneCodes.includes(code)))
    },

    /**
     * Binds all keys of a sender to the account whose code the message contains. `known`: they were already bound, and
     * the code isn't used up. `taken`: one is proved for another account; bindings made by this message are undone.
     */
    async prove(sender: Sender, account: Account, message: string): Promise<'proved' | 'known' | 'taken'> {
      const keys = senderKeys(sender)
      const { found, proofs } = await look(keys)
      // According to WhatsApp, a number that comes with a different user id than the proved one has a new owner.
      const standing = proofs.filter(
        held => !contradicts(held, keys) || !held.binding._id.startsWith('phone:'),
      )
      if (standing.some(({ binding }) => binding.accountId !== account._id)) {
        // The documents stay, without proof, so that an earlier delivery still in progress can't insert them again.
        const part = { _id: { $in: keys }, accountId: account._id, message }
        await bindings.updateOne(part, UNBIND)
        return 'taken'
      }
      const { boundBy: provedBy, linkCode: code } = account
      const isKnown = (key: string) =>
        standing.some(
          held => held.binding._id === key && held.binding.message !== message && !contradicts(held, keys),
        )
      const fresh = keys.filter(key => !isKnown(key))
      for (const key of fresh) {
        const others = keys.filter(other => other !== key)
        const after = { accountId: account._id, provedBy, seenWith: null, code, message, with: others }
        const before = found.find(({ _id }) => _id === key)
        if (await write(key, before, after)) continue
        // Two deliveries of one message are one proof. Otherwise the provider's redelivery finds which proof came first.
        const stored = { _id: key, accountId: account._id, provedBy, message }
        if (!(await bindings.exists(stored)))
          throw new Error('Two accounts are linked to one sender at this moment')
      }
      return fresh.length ? 'proved' : 'known'
    },
  }
}
export type Bindings = ReturnType<typeof createBindings>
