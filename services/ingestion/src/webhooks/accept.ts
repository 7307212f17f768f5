import { randomUUID } from 'node:crypto'
import { linkCodeIn } from '@voxscribe/contracts/business'
import {
  type ChatProvider,
  type Envelope,
  MessageFailed,
  NoteRevoked,
  SenderUnknown,
} from '@voxscribe/contracts/events'
import { ACCOUNT_BLOCKED, reason } from '@voxscribe/contracts/reasons'
import { currentTrace, type Logger } from '@voxscribe/service'
import type { Match } from '../senders/bindings.ts'
import { createClaims } from '../senders/claims.ts'
import { type InboundMessage, mediaIdOf, phoneKey, receiptId, senderKeys } from '../senders/inbound.ts'
import type { Senders } from '../senders/note-owners.ts'
import { announced, type Draft, originOf, refused } from '../senders/receipts.ts'
import { commands, eventsAskedBy, refusalOf } from './asked.ts'

/** One of our messages that the provider couldn't deliver. */
export interface FailedMessage {
  id: string
  code: string
  /** The provider's description of the code. */
  title?: string
}

export type Intake = ReturnType<typeof createIntake>

/**
 * Handles a message: a link code binds the sender; media are announced or wait; other texts are commands. The receipt
 * is written last, so that after a crash the provider's redelivery completes the rest.
 */
export function createIntake(
  senders: Senders,
  support: string,
  log: Pick<Logger, 'warn'>,
  hasTextModel = false,
) {
  const { bindings, receipts, owners } = senders
  const claims = createClaims(senders)
  return { accept, reportFailure, reportSeen }

  /** Records that one of our messages was read. */
  async function reportSeen(channel: ChatProvider, messageId: string) {
    await receipts.markSeen(channel, messageId)
  }

  /** Publishes once that one of our messages has failed, unless it was read: then it has arrived. */
  async function reportFailure(channel: ChatProvider, { id: messageId, code, title }: FailedMessage) {
    log.warn({ channel, code, title }, 'a message could not be delivered')
    if (await receipts.wasSeen(channel, messageId)) return
    const source = { channel, address: messageId, messageId }
    const draft = { _id: `${channel}:failed:${messageId}`, keys: [], source, traceId: traceId(), media: [] }
    const failed = MessageFailed.create({ channel, messageId, code }, originOf(draft, 'message-failed'))
    await receipts.add(draft, null, false, [failed])
  }

  /** Handles a message by the first rule that applies. */
  async function accept(message: InboundMessage): Promise<void> {
    const draft = draftOf(message)
    if (message.isInGroup) return acceptFromGroup(message, draft)
    if (message.revokes !== undefined) return dropRevoked(message.revokes, draft)
    if (message.leftFor !== undefined) return claims.leave(message.leftFor, message.sender, draft)
    const link = linkCodeIn(message.text ?? '')
    const mayLink = link.code !== undefined || link.isMeant
    const isNo = !message.media.length && !message.isForwarded && (await commands()).saysNo(message.text)
    // Most messages come from known senders: their receipt is the only write, and detects redeliveries.
    const known = mayLink || isNo ? undefined : await bindings.recognise(message.sender)
    if (known) return receive(message, draft, known, [])
    if (await receipts.byId(draft._id)) return
    // Events that notification replies to.
    const answered = mayLink ? await claims.follow(link, message, draft) : []
    // Notes may be waiting under a key of this sender that is bound only now, such as its user id.
    const match = await bindings.match(message.sender, found => owners.assign(draft.keys, found))
    if (isNo && (await claims.object(match, message, draft))) return
    if (match) return receive(message, draft, match, answered)
    if (message.media.length || message.text || refusalOf(message))
      await keepWaiting(message, draft, answered)
  }

  /** Accepts notes of known senders from a group, and ignores everything else there. */
  async function acceptFromGroup(message: InboundMessage, draft: Draft): Promise<void> {
    const match = message.media.length ? await bindings.match(message.sender) : undefined
    if (match) await receive(message, draft, match, [])
  }

  /** Drops the note of a revoked message if it has no text yet, even if the message arrives later. */
  async function dropRevoked(revoked: string, draft: Draft): Promise<void> {
    const _id = receiptId(draft.source.channel, revoked)
    if (await receipts.add({ ...draft, _id, media: [] }, null, false, [])) return
    const receipt = await receipts.byId(_id)
    if (!receipt?.keys.some(key => draft.keys.includes(key))) return
    if (receipt.waitingUntil && (await receipts.drop(_id))) return
    const { userId, media } = (await receipts.byId(_id)) ?? receipt
    if (!userId) return
    const events = media.map(({ mediaId }) =>
      NoteRevoked.create({ mediaId, userId }, originOf(draft, `note-revoked ${mediaId}`)),
    )
    await receipts.add({ ...draft, media: [] }, userId, false, events)
  }

  async function receive(
    message: InboundMessage,
    draft: Draft,
    match: Match,
    answered: Envelope[],
  ): Promise<void> {
    const { account, proved } = match
    if (account.blocked) {
      const blocked = refused(draft, reason(ACCOUNT_BLOCKED, { support }))
      return void (await receipts.add({ ...draft, media: [] }, account._id, false, [...answered, blocked]))
    }
    const owner = { userId: account._id, claimed: !proved }
    const said = answered.length
      ? answered
      : await eventsAskedBy(message, match, draft, { receipts, hasTextModel })
    const events = [...said, ...draft.media.map(media => announced(draft, media, owner))]
    // A text without consequences isn't recorded.
    if (!events.length) return
    const isNew = await receipts.add(draft, account._id, false, events)
    // It may still be waiting if a crash stopped the delivery that made the sender known.
    if (!isNew) await owners.assign(draft.keys, match)
    if (draft.media.length) await owners.withdrawIfVoid(draft.keys, match)
  }

  async function keepWaiting(message: InboundMessage, draft: Draft, answered: Envelope[]): Promise<void> {
    const { sender, media } = message
    const why = refusalOf(message)
    const isNote = media.length > 0 && !why
    const noteWaits = isNote || (await receipts.waitingFrom(draft.keys)).length > 0
    const { phone, messengerId } = sender
    // The number is an account's, but the user id shows that the sender isn't its owner.
    const isRival = Boolean(phone && messengerId && (await bindings.ownerOf([phoneKey(phone)])))
    const unknown = SenderUnknown.create(
      { isNote, noteWaits, ...(isRival && { isRival }), source: draft.source },
      originOf(draft, 'sender-unknown'),
    )
    // One reply per message: a refusal is more specific than "unknown".
    const answer = why ? refused(draft, why) : unknown
    const kept = isNote ? draft : { ...draft, media: [] }
    await receipts.add(kept, null, isNote, answered.length ? answered : [answer])
    if (!isNote) return
    // Another message may have linked the sender in the meantime, or an account may have claimed the number.
    const match = await bindings.match(sender)
    if (match) await owners.assign(draft.keys, match, draft._id)
  }
}

function draftOf({ id: messageId, sender, numberId, topicId, language, media }: InboundMessage): Draft {
  const { channel, phone, messengerId } = sender
  const _id = receiptId(channel, messageId)
  return {
    _id,
    keys: senderKeys(sender),
    source: {
      channel,
      address: phone ?? messengerId ?? '',
      messageId,
      ...(numberId && { numberId }),
      ...(topicId && { topicId }),
      ...(language && { language }),
    },
    traceId: traceId(),
    media: media.map((each, index) => ({ ...each, mediaId: mediaIdOf(_id, index) })),
  }
}

const traceId = () => currentTrace() ?? randomUUID()
