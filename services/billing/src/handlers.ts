import type { HandlersFor } from '@voxscribe/contracts/events'
import { register } from './minutes/account.ts'
import type { Accounts } from './minutes/accounts.ts'
import { secondsUsed } from './minutes/metrics.ts'
import { giveBack, release, reserve, resolve, settle } from './minutes/quota.ts'

export const createHandlers = ({ accounts }: { accounts: Accounts }): HandlersFor<'billing'> => ({
  async UserRegistered({ data }) {
    await accounts.change(data.userId, (account, _past, now) => register(account, data, now))
  },
  async MediaNormalised(event) {
    const { userId, transcriptionId } = event.data
    await accounts.change(userId, (account, past, now) => reserve(account, past, event, now), transcriptionId)
  },
  async TranscriptionCompleted(event) {
    const { userId, transcriptionId } = event.data
    let charged = 0
    await accounts.change(
      userId,
      (account, past, now) => {
        const step = settle(account, past, event, now)
        charged = step?.entries.find(({ kind }) => kind === 'settled')?.seconds ?? 0
        return step
      },
      transcriptionId,
    )
    secondsUsed.inc(charged)
  },
  async TranscriptionFailed(event) {
    const { userId, transcriptionId } = event.data
    await accounts.change(userId, (account, past, now) => release(account, past, event, now), transcriptionId)
  },
  async NoteWithdrawn(event) {
    const { userId, mediaId } = event.data
    await accounts.change(userId, (account, past, now) => giveBack(account, past, event, now), mediaId)
  },
  async ReservationResolved(event) {
    const { userId, transcriptionId } = event.data
    await accounts.change(userId, (account, past, now) => resolve(account, past, event, now), transcriptionId)
  },
})
