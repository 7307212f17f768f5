import type { HandlersFor } from '@voxscribe/contracts/events'
import { type Account, type LedgerEntry, register, type Step, updateContact } from './minutes/account.ts'
import type { Accounts } from './minutes/accounts.ts'
import { secondsUsed } from './minutes/metrics.ts'
import { giveBack, questionSoon, release, reserve, resolve, settle } from './minutes/quota.ts'
import type { UpdateCustomer } from './plan/update-customer.ts'

interface Deps {
  accounts: Accounts
  /** Longer than an attempt can last: then transcription is asked what became of it. */
  holdMs: number
  updateCustomer: UpdateCustomer
}

export type Handlers = HandlersFor<'billing'>

/** Decides what an event about a note's minutes does to the account. */
type Rule<Cause> = (current: Account, past: LedgerEntry[], cause: Cause, at: Date) => Step | null
interface AboutMinutes {
  data: { userId: string; transcriptionId: string }
}

export function createHandlers({ accounts, holdMs, updateCustomer }: Deps): Handlers {
  async function apply<Cause extends AboutMinutes>(rule: Rule<Cause>, cause: Cause): Promise<Step | null> {
    const { userId, transcriptionId } = cause.data
    const { step } = await accounts.change(
      userId,
      (current, past, at) => rule(current, past, cause, at),
      transcriptionId,
    )
    return step
  }

  return {
    async UserRegistered({ data }) {
      await accounts.change(data.userId, (current, _past, at) => register(current, data, at))
    },
    async UserUpdated({ data }) {
      await accounts.change(data.userId, (current, _past, at) => updateContact(current, data, at))
      await updateCustomer(data.userId)
    },
    async MediaNormalised(event) {
      await apply((current, past, cause, at) => reserve(current, past, cause, at, holdMs), event)
    },
    async TranscriptionCompleted(event) {
      countCharged(await apply((current, _past, cause, at) => settle(current, cause, at), event))
    },
    async TranscriptionFailed(event) {
      await apply(release, event)
    },
    async NoteWithdrawn(event) {
      const { userId, mediaId } = event.data
      await accounts.change(userId, (current, past, at) => giveBack(current, past, event, at), mediaId)
    },
    async ReservationResolved(event) {
      countCharged(await apply(resolve, event))
    },
  }
}

function countCharged(step: Step | null): void {
  secondsUsed.inc(step?.entries.find(({ kind }) => kind === 'settled')?.seconds ?? 0)
}

/** Asks again for the end of a note that could not be processed, so that its minutes are not held forever. */
export const createAskSoon =
  (accounts: Accounts) =>
  async ({ data }: { data: { userId: string; transcriptionId: string } }): Promise<void> => {
    await accounts.change(data.userId, (current, _past, at) =>
      questionSoon(current, data.transcriptionId, at),
    )
  }
