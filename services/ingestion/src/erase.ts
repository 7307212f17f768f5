import type { EventOf } from '@voxscribe/contracts/events'
import type { Deps } from './deps.ts'
import { phoneKey } from './senders/inbound.ts'

/** Returns the function that deletes an account's files and chats: these are an unknown sender's from then on. */
export function createErase({ documents, bindings, receipts, media }: Deps) {
  return async (userId: string, event?: EventOf<'AccountErased'>): Promise<void> => {
    if (event?.data.phone) await forgetChat(userId, event.data.phone, new Date(event.occurredAt))
    // Each was proved by a code of this account.
    if (event) await receipts.forgetFrom(await bindings.telegramKeysOf(userId), new Date(event.occurredAt))
    await media.forgetOf(userId)
    await documents.eraseOwned(userId)
  }

  /** Messages older than the account are its person's only if the number is proved. */
  async function forgetChat(userId: string, phone: string, before: Date): Promise<void> {
    const keys = await bindings.keysWith(phoneKey(phone))
    if ((await bindings.provedOwnerOf([phoneKey(phone)]))?._id === userId)
      await receipts.forgetFrom(keys, before)
  }
}
