import type { Bindings } from './bindings.ts'
import type { Left, Receipts } from './receipts.ts'

interface Deps {
  bindings: Bindings
  receipts: Receipts
  ownerOf(mediaId: string): Promise<string | undefined>
  /** Takes the media from their account; what is still fetched for it is not stored any more. */
  withdrawMedia(mediaId: string, userId: string): Promise<Left>
}

export type WithdrawNotes = (userId: string, keys: string[]) => Promise<void>

/**
 * The notes of these senders leave the account, unless the sender is proved to be the account's by now. They wait, or go
 * to whoever has been proved meanwhile: nobody says so again. Safe to repeat: a receipt changes when its media have.
 */
export function createWithdrawNotes({ bindings, receipts, ownerOf, withdrawMedia }: Deps): WithdrawNotes {
  async function isOwner(userId: string, mediaIds: string[]): Promise<boolean> {
    return (await Promise.all(mediaIds.map(ownerOf))).includes(userId)
  }
  return async (userId, keys) => {
    for (const receipt of await receipts.ownedBy(userId, keys)) {
      const mediaIds = receipt.media.map(({ mediaId }) => mediaId)
      if (receipt.userId !== userId && !(await isOwner(userId, mediaIds))) continue
      if ((await bindings.proverOf(receipt.keys))?._id === userId) continue
      const left = new Map<string, Left>()
      for (const mediaId of mediaIds) left.set(mediaId, await withdrawMedia(mediaId, userId))
      await receipts.withdraw(receipt, userId, left)
    }
    for (const waiting of await receipts.waitingFrom(keys)) {
      const owner = await bindings.proverOf(waiting.keys)
      if (owner) await receipts.release(waiting.keys, owner._id)
    }
  }
}
