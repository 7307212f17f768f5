import type { Left, Receipts } from './receipts.ts'

interface Deps {
  receipts: Receipts
  /** Takes the media from their account; what is still fetched for it is not stored any more. */
  withdrawMedia(mediaId: string, userId: string): Promise<Left>
}

export type WithdrawNotes = (userId: string, keys: string[]) => Promise<void>

/** The notes of these senders leave the account and wait. Safe to repeat: a receipt changes when its media have. */
export function createWithdrawNotes({ receipts, withdrawMedia }: Deps): WithdrawNotes {
  return async (userId, keys) => {
    for (const receipt of await receipts.ownedBy(userId, keys)) {
      const left = new Map<string, Left>()
      for (const { mediaId } of receipt.media) left.set(mediaId, await withdrawMedia(mediaId, userId))
      await receipts.withdraw(receipt, left)
    }
  }
}
