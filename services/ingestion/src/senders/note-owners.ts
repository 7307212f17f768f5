import type { EventOf } from '@voxscribe/contracts/events'
import type { Documents } from '@voxscribe/service'
import { type Accounts, createAccounts } from './accounts.ts'
import { type Bindings, createBindings, type Match } from './bindings.ts'
import { phoneKey, senderKeys } from './inbound.ts'
import { createReceipts, type Left, type Receipts } from './receipts.ts'

type WithdrawMedia = (mediaId: string, userId: string) => Promise<Left>

/** Announces waiting notes to their sender's account, and withdraws notes from an account. Idempotent. */
function createNoteOwners(
  accounts: Accounts,
  bindings: Bindings,
  receipts: Receipts,
  withdrawMedia: WithdrawMedia,
) {
  /**
   * Withdraws these senders' notes from an account, unless the sender is now proved to be the account's. They wait, or
   * go to the account that was proved in the meantime. Each receipt changes after its media.
   */
  async function withdraw(userId: string, keys: string[]): Promise<void> {
    for (const receipt of await receipts.ownedBy(userId, keys)) {
      if ((await bindings.provedOwnerOf(receipt.keys))?._id === userId) continue
      const left = new Map<string, Left>()
      for (const { mediaId } of receipt.media) left.set(mediaId, await withdrawMedia(mediaId, userId))
      await receipts.withdraw(receipt, userId, left)
    }
    await publishWaiting(keys)
  }

  /** Announces waiting notes from these keys, each to the account proved for all of its keys. Returns how many. */
  async function publishWaiting(keys: string[]): Promise<number> {
    let count = 0
    for (const waiting of await receipts.waitingFrom(keys)) {
      const owner = await bindings.provedOwnerOf(waiting.keys)
      if (!owner) continue
      await receipts.assign(waiting, { userId: owner._id, claimed: false })
      count += waiting.media.length
    }
    return count
  }

  /** Withdraws the notes again if the account's claim was voided in the meantime. */
  async function withdrawIfVoid(keys: string[], { account, proved }: Match): Promise<void> {
    const isVoid = !proved && (await accounts.byId(account._id))?.disowned?.includes(account.phoneKey ?? '')
    if (isVoid) await withdraw(account._id, keys)
  }

  /** Announces waiting notes; for an account with only a claim, those since the claim, or of message `justCame`. */
  async function assign(keys: string[], match: Match, justCame?: string): Promise<void> {
    const { account, proved } = match
    if (proved) return void (await publishWaiting(keys))
    const waiting = justCame
      ? await receipts.waitingForClaim({ _id: justCame })
      : await receipts.waitingForClaim({ keys: { $in: keys } }, account.claimedAt)
    for (const receipt of waiting) {
      const owner = await bindings.ownerOf(receipt.keys)
      if (owner?.account._id === account._id)
        await receipts.assign(receipt, { userId: account._id, claimed: true })
    }
    await withdrawIfVoid(keys, match)
  }

  return {
    withdraw,
    withdrawIfVoid,
    publishWaiting,
    assign,

    /** Takes a number from an account whose person has left it. The account keeps its notes. Idempotent. */
    async onNumberChanged({ data }: Pick<EventOf<'NumberChanged'>, 'data'>): Promise<void> {
      const key = phoneKey(data.phone)
      await bindings.leave(data.userId, key)
      await accounts.unclaim(data.userId, key)
    },

    /**
     * Applies a new or changed account. Announces the notes since its claim of a number, not since this event. Older
     * ones wait for the link code, even if events of an earlier claim arrive late or twice.
     */
    async onAccountEvent({ data }: EventOf<'UserRegistered' | 'UserUpdated'>): Promise<void> {
      await accounts.apply(data)
      if (!data.phone) return
      const sender = { channel: 'whatsapp' as const, phone: data.phone, messengerId: null }
      const match = await bindings.match(sender)
      if (match?.account._id === data.userId) await assign(senderKeys(sender), match)
    },
  }
}

interface Deps {
  documents: Documents
  now(): Date
  /** Takes media from their account, and drops their download. */
  withdrawMedia: WithdrawMedia
}

export type Senders = ReturnType<typeof openSenders>

/** Opens the stores of accounts, senders and receipts, and the rules that move notes between accounts. */
export function openSenders({ documents, now, withdrawMedia }: Deps) {
  const accounts = createAccounts(documents)
  const bindings = createBindings(documents, accounts)
  const receipts = createReceipts(documents, now)
  const owners = createNoteOwners(accounts, bindings, receipts, withdrawMedia)
  return { accounts, bindings, receipts, owners, now }
}
