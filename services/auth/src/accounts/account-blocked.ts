import { ACCOUNT_BLOCKED, reason, sentenceOf } from '@voxscribe/contracts/reasons'
import { english } from '@voxscribe/languages'
import { Problem } from '@voxscribe/service'

export const accountBlocked = (support: string): Problem =>
  new Problem(403, ACCOUNT_BLOCKED, sentenceOf(english, reason(ACCOUNT_BLOCKED, { support })))
