import type { Ownership } from '../chat/ownership.ts'
import type { Strangers } from '../chat/strangers.ts'
import type { Answers } from '../delivery/answers.ts'
import type { Outbound } from '../delivery/outbound.ts'
import type { People } from '../delivery/people.ts'
import type { QuotaMarks } from './quota-marks.ts'

/** Dependencies of the handlers. */
export interface Deps {
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
