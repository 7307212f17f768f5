import { type EventOf, SenderReplaced } from '@voxscribe/contracts/events'
import { currentTrace, hashOf, newSecret } from '@voxscribe/service'
import { newLinkCode } from './account.ts'
import type { FormerNumber, User, UserChange } from './users.ts'

const UNDO_MS = 7 * 86_400_000
/**
 * With this many open, a new one isn't stored, so that an attacker can't push out the owner's. Exception: one with the
 * same `boundBy` as an open one, because the undo of the older one must also end the sender linked now. Each of those
 * needs a sender that wasn't bound before, which limits their number.
 */
const OPEN_MAX = 30

/**
 * Returns what to store when a linked account's number changes to `phone` (null: a hidden one), and the event that
 * sends the owner and the previous chat an undo link for 7 days. `by`: the new sender's message and the link code in
 * it.
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
 * Returns the change that restores the number of an undo link and the senders bound at that time; senders linked since
 * are dropped. `isFree`: false if another account has proved the number.
 */
export function restoreNumber(user: User, tokenHash: string, isFree: boolean): UserChange {
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
