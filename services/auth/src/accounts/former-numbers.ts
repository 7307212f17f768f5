import { type EventOf, SenderReplaced } from '@voxscribe/contracts/events'
import { currentTrace, hashOf, newSecret } from '@voxscribe/service'
import { newLinkCode } from './account.ts'
import type { FormerNumber, User, UserChange } from './users.ts'

const UNDO_MS = 7 * 86_400_000
/**
 * Beyond that the oldest stay: an attacker must not push out the owner's. So do those whose sender an older one would keep:
 * its undo has to end them, too, and each needs a sender that was not bound before.
 */
const OPEN_MAX = 30

/**
 * Returns what a linked account stores when its number changes to another one (null: to a hidden one), and the event for
 * its owner and the chat before, with a link for 7 days. `by`: the message of the new sender, and the code in it.
 */
export function leaveNumber(
  publicUrl: string,
  user: User,
  phone: string | null,
  by: { cause?: EventOf<'SenderLinked'>; code?: string | undefined } = {},
) {
  const { _id: userId, email, firstName, national, countryId, numberProved, chat } = user
  const token = newSecret()
  const former: FormerNumber = {
    ...(user.phone === undefined ? {} : { phone: user.phone }),
    ...{ national, countryId, numberProved, boundBy: user.boundBy ?? user.linkCode },
    ...(by.code === undefined ? {} : { usedCode: by.code }),
    ...(chat && { chat }),
    tokenHash: hashOf(token),
    until: new Date(Date.now() + UNDO_MS),
  }
  const open = openFormerNumbers(user, new Date())
  const isNeeded = by.code && open.some(({ boundBy }) => boundBy === former.boundBy)
  const formerNumbers = open.length < OPEN_MAX || isNeeded ? [...open, former] : open
  const undoLink = `${publicUrl}/undo-number?token=${token}`
  const channel = by.cause?.data.source.channel
  const data = { userId, email, firstName, chat, phone, channel, undoLink }
  const event = by.cause
    ? SenderReplaced.causedBy(by.cause, data)
    : SenderReplaced.create(data, { traceId: currentTrace() })
  return { change: { formerNumbers }, events: [event] }
}

/**
 * Returns the change back to the number of an undo link: the senders of that time are the account's again, those that were
 * linked since are not. `isFree`: else the number has been proved to be another account's.
 */
export function takeBackNumber(user: User, tokenHash: string, isFree: boolean): UserChange {
  const { formerNumbers = [], undoneCodes = [] } = user
  const first = formerNumbers.findIndex(former => former.tokenHash === tokenHash)
  const { phone, national, countryId, numberProved, boundBy, chat } = formerNumbers[first]!
  const since = formerNumbers.slice(first).flatMap(({ usedCode }) => usedCode ?? [])
  const number = isFree && phone ? { phone, national, numberProved } : NO_NUMBER
  return {
    ...number,
    ...{ countryId, boundBy, chat, linked: true, linkCode: newLinkCode(), numberChosenAt: new Date() },
    undoneCodes: [...undoneCodes, ...since],
    formerNumbers: formerNumbers.slice(0, first),
  }
}

export const NO_NUMBER = { phone: null, national: '', numberProved: false }

export const openFormerNumbers = ({ formerNumbers = [] }: User, at: Date): FormerNumber[] =>
  formerNumbers.filter(({ until }) => until > at)
