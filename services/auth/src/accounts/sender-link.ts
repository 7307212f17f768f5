import { isDeepStrictEqual } from 'node:util'
import { Chat, type Envelope, type EventOf, NumberTakenOver } from '@voxscribe/contracts/events'
import { lineOf } from '@voxscribe/contracts/phone-lines'
import { Permanent } from '@voxscribe/messaging'
import { currentTrace } from '@voxscribe/service'
import type { Deps } from '../deps.ts'
import { changeAccount, newCode, unlinked } from './account.ts'
import { leaveNumber, NO_NUMBER } from './former-numbers.ts'
import { numberOfSender } from './phone.ts'
import type { User, UserChange, Users } from './users.ts'

type Linked = EventOf<'SenderLinked'>
type LinkDeps = Pick<Deps, 'users' | 'publicUrl'>

/**
 * Assigns a number to the account whose link code it sent, even if another claims it. A replaced one can be restored.
 */
export async function linkSender({ users, publicUrl }: LinkDeps, event: Linked): Promise<void> {
  const { userId, phone, usedCode, source } = event.data
  const user = await users.byId(userId)
  if (!user) return
  const linkedAt = new Date(event.occurredAt)
  // The code changes with the number, so that message came after the choice, whatever the clocks say.
  const isUsed = usedCode?.toUpperCase() === user.linkCode
  // Otherwise a number chosen after that message wins. This also stops a redelivered old event.
  if (linkedAt < user.numberChosenAt && !isUsed) return
  // The link was undone in the meantime, whatever the clocks say; ingestion drops that sender as well.
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
  // A hidden number links the sender but proves no number.
  if (phone === null) return save(users, event, user, change, left?.events)
  const owner = await users.otherWithPhone(phone, userId)
  if (owner) await takeFrom(users, owner, linkedAt, event)
  const number = isOther ? numberOfSender(phone, user.countryId) : {}
  const numberChosenAt = linkedAt > user.numberChosenAt ? linkedAt : user.numberChosenAt
  const proof = { numberProved: true, numberChosenAt }
  await save(users, event, user, { ...change, ...number, ...proof }, left?.events)
}

/** Removes a disowned number from the account, unless it was proved, or chosen after the event. */
export async function disownNumber(
  { users, oauth }: Pick<Deps, 'users' | 'oauth'>,
  event: EventOf<'NumberDisowned'>,
): Promise<void> {
  const user = await users.byId(event.data.userId)
  if (user?.phone === undefined || lineOf(user.phone) !== lineOf(event.data.phone)) return
  const linkedAt = new Date(event.occurredAt)
  if (user.numberProved || user.numberChosenAt > linkedAt) return
  // An account that claims others' numbers may have connected programs. First: after the change, a retry returns above.
  await oauth.endAllOf(user._id)
  // Ingestion no longer accepts the previous code.
  await save(users, event, user, { ...unlinked(), ...NO_NUMBER, numberChosenAt: linkedAt })
}

/** Removes a number that its owner has given up, also from former numbers. A number chosen after the event stays. */
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

/** Sets the language chosen in the chat, unless a later choice is stored. Idempotent. */
export async function chooseLanguage(users: Users, event: EventOf<'LanguageChosen'>): Promise<void> {
  const { userId, uiLanguage } = event.data
  const user = await users.byId(userId)
  const uiLanguageChosenAt = new Date(event.occurredAt)
  if (!user || (user.uiLanguageChosenAt && user.uiLanguageChosenAt >= uiLanguageChosenAt)) return
  await save(users, event, user, { uiLanguage, uiLanguageChosenAt })
}

/**
 * Takes a number from an account that only claims it, and notifies that account. An account that has proved the number
 * loses it only to a message that proved it elsewhere, if WhatsApp says that the number has a new owner since
 * (`takenFrom`). Otherwise throws `Permanent`.
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

/** Writes and publishes nothing if the change has no effect. */
async function save(
  users: Users,
  cause: Envelope,
  user: User,
  change: UserChange,
  events?: Envelope[],
): Promise<void> {
  if (isDeepStrictEqual({ ...user, ...change }, user)) return
  // This also throws if another account registers the number at this moment; the retry takes it from that account.
  if (!(await changeAccount(users, user, change, { cause, events }))) throw changedMeanwhile(user)
}

const changedMeanwhile = (user: User) => new Error(`Account ${user._id} changed meanwhile`)
