import type { HandlersFor } from '@voxscribe/contracts/events'
import { linkedText, strangerText } from './chat/chat-texts.ts'
import type { Strangers } from './chat/strangers.ts'
import type { Outbound } from './outbound.ts'
import type { People } from './people.ts'

interface Deps {
  outbound: Outbound
  people: People
  strangers: Strangers
  publicUrl: string
  now: () => Date
}

/** Answers about who a chat belongs to. */
export function onSenders({
  outbound,
  people,
  strangers,
  publicUrl,
  now,
}: Deps): Pick<HandlersFor<'notification'>, 'SenderUnknown' | 'SenderLinked' | 'LinkRefused'> {
  return {
    async SenderUnknown({ id, data }) {
      if (!(await strangers.claim(data.source, id, now()))) return
      await outbound.chat(`unknown:${id}`, data.source, strangerText(data.noteWaits, publicUrl))
    },
    async SenderLinked({ id, data, occurredAt }) {
      await people.rememberChat(data.userId, data.source, new Date(occurredAt))
      const person = await people.byId(data.userId)
      await outbound.chat(`linked:${id}`, data.source, linkedText(person?.firstName))
    },
    async LinkRefused({ id, data }) {
      await outbound.chat(`link-refused:${id}`, data.source, data.reason.sentence)
    },
  }
}
