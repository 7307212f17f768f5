import type { EventOf } from '@voxscribe/contracts/events'
import type { Accounts } from './accounts.ts'
import type { Bindings } from './bindings.ts'
import type { GiveNotes } from './give-notes.ts'
import { senderKeys } from './senders.ts'

interface Deps {
  accounts: Accounts
  bindings: Bindings
  giveNotes: GiveNotes
}

/**
 * An account is new or has changed. A number works from its claim on, not from when we hear of it: notes that were
 * quicker than the news are announced. Older ones, from before the number was claimed, wait for the link code, also
 * when news of an earlier claim come late or twice.
 */
export function createOnAccountNews({ accounts, bindings, giveNotes }: Deps) {
  return async ({ data }: EventOf<'UserRegistered' | 'UserUpdated'>): Promise<void> => {
    await accounts.learn(data)
    if (!data.phone) return
    const sender = { channel: 'whatsapp' as const, phone: data.phone, whatsappUserId: null }
    const match = await bindings.match(sender)
    if (match?.account._id === data.userId) await giveNotes.all(senderKeys(sender), match)
  }
}
