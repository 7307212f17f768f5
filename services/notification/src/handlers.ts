import type { HandlersFor } from '@voxscribe/contracts/events'
import type { Ownership } from './chat/ownership.ts'
import type { Strangers } from './chat/strangers.ts'
import type { Answers } from './delivery/answers.ts'
import type { Outbound } from './delivery/outbound.ts'
import type { People } from './delivery/people.ts'
import { createAccountHandlers } from './news/on-accounts.ts'
import { createBillingHandlers } from './news/on-billing.ts'
import { createContactHandlers } from './news/on-contact.ts'
import { createNoteHandlers } from './news/on-notes.ts'
import { createSenderHandlers } from './news/on-senders.ts'
import type { QuotaMarks } from './news/quota-marks.ts'

interface Deps {
  outbound: Outbound
  answers: Answers
  people: People
  ownership: Ownership
  strangers: Strangers
  marks: QuotaMarks
  publicUrl: string
  supportEmail: string
  now: () => Date
}

export function createHandlers(deps: Deps): HandlersFor<'notification'> {
  return {
    ...createNoteHandlers(deps),
    ...createSenderHandlers(deps),
    ...createAccountHandlers(deps),
    ...createBillingHandlers(deps),
    ...createContactHandlers(deps),
  }
}
