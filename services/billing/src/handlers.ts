import { BalanceTold, type HandlersFor } from '@voxscribe/contracts/events'
import { counter } from '@voxscribe/service'
import { limited, proveNumber, register, remainingSeconds, updateContact } from './minutes/account.ts'
import type { Accounts } from './minutes/accounts.ts'
import { type AttemptEnd, giveBack, type Rule, reserve, settle } from './minutes/quota.ts'
import type { UpdateCustomer } from './plan/recheck.ts'

const secondsUsed = counter({
  name: 'billing_used_seconds_total',
  help: 'Seconds of audio charged for transcriptions',
})

interface Deps {
  accounts: Accounts
  updateCustomer: UpdateCustomer
}

interface AboutNote {
  data: { userId: string; transcriptionId: string }
}

/** Creates unknown accounts; their registration completes them. No event of an erased account is retried. */
export function createHandlers({ accounts, updateCustomer }: Deps): HandlersFor<'billing'> {
  const apply = <Event extends AboutNote>(rule: Rule<Event>, event: Event) =>
    accounts.change(
      event.data.userId,
      (current, past, at) => rule(current, past, event, at),
      event.data.transcriptionId,
    )
  async function end(event: AttemptEnd): Promise<void> {
    const { step } = await apply(settle, event)
    secondsUsed.inc(step?.note?.charged?.seconds ?? 0)
  }

  return {
    async UserRegistered({ data }) {
      await accounts.change(data.userId, (current, _past, at) => register(current, data, at))
    },
    async UserUpdated({ data }) {
      await accounts.change(data.userId, (current, _past, at) => updateContact(current, data, at))
      await updateCustomer(data.userId)
    },
    async SenderLinked({ data, occurredAt }) {
      await accounts.change(data.userId, current => proveNumber(current, data.phone, new Date(occurredAt)))
    },
    async ChatCommandReceived(event) {
      const { userId, command, source } = event.data
      await accounts.change(userId, account => {
        const periodEnd = account.periodEnd.toISOString()
        const data = {
          userId,
          command,
          remainingSeconds: limited(remainingSeconds(account)),
          periodEnd,
          source,
        }
        return { account, events: [BalanceTold.causedBy(event, data)] }
      })
    },
    async MediaNormalised(event) {
      await apply(reserve, event)
    },
    TranscriptionCompleted: end,
    TranscriptionFailed: end,
    async NoteWithdrawn(event) {
      const { userId, mediaId } = event.data
      await accounts.change(userId, (current, past, at) => giveBack(current, past, event, at), mediaId)
    },
  }
}
