import type { EventOf } from '@voxscribe/contracts/events'
import type { Deps } from './deps.ts'
import { phoneKey } from './senders/inbound.ts'

/** Returns the function that deletes an account's files and chats; its senders are unknown from then on. */
export function createErase({ documents, bindings, receipts, media }: Deps) {
  return async (userId: string, event?: EventOf<'AccountErased'>): Promise<void> => {
    if (event?.data.phone) await forgetChat(userId, event.data.phone, new Date(event.occurredAt))
    // A code of this account proved each of these keys.
    if (event) await receipts.forgetFrom(await bindings.telegramKeysOf(userId), new Date(event.occurredAt))
    await media.forgetOf(userId)
    await documents.eraseOwned(userId)
  }

  /** Deletes a number's messages without an account, if it's proved; otherwise they may be someone else's. */
  async function forgetChat(userId: string, phone: string, before: Date): Promise<void> {
    const keys = await bindings.keysWith(phoneKey(phone))
    if ((await bindings.provedOwnerOf([phoneKey(phone)]))?._id === userId)
      await receipts.forgetFrom(keys, before)
  }
}
