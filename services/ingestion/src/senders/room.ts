import type { Documents } from '@voxscribe/service'
import { createAccounts } from './accounts.ts'
import { createBindings } from './bindings.ts'
import { createNoteOwners } from './note-owners.ts'
import { createReceipts, type Left } from './receipts.ts'
import { createRemembered } from './remembered.ts'

interface Deps {
  documents: Documents
  /** Whether no other process uses the database. */
  isAlone: boolean
  now(): Date
  withdrawMedia(mediaId: string, userId: string): Promise<Left>
}

export type Senders = ReturnType<typeof openSenders>

/** Opens the stores of accounts, senders and receipts, and what moves notes between accounts. */
export function openSenders({ documents, isAlone, now, withdrawMedia }: Deps) {
  const remembered = createRemembered(isAlone)
  const accounts = createAccounts(documents, remembered)
  const bindings = createBindings(documents, accounts, remembered)
  const receipts = createReceipts(documents, now)
  const owners = createNoteOwners({ accounts, bindings, receipts, withdrawMedia })
  return { accounts, bindings, receipts, owners, now }
}
