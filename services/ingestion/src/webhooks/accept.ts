import { randomUUID } from 'node:crypto'
import { linkCodeIn } from '@voxscribe/contracts/business'
import {
  ChatCommandReceived,
  ChatOpened,
  type ChatProvider,
  derivedId,
  type Envelope,
  LanguageChosen,
  MessageFailed,
  MessageRefused,
  NoteCommandReceived,
  NoteRevoked,
  NumberChanged,
  NumberDisowned,
  SenderLinked,
  SenderUnknown,
} from '@voxscribe/contracts/events'
import { ACCOUNT_BLOCKED, type Reason, reason } from '@voxscribe/contracts/reasons'
import { currentTrace } from '@voxscribe/service'
import { mayObject } from '../senders/accounts.ts'
import type { Match } from '../senders/bindings.ts'
import {
  digitsOf,
  type InboundMessage,
  mediaIdOf,
  phoneKey,
  receiptId,
  type Sender,
  senderKeys,
} from '../senders/inbound.ts'
import type { Senders } from '../senders/note-owners.ts'
import { announced, type Draft } from '../senders/receipts.ts'
import { commandIn, saysNo } from './commands.ts'

/** One of our messages that the provider could not deliver. */
export interface FailedMessage {
  /** The provider's id. */
  id: string
  code: string
}

export type Intake = ReturnType<typeof createIntake>

/**
 * Handles one message. A link code binds the sender; media are announced, or wait for a known sender; other texts are
 * commands. Thanks, stickers and reactions get no answer. From a blocked account nothing is taken. The receipt is written last: after a crash half-way, the
 * provider's redelivery completes the rest.
 */
export function createIntake(
  { accounts, bindings, receipts, owners, now }: Senders,
  support: string,
  hasTextModel = false,
) {
  return { accept, reportFailure }

  /** Publishes the failure of one of our messages, once for each message. */
  async function reportFailure(channel: ChatProvider, { id: messageId, code }: FailedMessage) {
    const source = { channel, address: messageId, messageId }
    const draft = { _id: `${channel}:failed:${messageId}`, keys: [], source, traceId: traceId(), media: [] }
    const failed = MessageFailed.create({ channel, messageId, code }, originOf(draft, 'message-failed'))
    await receipts.add(draft, null, false, [failed])
  }

  async function accept(message: InboundMessage): Promise<void> {
    const draft = draftOf(message)
    if (message.isInGroup) return overhear(message, draft)
    if (message.revokes !== undefined) return revoke(message.revokes, draft)
    if (message.leftFor !== undefined) return leave(message.leftFor, message.sender, draft)
    const code = linkCodeIn(message.text ?? '')
    // Most messages are notes of known senders: their receipt is the only write, and recognises a redelivery.
    const known = message.media.length && !code ? await bindings.recognise(message.sender) : undefined
    if (known) return receive(draft, known, [])
    if (await receipts.byId(draft._id)) return
    // Events that notification answers.
    const answered = code ? await follow(code, message, draft) : []
    // Notes may wait that came from a part of this sender that is bound only now, such as its user id.
    const match = await bindings.match(message.sender, found => owners.give(draft.keys, found))
    if (!message.media.length && saysNo(message.text) && (await object(match, message, draft))) return
    if (match) {
      const mayAsk = !answered.length && !match.account.blocked
      return receive(draft, match, mayAsk ? await asked(message, match, draft) : answered)
    }
    if (message.media.length || message.text || message.isSoundless)
      await keepWaiting(message, draft, answered)
  }

  /** Takes notes of known senders from a group; what else is said there is not for us. */
  async function overhear({ sender, media }: InboundMessage, draft: Draft): Promise<void> {
    const match = media.length ? await bindings.match(sender) : undefined
    if (match) await receive(draft, match, [])
  }

  /** Drops the note of a message that its sender has revoked, if it has no text yet; also one that comes later. */
  async function revoke(revoked: string, draft: Draft): Promise<void> {
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

  /** Takes the number of a person who has left it from the accounts that it is proved for or claimed by. */
  async function leave(newPhone: string | null, { phone }: Sender, draft: Draft): Promise<void> {
    const [key] = draft.keys
    // The same line in another spelling is no other number.
    if (!phone || !key || (newPhone && phoneKey(newPhone) === key)) return
    const [owner, claimer] = [await bindings.ownerOf([key]), await accounts.byPhoneKey(key)]
    const users = [owner?.account, claimer].flatMap(account => account?._id ?? [])
    const events = [...new Set(users)].map(userId =>
      NumberChanged.create({ userId, phone, newPhone }, originOf(draft, `number-changed ${userId}`)),
    )
    if (!events.length || !(await receipts.add({ ...draft, keys: [] }, null, false, events))) return
    // As the handler of these events does, so that the next message is a stranger's already.
    for (const { data } of events) await owners.onNumberChanged({ data })
  }

  /** Returns the event of a message without a note and without a link code; none when it asks for nothing. */
  async function asked(
    message: InboundMessage,
    { account, proved }: Match,
    draft: Draft,
  ): Promise<Envelope[]> {
    if (message.media.length) return []
    if (message.isSoundless) return [refused(draft, NOTHING_TO_HEAR)]
    const { text, quoted } = message
    const isQuoting = quoted !== undefined
    const said = commandIn(text ?? '', { language: account.uiLanguage, isQuoting, hasTextModel })
    const command: typeof said = said === 'hint' && isQuoting ? { name: 'offer' } : said
    const [userId, { source, keys }] = [account._id, draft]
    if (!command) return text ? [ChatOpened.create({ userId, source }, originOf(draft, 'chat-opened'))] : []
    if (typeof command === 'string')
      return [ChatCommandReceived.create({ userId, command, source }, originOf(draft, 'chat-command'))]
    if (command.name === 'language') {
      const { uiLanguage } = command
      if (!uiLanguage) return [refused(draft, reason('language_unknown'))]
      if (!proved) return [refused(draft, reason('not_proved'))]
      return [LanguageChosen.create({ userId, uiLanguage, source }, originOf(draft, 'language-chosen'))]
    }
    const isAboutAll = ['find', 'latest', 'undo', 'open'].includes(command.name)
    const quotedId = quoted && receiptId(source.channel, quoted)
    const noteId = isAboutAll ? undefined : await receipts.noteOf(userId, keys, quotedId)
    const { uiLanguage } = account
    const from = proved ? source : { ...source, claimed: true }
    const asked = { userId, command, quoted, noteId, uiLanguage, source: from }
    return [NoteCommandReceived.create(asked, originOf(draft, 'note-command'))]
  }

  async function follow(code: string, { sender }: InboundMessage, draft: Draft): Promise<Envelope[]> {
    const account = await accounts.byLinkCode(code)
    if (!account) return [refused(draft, reason('link_code_unknown'))]
    // Of the number alone: with its user id it may be the next person's.
    const before = sender.phone ? await bindings.proverOf([phoneKey(sender.phone)]) : undefined
    const proof = await bindings.prove(sender, account, draft._id)
    if (proof === 'taken') return [refused(draft, reason('sender_taken'))]
    const notes = draft.media.length + (await owners.release(draft.keys))
    const { phone, whatsappUserId } = sender
    const isNew = proof === 'proved'
    const replaces = isNew && (await bindings.isProvedElsewhere(account, draft.keys))
    const used = {
      ...(notes && { notes }),
      ...(isNew && { usedCode: code }),
      ...(replaces && { replaces }),
      ...(before && before._id !== account._id && { takenFrom: before._id }),
    }
    return [
      SenderLinked.create(
        { userId: account._id, phone, whatsappUserId, ...used, source: draft.source },
        originOf(draft, 'sender-linked'),
      ),
    ]
  }

  /**
   * Handles a NO. Returns false for one that is a text like others: the number is proved, or its owner was not asked
   * within 7 days. An unknown sender's NO may repeat an objection.
   */
  async function object(
    match: Match | undefined,
    { sender }: InboundMessage,
    draft: Draft,
  ): Promise<boolean> {
    if (!match) return true
    if (match.proved || !mayObject(match.account, now())) return false
    const { _id: userId, phoneKey, claimedAt } = match.account
    // A user id alone objects only while its number is unproved, too.
    if ((await bindings.proverOf([phoneKey ?? '']))?._id === userId) return false
    const phone = sender.phone ?? digitsOf(phoneKey)
    const id = derivedId('number-disowned', userId, String(phoneKey), claimedAt.toISOString())
    const event = NumberDisowned.create(
      { userId, phone, source: draft.source },
      { id, traceId: draft.traceId },
    )
    await accounts.disown(match.account, event)
    return true
  }

  async function receive(draft: Draft, { account, proved }: Match, answered: Envelope[]): Promise<void> {
    if (account.blocked) {
      const blocked = refused(draft, reason(ACCOUNT_BLOCKED, { support }))
      return void (await receipts.add({ ...draft, media: [] }, account._id, false, [...answered, blocked]))
    }
    const owner = { userId: account._id, claimed: !proved }
    const events = [...answered, ...draft.media.map(media => announced(draft, media, owner))]
    // A text without consequences is not recorded.
    if (!events.length) return
    const isNew = await receipts.add(draft, account._id, false, events)
    // It may still wait, if a crash stopped the delivery that made the sender known.
    if (!isNew) await owners.give(draft.keys, { account, proved })
    await owners.takeBack(draft.keys, { account, proved })
  }

  async function keepWaiting(
    { sender, media, isSoundless }: InboundMessage,
    draft: Draft,
    answered: Envelope[],
  ): Promise<void> {
    const isNote = media.length > 0 && !isSoundless
    const noteWaits = isNote || (await receipts.waitingFrom(draft.keys)).length > 0
    const unknown = SenderUnknown.create(
      { isNote, noteWaits, source: draft.source },
      originOf(draft, 'sender-unknown'),
    )
    // One answer for each message: a refusal is more specific than "unknown".
    const answer = isSoundless ? refused(draft, NOTHING_TO_HEAR) : unknown
    const kept = isNote ? draft : { ...draft, media: [] }
    await receipts.add(kept, null, isNote, answered.length ? answered : [answer])
    if (!isNote) return
    // Another message may have linked the sender meanwhile, or an account claimed the number.
    const match = await bindings.match(sender)
    if (match) await owners.give(draft.keys, match, draft._id)
  }
}

function draftOf({ id: messageId, sender, media }: InboundMessage): Draft {
  const { channel, phone, whatsappUserId } = sender
  const _id = receiptId(channel, messageId)
  return {
    _id,
    keys: senderKeys(sender),
    source: { channel, address: phone ?? whatsappUserId ?? '', messageId },
    traceId: traceId(),
    media: media.map((each, index) => ({ ...each, mediaId: mediaIdOf(_id, index) })),
  }
}

const traceId = () => currentTrace() ?? randomUUID()

const originOf = ({ _id, traceId }: Draft, name: string) => ({ id: derivedId(name, _id), traceId })

const NOTHING_TO_HEAR = reason('nothing_to_hear')

const refused = (draft: Draft, why: Reason) =>
  MessageRefused.create({ reason: why, source: draft.source }, originOf(draft, 'message-refused'))
