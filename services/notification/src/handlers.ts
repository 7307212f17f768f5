import type { HandlersFor } from '@voxscribe/contracts/events'
import type { Answers } from './answers.ts'
import type { Ownership } from './chat/ownership.ts'
import type { Strangers } from './chat/strangers.ts'
import { createAccountHandlers } from './on-accounts.ts'
import { createBillingHandlers } from './on-billing.ts'
import { createContactHandlers } from './on-contact.ts'
import { createNoteHandlers } from './on-notes.ts'
import { createSenderHandlers } from './on-senders.ts'
import type { Outbound } from './outbound.ts'
import type { People } from './people.ts'
import type { QuotaMarks } from './quota-marks.ts'

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
