import type { Answers } from '../sending/answers.ts'
import type { BalanceOf } from '../sending/balances.ts'
import type { Outbound, SendClaims } from '../sending/outbound.ts'
import type { People } from '../sending/people.ts'
import type { PersonMails } from '../sending/person-mails.ts'
import type { Typing } from '../sending/typing.ts'
import type { OpenHooks } from '../webhooks/open-hooks.ts'

/** Dependencies of the handlers. */
export interface Deps {
  outbound: Outbound
  mails: PersonMails
  answers: Answers
  balanceOf: BalanceOf
  typing: Typing
  people: People
  claims: SendClaims
  hooks: Pick<OpenHooks, 'announce' | 'forgetNote' | 'turnOffBefore'>
  publicUrl: string
  /** Digits of the number that new people write to; empty when there is none. */
  numberOnOffer(): Promise<string>
  /** How a browser reaches the sandbox, while that stands in for WhatsApp. */
  sandboxUrl: string | undefined
  supportEmail: string
  /** Whether summaries and translations are offered. */
  hasTextModel: boolean
}
