import type { Receipts } from './receipts.ts'

interface Deps {
  receipts: Receipts
  /** Deletes what is stored of a note, and keeps what is still fetched from being stored. */
  buryMedium(mediaId: string, userId: string): Promise<void>
}

export type WithdrawNotes = (userId: string, keys: string[]) => Promise<void>

/** The notes of these senders leave the account and wait. Safe to repeat: a receipt changes when its media are gone. */
export function createWithdrawNotes({ receipts, buryMedium }: Deps): WithdrawNotes {
  return async (userId, keys) => {
    for (const receipt of await receipts.ownedBy(userId, keys)) {
      for (const { mediaId } of receipt.media) await buryMedium(mediaId, userId)
      await receipts.withdraw(receipt)
    }
  }
}
