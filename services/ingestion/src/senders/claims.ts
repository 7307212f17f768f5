import type { linkCodeIn } from '@voxscribe/contracts/business'
import {
  derivedId,
  type Envelope,
  NumberChanged,
  NumberDisowned,
  SenderLinked,
} from '@voxscribe/contracts/events'
import { reason } from '@voxscribe/contracts/reasons'
import { mayObject } from './accounts.ts'
import type { Match } from './bindings.ts'
import { digitsOf, type InboundMessage, phoneKey, type Sender } from './inbound.ts'
import type { Senders } from './note-owners.ts'
import { type Draft, originOf, refused } from './receipts.ts'

/** Changes the owner of a number because of a message from it: a link code, a NO, or a change of number. */
export function createClaims({ accounts, bindings, receipts, owners, now }: Senders) {
  return { follow, object, leave }

  /** Binds the sender to the account whose code the message has. Returns the events that notification replies to. */
  async function follow(
    { code, isMeant }: ReturnType<typeof linkCodeIn>,
    { sender }: InboundMessage,
    draft: Draft,
  ): Promise<Envelope[]> {
    // A person who follows the link again is told that the chat is linked.
    const account =
      code === undefined
        ? undefined
        : ((await accounts.byLinkCode(code)) ?? (await bindings.provedBy(draft.keys, code)))
    if (!account) return isMeant ? [refused(draft, reason('link_code_unknown'))] : []
    // Looks up the number alone: with the user id, it may be its next owner's.
    const before = sender.phone ? await bindings.provedOwnerOf([phoneKey(sender.phone)]) : undefined
    const proof = await bindings.prove(sender, account, draft._id)
    if (proof === 'taken') return [refused(draft, reason('sender_taken'))]
    const notes = draft.media.length + (await owners.publishWaiting(draft.keys))
    const { phone, messengerId } = sender
    const isNew = proof === 'proved'
    const replaces = isNew && (await bindings.isProvedElsewhere(account, draft.keys))
    const used = {
      ...(notes && { notes }),
      ...(isNew && { usedCode: account.linkCode }),
      ...(replaces && { replaces }),
      ...(before && before._id !== account._id && { takenFrom: before._id }),
    }
    return [
      SenderLinked.create(
        { userId: account._id, phone, whatsappUserId: messengerId, ...used, source: draft.source },
        originOf(draft, 'sender-linked'),
      ),
    ]
  }

  /** Handles a NO, which does nothing from a stranger; false if the number is proved or wasn't asked within 7 days. */
  async function object(
    match: Match | undefined,
    { sender }: InboundMessage,
    draft: Draft,
  ): Promise<boolean> {
    if (!match) return true
    if (match.proved || !mayObject(match.account, now())) return false
    const { _id: userId, phoneKey, claimedAt } = match.account
    // A user id alone can object only while its number is unproved.
    if ((await bindings.provedOwnerOf([phoneKey ?? '']))?._id === userId) return false
    const phone = sender.phone ?? digitsOf(phoneKey)
    const id = derivedId('number-disowned', userId, String(phoneKey), claimedAt.toISOString())
    const event = NumberDisowned.create(
      { userId, phone, source: draft.source },
      { id, traceId: draft.traceId },
    )
    await accounts.rejectClaim(match.account, event)
    return true
  }

  /** Takes a number that its person has left from the accounts that have proved or claimed it. */
  async function leave(newPhone: string | null, { phone }: Sender, draft: Draft): Promise<void> {
    const [key] = draft.keys
    // The same line in another spelling isn't another number.
    if (!phone || !key || (newPhone && phoneKey(newPhone) === key)) return
    const [owner, claimer] = [await bindings.ownerOf([key]), await accounts.byPhoneKey(key)]
    const users = [owner?.account, claimer].flatMap(account => account?._id ?? [])
    const events = [...new Set(users)].map(userId =>
      NumberChanged.create({ userId, phone, newPhone }, originOf(draft, `number-changed ${userId}`)),
    )
    if (!events.length || !(await receipts.add({ ...draft, keys: [] }, null, false, events))) return
    // Applied now, as the handler of these events does, so that the next message comes from an unknown sender.
    for (const { data } of events) await owners.onNumberChanged({ data })
  }
}
