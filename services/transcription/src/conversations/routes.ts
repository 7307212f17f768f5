import { api } from '@voxscribe/contracts/http'
import { implement, invalidField, type RateLimit, type Route } from '@voxscribe/service'
import type { Conversations } from './conversations.ts'
import { presentRow } from './present.ts'
import { rootsOf } from './store.ts'

/** Rule of the product: chats that a person may have read. */
export const IMPORTS = { points: 300, seconds: 3_600 }

/** The calls about conversations. */
export function conversationRoutes(conversations: Conversations, imports: RateLimit): Route[] {
  const { store, messages, importing, find, presented } = conversations
  return [
    implement(api.createConversation, async ({ request, userId }) => {
      await imports.count(userId)
      const { conversation, isNew } = await importing.take(request, userId)
      await conversations.complete(conversation)
      return { data: { conversation: await presented(conversation) }, status: isNew ? 201 : 200 }
    }),
    implement(api.conversations, async ({ userId, query: { page, limit } }) => {
      const [found, total] = await Promise.all([
        store.list(userId, (page - 1) * limit, limit),
        store.count(userId),
      ])
      const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) }
      return { data: { conversations: found.map(presentRow), pagination } }
    }),
    implement(api.conversation, async ({ userId, params: { id } }) => ({
      data: { conversation: await presented(await find(id, userId)) },
    })),
    implement(api.changeConversation, async ({ userId, params: { id }, body }) => ({
      data: { conversation: await presented(await conversations.change(id, userId, body)) },
      message: 'Saved',
    })),
    implement(api.deleteConversation, async ({ userId, params: { id }, query: { notes } }) => {
      await conversations.remove(id, userId, notes === 'true')
      return { data: null, message: 'Conversation deleted' }
    }),
    implement(api.conversationMessages, async ({ userId, params: { id }, query }) => {
      const conversation = await find(id, userId)
      const { person } = query
      const { people } = conversation
      if (person && !people.some(each => each.id === person))
        throw invalidField('person', 'person_unknown', { id: person })
      const asked = person ? { ...query, person: rootsOf(people)(person) } : query
      return { data: await messages.page(conversation, asked) }
    }),
    implement(api.conversationFile, async ({ query: { userId, conversation, file } }) => {
      const place = await conversations.fileOf(userId, conversation, file)
      return { data: place }
    }),
  ]
}
