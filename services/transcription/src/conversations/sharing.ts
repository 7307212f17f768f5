import { type Closed, newSecret, refusal } from '@voxscribe/service'
import type { ShareRecord, Shares } from '../note/shares.ts'
import type { Conversations } from './conversations.ts'
import type { ConversationRecord } from './store.ts'

interface Deps {
  conversations: Conversations
  shares: Shares
  closed: Pick<Closed, 'has' | 'passwordGenerationOf'>
  publicUrl: string
}

/** Links by which people without an account read a conversation. */
export function createConversationSharing({ conversations, shares, closed, publicUrl }: Deps) {
  const { store, find } = conversations
  return {
    /** Makes a link, in place of the last one; its address is shown this once. Throws 404. */
    async begin(id: string, userId: string, days: number, generation?: number) {
      const begun = generation ?? (await closed.passwordGenerationOf(userId))
      const conversation = await find(id, userId)
      const wanted = { days, audio: false, of: 'conversation' as const }
      const { token, expiresAt } = await shares.begin(conversation, newSecret(), begun, wanted)
      return { url: `${publicUrl}/s/${token}`, expiresAt: expiresAt.toISOString() }
    },

    /** Throws 404. */
    async end(id: string, userId: string): Promise<void> {
      await shares.end((await find(id, userId))._id)
    },

    /** The conversation of a link as its person sees it. */
    async by(share: ShareRecord) {
      const conversation = await store.find(share._id, share.userId)
      return conversation && conversations.presented(conversation)
    },

    /** The conversation of a link. Throws 404 for one that has ended. */
    async open(token: string): Promise<ConversationRecord> {
      const share = await shares.byToken(token)
      const isOpen = share?.of && !(await closed.has(share.userId, share.generation))
      const conversation = isOpen ? await store.find(share._id, share.userId) : null
      if (!conversation) throw refusal('link_ended')
      return conversation
    },
  }
}
export type ConversationSharing = ReturnType<typeof createConversationSharing>
