import type { HandlersFor } from '@voxscribe/contracts/events'
import { register, type Step, updateContact } from './minutes/account.ts'
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

export function createHandlers({ accounts, holdMs, updateCustomer }: Deps): Handlers {
  return {
    async UserRegistered({ data }) {
      await accounts.change(data.userId, (current, _past, at) => register(current, data, at))
    },
    async UserUpdated({ data }) {
      await accounts.change(data.userId, (current, _past, at) => updateContact(current, data, at))
      await updateCustomer(data.userId)
    },
    async MediaNormalised(event) {
      const { userId, transcriptionId } = event.data
      await accounts.change(
        userId,
        (current, past, at) => reserve(current, past, event, at, holdMs),
        transcriptionId,
      )
    },
    async TranscriptionCompleted(event) {
      const { userId, transcriptionId } = event.data
      const { step } = await accounts.change(
        userId,
        (current, past, at) => settle(current, past, event, at),
        transcriptionId,
      )
      countCharged(step)
    },
    async TranscriptionFailed(event) {
      const { userId, transcriptionId } = event.data
      await accounts.change(userId, (current, past, at) => release(current, past, event, at), transcriptionId)
    },
    async NoteWithdrawn(event) {
      const { userId, mediaId } = event.data
      await accounts.change(userId, (current, past, at) => giveBack(current, past, event, at), mediaId)
    },
    async ReservationResolved(event) {
      const { userId, transcriptionId } = event.data
      const { step } = await accounts.change(
        userId,
        (current, past, at) => resolve(current, past, event, at),
        transcriptionId,
      )
      countCharged(step)
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
