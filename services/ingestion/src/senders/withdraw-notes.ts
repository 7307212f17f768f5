import type { Bindings } from './bindings.ts'
import type { Left, Receipts } from './receipts.ts'

interface Deps {
  bindings: Bindings
  receipts: Receipts
  /** Takes the media from their account; what is still fetched for it is not stored any more. */
  withdrawMedia(mediaId: string, userId: string): Promise<Left>
}

export type WithdrawNotes = (userId: string, keys: string[]) => Promise<void>

/**
 * The notes of these senders leave the account, unless the sender is proved to be the account's by now. They wait, or go
 * to whoever has been proved meanwhile: nobody says so again. Safe to repeat: a receipt changes when its media have.
 */
export function createWithdrawNotes({ bindings, receipts, withdrawMedia }: Deps): WithdrawNotes {
  return async (userId, keys) => {
    for (const receipt of await receipts.ownedBy(userId, keys)) {
      if ((await bindings.proverOf(receipt.keys))?._id === userId) continue
      const left = new Map<string, Left>()
      for (const { mediaId } of receipt.media) left.set(mediaId, await withdrawMedia(mediaId, userId))
      await receipts.withdraw(receipt, userId, left)
    }
    for (const waiting of await receipts.waitingFrom(keys)) {
      const owner = await bindings.proverOf(waiting.keys)
      if (owner) await receipts.release(waiting.keys, owner._id)
    }
  }
}
