import { isDeepStrictEqual } from 'node:util'
import { Chat, type Envelope, type EventOf, NumberTakenOver } from '@voxscribe/contracts/events'
import { lineOf } from '@voxscribe/contracts/phone-lines'
import { Permanent } from '@voxscribe/messaging'
import { currentTrace } from '@voxscribe/service'
import type { Deps } from '../deps.ts'
import { changeAccount, newCode, newLinkCode } from './account.ts'
import { leaveNumber, NO_NUMBER } from './former-numbers.ts'
import { numberOfSender } from './phone.ts'
import type { User, UserChange, Users } from './users.ts'

type Linked = EventOf<'SenderLinked'>
type LinkDeps = Pick<Deps, 'users' | 'publicUrl'>

/** Gives a number to the account whose link code came from it, also if another one claims it; owners can undo that. */
export async function linkSender({ users, publicUrl }: LinkDeps, event: Linked): Promise<void> {
  const { userId, phone, usedCode, source } = event.data
  const user = await users.byId(userId)
  if (!user) return
  const linkedAt = new Date(event.occurredAt)
  // The code changes with the number: that message came after the choice, whatever the clocks say.
  const isUsed = usedCode?.toUpperCase() === user.linkCode
  // Otherwise a number chosen after that message takes precedence over it; a redelivered old event ends here, too.
  if (linkedAt < user.numberChosenAt && !isUsed) return
  // Undone by then, whatever the clocks say: ingestion does not keep that sender either.
  if (usedCode && user.undoneCodes?.includes(usedCode)) return
  const isOther = phone !== null && (user.phone === undefined || lineOf(user.phone) !== lineOf(phone))
  const isReplaced = (isUsed || isOther) && (event.data.replaces || (isOther && user.numberProved))
  const left =
    user.linked && isReplaced
      ? leaveNumber(publicUrl, user, phone, { cause: event, code: usedCode })
      : undefined
  const code = usedCode === undefined ? {} : { code: usedCode }
  const change = {
    ...{ linked: true, chat: Chat.parse(source), ...(isUsed && newCode(user)), ...left?.change },
    ...(source.channel === 'telegram' && { telegram: { boundBy: user.boundBy ?? user.linkCode, ...code } }),
  }
  // A hidden number links the sender, but proves no number.
  if (phone === null) return save(users, event, user, change, left?.events)
  const owner = await users.otherWithPhone(phone, userId)
  if (owner) await takeFrom(users, owner, linkedAt, event)
  const number = isOther ? numberOfSender(phone, user.countryId) : {}
  const numberChosenAt = linkedAt > user.numberChosenAt ? linkedAt : user.numberChosenAt
  const proof = { numberProved: true, numberChosenAt }
  await save(users, event, user, { ...change, ...number, ...proof }, left?.events)
}

/** Removes a disowned number from the account; later proofs and claims take precedence. */
export async function disownNumber(
  { users, oauth }: Pick<Deps, 'users' | 'oauth'>,
  event: EventOf<'NumberDisowned'>,
): Promise<void> {
  const user = await users.byId(event.data.userId)
  if (user?.phone === undefined || lineOf(user.phone) !== lineOf(event.data.phone)) return
  const linkedAt = new Date(event.occurredAt)
  if (user.numberProved || user.numberChosenAt > linkedAt) return
  // Whoever claims the numbers of others may have connected programs. First: after the change, a repeat ends above.
  await oauth.endAllOf(user._id)
  const linkCode = newLinkCode()
  // Ingestion no longer accepts the previous code.
  const unlinked = { linked: false, linkCode, boundBy: linkCode }
  await save(users, event, user, { ...NO_NUMBER, ...unlinked, numberChosenAt: linkedAt })
}

/** Removes a number that its person has left, also from what can be undone; later proofs and claims take precedence. */
export async function giveUpNumber(users: Users, event: EventOf<'NumberChanged'>): Promise<void> {
  const user = await users.byId(event.data.userId)
  if (!user) return
  const isLeft = (phone?: string) => phone !== undefined && lineOf(phone) === lineOf(event.data.phone)
  const changedAt = new Date(event.occurredAt)
  const isCurrent = isLeft(user.phone) && user.numberChosenAt <= changedAt
  await save(users, event, user, {
    ...(isCurrent && { ...NO_NUMBER, ...newCode(user), linked: false, numberChosenAt: changedAt }),
    ...(user.formerNumbers?.some(({ phone }) => isLeft(phone)) && {
      formerNumbers: user.formerNumbers.map(({ phone, ...former }) =>
        phone === undefined || isLeft(phone) ? former : { phone, ...former },
      ),
    }),
  })
}

/** Sets the language that was chosen in the chat. Later choices take precedence; a redelivered event ends here, too. */
export async function chooseLanguage(users: Users, event: EventOf<'LanguageChosen'>): Promise<void> {
  const { userId, uiLanguage } = event.data
  const user = await users.byId(userId)
  const uiLanguageChosenAt = new Date(event.occurredAt)
  if (!user || (user.uiLanguageChosenAt && user.uiLanguageChosenAt >= uiLanguageChosenAt)) return
  await save(users, event, user, { uiLanguage, uiLanguageChosenAt })
}

/**
 * Takes a number from the account that had only claimed it, with a notice to it; because of a message that proved the number
 * elsewhere, also from one that had proved it, if WhatsApp says that the number's person is another since.
 */
export async function takeFrom(users: Users, owner: User, at: Date, cause?: Linked): Promise<void> {
  const { _id: userId, phone = '', email, firstName } = owner
  if (owner.numberProved && cause?.data.takenFrom !== userId)
    throw new Permanent(`The number is proved to belong to account ${userId}`)
  const change = { ...NO_NUMBER, ...(owner.numberProved && { linked: false }), numberChosenAt: at }
  const data = { userId, phone, email, firstName }
  const event = cause
    ? NumberTakenOver.causedBy(cause, data, userId)
    : NumberTakenOver.create(data, { traceId: currentTrace() })
  if (!(await changeAccount(users, owner, change, { cause, events: [event] }))) throw changedMeanwhile(owner)
}

/** Nothing is written, or told, of a change that changes nothing. */
async function save(
  users: Users,
  cause: Envelope,
  user: User,
  change: UserChange,
  events?: Envelope[],
): Promise<void> {
  if (isDeepStrictEqual({ ...user, ...change }, user)) return
  // If another account registers the number at this moment, this throws, too: the retry takes it from that account.
  if (!(await changeAccount(users, user, change, { cause, events }))) throw changedMeanwhile(user)
}

const changedMeanwhile = (user: User) => new Error(`Account ${user._id} changed meanwhile`)
