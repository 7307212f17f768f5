import { EmailChanged } from '@voxscribe/contracts/events'
import { UNDO_DAYS } from '@voxscribe/contracts/limits'
import { currentTrace, hashOf, limitReached, newSecret } from '@voxscribe/service'
import type { FormerEmail, User } from './users.ts'

const UNDO_MS = UNDO_DAYS * 86_400_000
/** Each change is mailed, so their number is limited. */
const OPEN_MAX = 30

/**
 * Returns what to store when an account's address changes, and the event for the old address. Changing back to a former
 * address ends the links of all newer ones. Only a proved address gets an undo link (7 days), because an unproved one
 * may be a typo.
 */
export function leaveEmail(publicUrl: string, user: User, newEmail: string) {
  const at = new Date()
  const open = openFormerEmails(user, at)
  const last = open.findLastIndex(({ email }) => email === newEmail)
  // The link of that address stays valid: otherwise an attacker could end it by changing back and forth.
  if (last >= 0)
    return { change: { provedEmail: newEmail, formerEmails: open.slice(0, last + 1) }, events: [] }
  const unproved = { confirmToken: newSecret() }
  if (user.provedEmail !== user.email) return { change: { ...unproved, formerEmails: open }, events: [] }
  const [oldest] = open
  if (oldest && open.length >= OPEN_MAX) {
    const waitSeconds = Math.ceil((oldest.until.getTime() - at.getTime()) / 1000)
    throw limitReached('email-changes', waitSeconds, 'too_many_email_changes')
  }
  const { _id: userId, email, passwordHash, firstName } = user
  const token = newSecret()
  const until = new Date(at.getTime() + UNDO_MS)
  const former = { email, passwordHash, tokenHash: hashOf(token), until }
  const undoLink = `${publicUrl}/undo-email?token=${token}`
  const left = { userId, oldEmail: email, newEmail, firstName, undoLink }
  return {
    change: { ...unproved, formerEmails: [...open, former] },
    events: [EmailChanged.create(left, { traceId: currentTrace() })],
  }
}

/** Returns the address of an undo link, its password at the time, and the older addresses, whose links stay valid. */
export function restoreEmail({ formerEmails }: User, tokenHash: string) {
  const { email, passwordHash } = formerEmails.find(former => former.tokenHash === tokenHash)!
  const first = formerEmails.findIndex(former => former.email === email)
  return { email, passwordHash, provedEmail: email, formerEmails: formerEmails.slice(0, first) }
}

export const openFormerEmails = ({ formerEmails }: User, at: Date): FormerEmail[] =>
  formerEmails.filter(({ until }) => until > at)
