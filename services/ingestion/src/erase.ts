import type { EventOf } from '@voxscribe/contracts/events'
import type { Media } from './media/media.ts'
import type { Uploads } from './media/uploads.ts'
import { phoneKey } from './senders/inbound.ts'
import type { Senders } from './senders/note-owners.ts'

interface Deps extends Pick<Senders, 'accounts' | 'bindings' | 'receipts'> {
  media: Media
  uploads: Uploads
}

/** Returns the function that deletes everything of an account: its chats are those of an unknown sender from then on. */
export function createErase({ accounts, bindings, receipts, media, uploads }: Deps) {
  return async (userId: string, event?: EventOf<'AccountErased'>): Promise<void> => {
    if (event?.data.phone) await forgetChat(userId, event.data.phone, new Date(event.occurredAt))
    await accounts.forget(userId)
    await bindings.forgetOf(userId)
    await receipts.forgetOf(userId)
    await uploads.forgetOf(userId)
    await media.forgetOf(userId)
  }

  /** Messages of before the account are its person's only if the number is proved. */
  async function forgetChat(userId: string, phone: string, before: Date): Promise<void> {
    const keys = await bindings.keysWith(phoneKey(phone))
    if ((await bindings.proverOf([phoneKey(phone)]))?._id === userId) await receipts.forgetFrom(keys, before)
  }
}
