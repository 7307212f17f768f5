import { isDeepStrictEqual } from 'node:util'
import { type Envelope, type EventOf, NumberTakenOver } from '@voxscribe/contracts/events'
import { lineOf } from '@voxscribe/contracts/phone-lines'
import { Permanent } from '@voxscribe/messaging'
import { changeAccount, newCode } from './account.ts'
import { numberOfSender } from './phone.ts'
import type { User, UserChange, Users } from './users.ts'

type Linked = EventOf<'SenderLinked'>

/**
 * Gives a number to the account whose link code came from it, also if another account claims it.
 * For a deleted account the event is acknowledged and ignored.
 */
export async function linkSender(users: Users, event: Linked): Promise<void> {
  const { userId, phone, usedCode } = event.data
  const user = await users.byId(userId)
  if (!user) return
  const linkedAt = new Date(event.occurredAt)
  // A number chosen after that message takes precedence over it; a redelivered old event ends here, too.
  if (linkedAt < user.numberChosenAt) return
  const change = { linked: true, ...(usedCode?.toUpperCase() === user.linkCode && newCode(user)) }
  // A hidden number links the sender, but proves no number.
  if (!phone) return save(users, event, user, change)
  const holder = await users.otherWithPhone(phone, userId)
  if (holder) await takeFrom(users, event, holder)
  const isSame = user.phone !== undefined && lineOf(user.phone) === lineOf(phone)
  const number = isSame ? {} : numberOfSender(phone, user.countryId)
  await save(users, event, user, { ...change, ...number, numberProved: true, numberChosenAt: linkedAt })
}

/**
 * Removes a disowned number from the account. Later proofs and claims take precedence. For a deleted account the event is
 * acknowledged and ignored.
 */
export async function disownNumber(users: Users, event: EventOf<'NumberDisowned'>): Promise<void> {
  const user = await users.byId(event.data.userId)
  if (user?.phone === undefined || lineOf(user.phone) !== lineOf(event.data.phone)) return
  const saidAt = new Date(event.occurredAt)
  if (user.numberProved || user.numberChosenAt > saidAt) return
  await save(users, event, user, { phone: null, national: '', numberChosenAt: saidAt })
}

/** Sets the language that was chosen in the chat. Later choices take precedence; a redelivered event ends here, too. */
export async function chooseLanguage(users: Users, event: EventOf<'LanguageChosen'>): Promise<void> {
  const { userId, uiLanguage } = event.data
  const user = await users.byId(userId)
  const uiLanguageChosenAt = new Date(event.occurredAt)
  if (!user || (user.uiLanguageChosenAt && user.uiLanguageChosenAt >= uiLanguageChosenAt)) return
  await save(users, event, user, { uiLanguage, uiLanguageChosenAt })
}

/** The account that had only claimed the number loses it and is notified. */
async function takeFrom(users: Users, event: Linked, holder: User): Promise<void> {
  const { _id: userId, phone = '', email, firstName } = holder
  if (holder.numberProved) throw new Permanent(`The number is proved to belong to account ${userId}`)
  const change = { phone: null, national: '', numberChosenAt: new Date(event.occurredAt) }
  await save(users, event, holder, change, [
    NumberTakenOver.causedBy(event, { userId, phone, email, firstName }, userId),
  ])
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
