import { PasswordResetRequested } from '@voxscribe/contracts/events'
import { currentTrace, hashOf } from '@voxscribe/service'
import { openFormerEmails, restoreEmail } from '../accounts/former-emails.ts'
import { openFormerNumbers } from '../accounts/former-numbers.ts'
import { beginGeneration } from '../accounts/generations.ts'
import type { User } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'
import { newReset } from './password-reset.ts'

const RELEASED_AT_ONCE = 50

/**
 * Restores an address and its password in a new generation, and mails a link for a new password where passwords are in
 * use. Later undo links end, because their mailboxes may be an attacker's.
 */
export async function undoEmailChange(deps: Deps, token: string): Promise<void> {
  const tokenHash = hashOf(token)
  const withLink = () => deps.users.byUndoToken(tokenHash)
  await beginGeneration(deps, 'undo', withLink, user => restore(deps, user, tokenHash))
}

function restore(deps: Deps, user: User, tokenHash: string) {
  const change = restoreEmail(user, tokenHash)
  if (deps.oidcOnly) return { change }
  const { reset, link } = newReset(deps)
  const { _id: userId, firstName } = user
  const data = { userId, email: change.email, firstName, ...link }
  const events = [PasswordResetRequested.create(data, { traceId: currentTrace() })]
  return { change: { ...change, resets: [reset] }, events }
}

/** Releases former addresses, and forgets former numbers, after seven days. */
export async function releaseFormer({ users }: Deps): Promise<void> {
  const at = new Date()
  for (const user of await users.withExpired('formerEmails', at, RELEASED_AT_ONCE))
    await users.change(user, { formerEmails: openFormerEmails(user, at) }, [])
  for (const user of await users.withExpired('formerNumbers', at, RELEASED_AT_ONCE))
    await users.change(user, { formerNumbers: openFormerNumbers(user, at) }, [])
}
