import type { Accounts } from './accounts.ts'
import type { Match } from './bindings.ts'
import type { Receipts } from './receipts.ts'
import type { WithdrawNotes } from './withdraw-notes.ts'

interface Deps {
  accounts: Accounts
  receipts: Receipts
  withdrawNotes: WithdrawNotes
}

export type GiveNotes = ReturnType<typeof createGiveNotes>

/** Notes that wait come to the account to which their sender belongs. All of it is safe to repeat. */
export function createGiveNotes({ accounts, receipts, withdrawNotes }: Deps) {
  /** A claim may just have been voided: then its account keeps nothing that was given to it meanwhile. */
  async function takeBack(keys: string[], { account, proved }: Match): Promise<void> {
    const isVoid = !proved && (await accounts.byId(account._id))?.disowned?.includes(account.phoneKey ?? '')
    if (isVoid) await withdrawNotes(account._id, keys)
  }

  return {
    takeBack,
    /** Announces all that waits of a sender's; for an account that only claims the number, what came after the claim. */
    async all(keys: string[], match: Match): Promise<void> {
      const { account, proved } = match
      if (proved) return receipts.release(keys, account._id)
      await receipts.releaseSince(keys, { userId: account._id, claimed: true }, account.claimedAt)
      await takeBack(keys, match)
    },
    /** Announces the notes of a message that has just come. */
    async one(id: string, keys: string[], match: Match): Promise<void> {
      if (match.proved) return receipts.release(keys, match.account._id)
      await receipts.releaseOne(id, match.account._id)
      await takeBack(keys, match)
    },
  }
}
