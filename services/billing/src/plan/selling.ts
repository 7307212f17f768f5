import type { Logger } from '@voxscribe/service'
import type { Accounts } from '../minutes/accounts.ts'
import type { StripeCalls } from '../stripe/calls.ts'
import type { Payments } from './payments.ts'
import type { PurchaseEnded, Synchronise } from './synchronise.ts'

/** Dependencies of everything that sells the paid plan. */
export interface Selling {
  accounts: Accounts
  payments: Payments
  stripe: StripeCalls
  synchronise: Synchronise
  purchaseEnded: PurchaseEnded
  log: Logger
}
