import { randomUUID } from 'node:crypto'
import { LINK_CODE } from '@voxscribe/contracts/business'
import {
  derivedId,
  type Envelope,
  LinkRefused,
  NumberDisowned,
  SenderLinked,
  SenderUnknown,
} from '@voxscribe/contracts/events'
import { type Reason, reason } from '@voxscribe/contracts/reasons'
import { currentTrace } from '@voxscribe/service'
import type { Accounts } from '../senders/accounts.ts'
import type { Bindings, Match } from '../senders/bindings.ts'
import type { GiveNotes } from '../senders/give-notes.ts'
import { type InboundMessage, mediaIdOf, receiptId, sourceOf } from '../senders/inbound.ts'
import { mayObject, saysNo } from '../senders/objection.ts'
import { announced, type Draft, type Receipts } from '../senders/receipts.ts'
import { digitsOf, senderKeys } from '../senders/senders.ts'

interface Deps {
  accounts: Accounts
  bindings: Bindings
  receipts: Receipts
  giveNotes: GiveNotes
  now: () => Date
}

export type Accept = (message: InboundMessage) => Promise<void>

/**
 * Handles one message. A link code binds the sender, media are announced (or wait, when nobody knows the sender),
 * and a plain text is answered only when the sender is unknown: people who know the service talk to it in notes,
 * and a chat that answers each "thanks" is a nuisance. The receipt is written last: what stops this half-way is
 * made good when the provider sends the message again.
 */
export function createAccept({ accounts, bindings, receipts, giveNotes, now }: Deps): Accept {
  return async message => {
    const draft = draftOf(message)
    const code = LINK_CODE.exec(message.text ?? '')?.[0]
    // Most messages are notes of people whom we know. Their receipt is the only write, and it tells a repeat.
    const known = message.media.length && !code ? await bindings.recognise(message.sender) : undefined
    if (known) return receive(draft, known, [])
    if (await receipts.isKnown(draft._id)) return
    const link = code ? await follow(code, message, draft) : []
    // Notes may wait that came from what we now learn to be theirs as well, a user id without its number.
    const match = await bindings.match(message.sender, found => giveNotes.all(draft.keys, found))
    if (!message.media.length && saysNo(message.text)) return object(match, message, draft)
    if (match) return receive(draft, match, link)
    if (!message.media.length && !message.text) return
    await keepWaiting(message, draft, link)
  }

  async function follow(code: string, { sender }: InboundMessage, draft: Draft): Promise<Envelope[]> {
    const account = await accounts.byLinkCode(code)
    if (!account) return [refused(draft, reason('link_code_unknown'))]
    const proof = await bindings.prove(sender, account, draft._id)
    if (proof === 'taken') return [refused(draft, reason('sender_taken'))]
    await receipts.release(draft.keys, account._id)
    const { phone, whatsappUserId } = sender
    return [
      SenderLinked.create(
        { userId: account._id, phone, whatsappUserId, source: draft.source },
        originOf(draft, 'sender-linked'),
      ),
    ]
  }

  /** A no from a number that is proved, or about which nobody was asked of late, is a word like any other. */
  async function object(match: Match | undefined, { sender }: InboundMessage, draft: Draft): Promise<void> {
    if (!match || match.proved || !mayObject(match.account, now())) return
    const { _id: userId, phoneKey, claimedAt } = match.account
    // A user id without its number shows less than what is known of the number.
    if ((await bindings.proverOf([phoneKey ?? '']))?._id === userId) return
    const phone = sender.phone ?? digitsOf(phoneKey)
    const id = derivedId('number-disowned', userId, String(phoneKey), claimedAt.toISOString())
    const event = NumberDisowned.create(
      { userId, phone, source: draft.source },
      { id, traceId: draft.traceId },
    )
    await accounts.disown(match.account, event)
  }

  async function receive(draft: Draft, { account, proved }: Match, link: Envelope[]): Promise<void> {
    const owner = { userId: account._id, claimed: !proved }
    const events = [...link, ...draft.media.map(media => announced(draft, media, owner))]
    // A text without consequences is not recorded.
    if (!events.length) return
    const isNew = await receipts.add(draft, account._id, false, events)
    // It may wait from a time before we knew the sender, if something stopped us right then.
    if (!isNew) await giveNotes.all(draft.keys, { account, proved })
    await giveNotes.takeBack(draft.keys, { account, proved })
  }

  async function keepWaiting(
    { sender, media }: InboundMessage,
    draft: Draft,
    link: Envelope[],
  ): Promise<void> {
    const noteWaits = media.length > 0 || (await receipts.hasWaiting(draft.keys))
    const unknown = SenderUnknown.create(
      { noteWaits, source: draft.source },
      originOf(draft, 'sender-unknown'),
    )
    // One answer to one message: a refused code says more than "unknown".
    await receipts.add(draft, null, media.length > 0, link.length ? link : [unknown])
    if (!media.length) return
    // The sender may have been linked by another message, or the number claimed, just now.
    const match = await bindings.match(sender)
    if (match) await giveNotes.one(draft._id, draft.keys, match)
  }
}

function draftOf(message: InboundMessage): Draft {
  const _id = receiptId(message.sender.channel, message.id)
  return {
    _id,
    keys: senderKeys(message.sender),
    source: sourceOf(message),
    traceId: currentTrace() ?? randomUUID(),
    media: message.media.map((media, index) => ({ ...media, mediaId: mediaIdOf(_id, index) })),
  }
}

const originOf = ({ _id, traceId }: Draft, name: string) => ({ id: derivedId(name, _id), traceId })

const refused = (draft: Draft, why: Reason) =>
  LinkRefused.create({ reason: why, source: draft.source }, originOf(draft, 'link-refused'))
