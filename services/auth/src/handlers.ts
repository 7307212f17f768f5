import type { HandlersFor } from '@voxscribe/contracts/events'
import { disownNumber, linkSender } from './accounts/sender-link.ts'
import type { Users } from './accounts/users.ts'

export const createHandlers = (users: Users): HandlersFor<'auth'> => ({
  SenderLinked: event => linkSender(users, event),
  NumberDisowned: event => disownNumber(users, event),
})
