import { type ClosedAccounts, newSecret, refusal } from '@voxscribe/service'
import type { ShareRecord, Shares } from '../note/shares.ts'
import type { Conversations } from './conversations.ts'
import type { ConversationRecord } from './store.ts'

interface Deps {
  conversations: Conversations
  shares: Shares
  closed: Pick<ClosedAccounts, 'has'>
  publicUrl: string
}

/** Creates links by which people without an account read a conversation. */
export function createConversationSharing({ conversations, shares, closed, publicUrl }: Deps) {
  const { store, find } = conversations
  return {
    /** Creates a link, which replaces the last one; its URL is returned only here. Throws 404. */
    async begin(id: string, userId: string, days: number, generation: number) {
      const conversation = await find(id, userId)
      const wanted = { days, audio: false, of: 'conversation' as const }
      const { token, expiresAt } = await shares.begin(conversation, newSecret(), generation, wanted)
      return { url: `${publicUrl}/s/${token}`, expiresAt: expiresAt.toISOString() }
    },

    /** Ends a conversation's link. Throws 404. */
    async end(id: string, userId: string): Promise<void> {
      await shares.end((await find(id, userId))._id)
    },

    /** Returns the conversation of a link as its owner sees it. */
    async by(share: ShareRecord) {
      const conversation = await store.find(share._id, share.userId)
      return conversation && conversations.presented(conversation)
    },

    /** Returns the conversation of a link. Throws 404 if the link has ended. */
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
