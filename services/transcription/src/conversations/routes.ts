import { api, type CheckedQueryOf, CONVERSATION_BODY_MAX } from '@voxscribe/contracts/http'
import { i18nFor } from '@voxscribe/languages/node'
import {
  createBodySlots,
  implement,
  invalidField,
  leftSignal,
  networkOf,
  type RateLimit,
  type Route,
  refusedFor,
} from '@voxscribe/service'
import type { Request } from 'express'
import { type Conversations, RETRY_AFTER_SECONDS } from './conversations.ts'
import type { ConversationExports } from './out/exporting.ts'
import type { ConversationSharing } from './sharing.ts'
import type { ConversationRecord } from './store.ts'

/** Product limit: chats that a person may have read per day, again or not; each megabyte of one counts as one more. */
export const IMPORTS = { points: 600, seconds: 86_400 }
const MEGABYTE = 1_000_000
/** Searching more messages takes up to 2 seconds of processor time. */
const MANY_MESSAGES = 10_000

interface Deps {
  conversations: Conversations
  exports: ConversationExports
  sharing: ConversationSharing
  /** Limits a person's imports, and the views from an address. */
  imports: RateLimit
  perAddress: RateLimit
}

export function conversationRoutes({ conversations, exports, sharing, imports, perAddress }: Deps): Route[] {
  const { messages, importing, find, presented, rootOf } = conversations

  const takeSlot = createBodySlots({ total: 4, perCaller: 1 })

  const countImport = (userId: string, bytes: number) =>
    imports.count(userId, 1 + Math.floor(bytes / MEGABYTE))

  async function pageOf(
    conversation: ConversationRecord,
    query: CheckedQueryOf<typeof api.conversationMessages>,
    request: Request,
  ) {
    const { person, search, kind, day } = query
    const response = request.res!
    const isLong = (search || person || kind || day) && conversation.messages > MANY_MESSAGES
    if (isLong && !takeSlot(conversation.userId, request, response))
      throw refusedFor(RETRY_AFTER_SECONDS, 'overloaded')
    const left = leftSignal(response)
    if (!person) return messages.page(conversation, query, left)
    if (!conversation.people.some(each => each.id === person))
      throw invalidField('person', 'person_unknown', { id: person })
    return messages.page(conversation, { ...query, person: rootOf(conversation, person) }, left)
  }

  return [
    implement(api.createConversation, async ({ request, userId }) => {
      const declared = Number(request.headers['content-length'] ?? CONVERSATION_BODY_MAX)
      await countImport(userId, Math.min(declared, CONVERSATION_BODY_MAX))
      const { conversation, isNew } = await importing.take(request, userId)
      await conversations.complete(conversation)
      return { data: { conversation: await presented(conversation) }, status: isNew ? 201 : 200 }
    }),
    implement(api.conversations, async ({ userId, query: { page, limit } }) => ({
      data: await conversations.list(userId, page, limit),
    })),
    implement(api.conversation, async ({ userId, params: { id } }) => ({
      data: { conversation: await presented(await find(id, userId)) },
    })),
    implement(api.changeConversation, async ({ userId, params: { id }, body, request }) => {
      const count = (bytes: number) => countImport(userId, bytes)
      const changed = await conversations.change(id, userId, body, request, count)
      return { data: { conversation: await presented(changed) }, message: 'Saved' }
    }),
    implement(api.deleteConversation, async ({ userId, params: { id }, query: { notes } }) => {
      await conversations.remove(id, userId, notes === 'true')
      return { data: null, message: 'Conversation deleted' }
    }),
    implement(api.conversationMessages, async ({ userId, params: { id }, query, request }) => ({
      data: await pageOf(await find(id, userId), query, request),
    })),
    implement(api.exportConversation, async ({ userId, params: { id }, query, uiLanguage }) => {
      const { format, certified } = query
      const options = { i18n: i18nFor(uiLanguage), isCertified: certified === 'on' }
      await find(id, userId)
      return { data: null, send: response => exports.send(response, id, userId, format, options) }
    }),
    implement(api.shareConversation, async ({ userId, claims, params: { id }, body: { days } }) => ({
      data: await sharing.begin(id, userId, days, claims.generation),
      message: 'The link is ready',
    })),
    implement(api.endConversationShare, async ({ userId, params: { id } }) => {
      await sharing.end(id, userId)
      return { data: null, message: 'Link removed' }
    }),
    implement(api.sharedMessages, async ({ params: { token }, query, ip, request }) => {
      await perAddress.count(networkOf(ip))
      const data = await pageOf(await sharing.open(token), query, request)
      return { data, headers: { 'cache-control': 'no-store' } }
    }),
    implement(api.conversationFile, async ({ query: { userId, conversation, file } }) => {
      const place = await conversations.fileOf(userId, conversation, file)
      return { data: place }
    }),
  ]
}
