import { UI_LANGUAGES } from '@voxscribe/languages'
import { z } from 'zod'
import { GIST_CHOICES, LATE_ANSWERS } from '../knowledge/business.ts'
import { Reason } from '../knowledge/reasons.ts'
import { PlanName, Transcription, TranscriptionStatus } from './answers.ts'
import {
  ChatProvider,
  type Envelope,
  type EventType,
  enumerated,
  event,
  NoteSource,
  Source,
} from './event.ts'

export {
  ChatProvider,
  derivedId,
  type Envelope,
  type EventType,
  messageOf,
  NoteSource,
  Source,
} from './event.ts'

export const SERVICES = ['gateway', 'auth', 'billing', 'ingestion', 'transcription', 'notification'] as const
export type Service = (typeof SERVICES)[number]

/** The command in a text of the chat; `hint`: none was understood. */
export const ChatCommand = z.enum(['hint', 'help', 'minutes'])
export type ChatCommand = z.infer<typeof ChatCommand>

/** A person's command in the chat about one of their notes, or about all (`find`). */
export const NoteCommand = z.discriminatedUnion('name', [
  /** `language`: a language id to transcribe it again in. */
  z.object({ name: z.literal('again'), language: z.string() }),
  /** Which language was it? A person says only that it was another one. */
  z.object({ name: z.literal('choose') }),
  /** Is it to be translated into this language, or was it spoken in it? */
  z.object({ name: z.literal('which'), language: z.string() }),
  z.object({
    name: z.literal('export'),
    format: enumerated(z.enum(['txt', 'srt', 'docx', 'pdf', 'md']), 'txt'),
  }),
  z.object({ name: z.literal('title'), title: z.string() }),
  z.object({ name: z.literal('delete') }),
  z.object({ name: z.literal('undo') }),
  z.object({ name: z.literal('share') }),
  /** Its gist, in the person's language. */
  z.object({ name: z.literal('summary') }),
  /** Its translation into a language. */
  z.object({ name: z.literal('translate'), language: z.string() }),
  z.object({ name: z.literal('find'), words: z.string() }),
  /** The newest notes. */
  z.object({ name: z.literal('latest') }),
  /** One of the notes that were found last, from 1. */
  z.object({ name: z.literal('open'), hit: z.int().positive() }),
  /** A reply that is no command. */
  z.object({ name: z.literal('offer') }),
])
export type NoteCommand = z.infer<typeof NoteCommand>

const seconds = z.number().nonnegative()
/** Language of the texts for the person. */
const uiLanguage = enumerated(z.enum(UI_LANGUAGES), 'en')
/** Language of the texts for the person, if it is known. */
const uiLanguageIfKnown = enumerated(z.enum(UI_LANGUAGES).optional())
/** Notes of a person whose gist is made by itself; unset: `long`. */
const gists = enumerated(z.enum(GIST_CHOICES).optional())
/** A text that is no command that is known has the answer of one that is none. */
const chatCommand = enumerated(ChatCommand, 'hint')
/** A note as its person sees it, in the event of its end. */
const noteThatIs = (status: z.infer<typeof TranscriptionStatus>) =>
  Transcription.extend({
    titleFrom: enumerated(Transcription.shape.titleFrom, 'text'),
    status: enumerated(TranscriptionStatus, status),
  })
const userId = z.string().min(1)
const Medium = { mediaId: z.uuid(), userId }
const Note = { transcriptionId: z.uuid(), userId }
/** One recognition of a note. `attempt`: 1 for the first, one more for each refresh. */
const Attempt = { ...Note, seconds, attempt: z.int().positive() }
/** The messages that an attempt's outcome answers. `asked`: the command by which its person asked for it in a chat. */
const Outcome = { source: NoteSource, asked: Source.optional() }

const Account = {
  userId,
  /** E.164 digits without `+`; null when another account has proved the number. */
  phone: z
    .string()
    .regex(/^\d{7,15}$/)
    .nullable(),
  /** When the account claimed that number, or lost it: the newest claim counts, in whatever order the events arrive. */
  phoneClaimedAt: z.iso.datetime(),
  /** A message must contain this to bind its sender to the account. */
  linkCode: z.string().min(1),
  /** Proofs of senders hold as long as this stays: it changes with the number, not with the code. Unset: the code. */
  boundBy: z.string().min(1).optional(),
  /** Access tokens of an older generation are refused. Unset: 0, as for the next. */
  generation: z.int().nonnegative().optional(),
  /** The generation of the last password: tokens of API keys, hooks and links of an older one have ended. */
  passwordGeneration: z.int().nonnegative().optional(),
  /** Codes whose use was undone: the senders that they bound are not the account's. */
  undoneCodes: z.array(z.string()).optional(),
  /** A language id: `auto` or a Whisper language. */
  language: z.string().min(1),
  email: z.email(),
  /** The last address that was proved to be the person's: texts go to no other. Unset: `email`. */
  provedEmail: z.email().optional(),
  /** Of the link that proves `email`. */
  confirmToken: z.string().optional(),
  firstName: z.string(),
  lastName: z.string(),
  uiLanguage,
  /** Of the dates in those texts. Unset: UTC. */
  timeZone: z.string().optional(),
  /** Unset: `mail`. */
  lateAnswers: enumerated(z.enum(LATE_ANSWERS).optional()),
  /** Whether an operator blocks the account: it neither does nor shows anything. Unset: it never was blocked. */
  blocked: z.boolean().optional(),
  gists,
  /**
   * The person's choice about their audio: whether it is kept once its text is there, and for how many days. For audio
   * stored and texts completed from `since` on. Unset: kept for the installation's days.
   */
  audio: z
    .object({ keep: z.boolean(), days: z.int().positive().optional(), since: z.iso.datetime() })
    .optional(),
  /** Counts the account's changes, so that an older event never overwrites a newer one. */
  revision: z.int().nonnegative(),
}

export const UserRegistered = event('user-registered', { ...Account, registeredAt: z.iso.datetime() })
export const UserUpdated = event('user-updated', Account)
export const SenderLinked = event('sender-linked', {
  userId,
  /** E.164 digits; null when the sender hides the number. */
  phone: z.string().nullable(),
  /** WhatsApp's business-scoped user id; null on channels without one. */
  whatsappUserId: z.string().nullable(),
  /** The code of the message, if it bound a sender that was not bound before: it is used up. */
  usedCode: z.string().optional(),
  /** Whether the account had been proved from elsewhere. */
  replaces: z.boolean().optional(),
  /** The account that had proved the number, of which WhatsApp says that its person is another by now. */
  takenFrom: z.string().optional(),
  source: Source,
})
/** A proved sender is not the account's only one any more: another was linked, or the number changed. */
export const SenderReplaced = event('sender-replaced', {
  userId,
  email: z.email(),
  firstName: z.string(),
  /** The chat of the one before, if known. */
  chat: enumerated(Source.pick({ channel: true, address: true }).optional()),
  /** The new number; null when it is hidden. */
  phone: z.string().nullable(),
  /** Brings the one before back. */
  undoLink: z.url(),
})
/** WhatsApp says that a person has changed their number: it is not that of any account any more. */
export const NumberChanged = event('number-changed', {
  userId,
  phone: z.string(),
  /** Null when WhatsApp did not say. */
  newPhone: z.string().nullable(),
})
/** A person revoked a message in WhatsApp: its note goes if it has no text yet. */
export const NoteRevoked = event('note-revoked', Medium)
/** Another account proved a number; notifies the account that had only claimed it. */
export const NumberTakenOver = event('number-taken-over', {
  userId,
  phone: z.string(),
  email: z.email(),
  firstName: z.string(),
})
/** Notifies the old address, which can undo the change with the link. */
export const EmailChanged = event('email-changed', {
  userId,
  oldEmail: z.email(),
  newEmail: z.email(),
  firstName: z.string(),
  undoLink: z.url(),
})
/** The first answer to a claimed number named its account and asked whether that is right. */
export const OwnershipAsked = event('ownership-asked', {
  userId,
  /** The claim in question. */
  phoneClaimedAt: z.iso.datetime(),
})
/** The person behind a number answered NO: it does not belong to that account. */
export const NumberDisowned = event('number-disowned', {
  userId,
  phone: z.string(),
  /** The message with the NO. */
  source: Source,
})
/** A note of a disowned number: it is removed from the account, with its minutes. */
export const NoteWithdrawn = event('note-withdrawn', Medium)
/** A hook was made: its person is told, in case it was someone else. */
export const HookMade = event('hook-made', { userId, url: z.string() })
/** Every message to a person's hook has failed for five days. */
export const HookTurnedOff = event('hook-turned-off', { userId, url: z.string() })
export const PasswordResetRequested = event('password-reset-requested', {
  userId,
  email: z.email(),
  firstName: z.string(),
  resetLink: z.url(),
  /** How long the link is valid, from the event on: later no mail is sent. */
  validSeconds: z.int().positive(),
})
/** A sign-in or an API key has ended, and so have its access tokens, all of which run out at `until`. */
export const AccessEnded = event('access-ended', {
  userId,
  /** The session's id, or the key's. */
  bearerId: z.string().min(1),
  until: z.iso.datetime(),
})
/** A password was changed or reset; `undone`: by the link that takes back a change of the account. */
export const PasswordChanged = event('password-changed', {
  userId,
  email: z.email(),
  firstName: z.string(),
  undone: z.boolean().optional(),
})

/**
 * The account is gone: every service forgets it, also what comes later or again. Name and addresses are for the last mail
 * and for finding messages without an account's id.
 */
export const AccountErased = event('account-erased', {
  userId,
  /** E.164 digits; null when it had none. */
  phone: z.string().nullable(),
  email: z.email(),
  firstName: z.string(),
  uiLanguage,
})

export const MediaAnnounced = event('media-announced', {
  /** `mediaId` is derived from the provider's message id; it is the transcription's id too. */
  ...Medium,
  /** WhatsApp: the media id. Twilio: the media's address. */
  providerMediaId: z.string(),
  fileName: z.string(),
  source: Source,
})
export const SenderUnknown = event('sender-unknown', {
  /** Whether the message is a note; otherwise it is a text. */
  isNote: z.boolean(),
  /** Whether a note of the sender's is waiting for the account to be linked. */
  noteWaits: z.boolean(),
  source: Source,
})
/** A message with a link code that is unknown or another account's number's, or with nothing to transcribe. */
export const MessageRefused = event('message-refused', { reason: Reason, source: Source })
/** A text of a known sender: a command, or a word that is none (`hint`). */
export const ChatCommandReceived = event('chat-command-received', {
  userId,
  command: chatCommand,
  source: Source,
})
/** A text that asks for nothing, such as thanks: it opens the chat for 24 hours, as any message does. */
export const ChatOpened = event('chat-opened', { userId, source: Source })
/** An account's minutes, for the answer to a command. */
export const BalanceTold = event('balance-told', {
  userId,
  command: chatCommand,
  remainingSeconds: seconds,
  periodEnd: z.iso.datetime(),
  source: Source,
})
/** A text of a known sender that asks for something about notes. */
export const NoteCommandReceived = event('note-command-received', {
  userId,
  command: enumerated(NoteCommand, { name: 'offer' }),
  /** The provider's id of the quoted message; without one, the last note is meant. */
  quoted: z.string().optional(),
  /** The note of the quoted message, or the last one of this chat, if known: it may still be on its way. */
  noteId: z.uuid().optional(),
  uiLanguage: uiLanguageIfKnown,
  /** `claimed`: only notes from this very chat are reached. */
  source: Source,
})
/** A person chose in the chat in which language we write to them. */
export const LanguageChosen = event('language-chosen', {
  userId,
  uiLanguage: z.enum(UI_LANGUAGES),
  source: Source,
})
/** The outcome of a command about notes, to be answered once. */
export const NoteCommandDone = event('note-command-done', {
  userId,
  /** The note that the answer is about: who quotes the answer means this note. */
  transcriptionId: z.uuid().optional(),
  outcome: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('refused'),
      why: enumerated(
        z.enum([
          'no_note',
          'unknown_note',
          'running',
          'no_audio',
          'no_speech',
          'no_words',
          'too_many_words',
          'same_language',
          'transcript_too_long',
          'no_answer',
          'text_too_often',
          'text_day_is_full',
          'text_budget_spent',
          'no_such_file',
          'nothing_deleted',
          'no_such_hit',
        ]),
        'no_answer',
      ),
    }),
    z.object({ kind: z.literal('too_often'), retryAfterSeconds: seconds }),
    /** There is no text, as the note has failed. */
    z.object({ kind: z.literal('failed'), reason: Reason }),
    /** `title`: null when it is not known any more. `isCharged`: its minutes were charged, beyond the limits. `canUndo`: for 10 minutes. */
    z.object({
      kind: z.literal('deleted'),
      title: z.string().nullable(),
      isCharged: z.boolean(),
      canUndo: z.boolean().default(false),
    }),
    z.object({ kind: z.literal('restored'), title: z.string() }),
    /** `url` reads the note without an account. */
    z.object({
      kind: z.literal('shared'),
      title: z.string(),
      url: z.url(),
      expiresAt: z.iso.datetime(),
    }),
    z.object({
      kind: z.literal('gist'),
      title: z.string(),
      lines: z.array(z.string()),
      tasks: z.array(z.object({ text: z.string(), due: z.iso.date().nullable() })),
    }),
    /** `text`: in paragraphs, with an empty line between them. */
    z.object({ kind: z.literal('translation'), title: z.string(), language: z.string(), text: z.string() }),
    /** `content`: Base64. */
    z.object({ kind: z.literal('file'), title: z.string(), name: z.string(), content: z.string() }),
    z.object({ kind: z.literal('titled'), title: z.string() }),
    /** Asks which language was spoken, if not the one that it was taken for. */
    z.object({ kind: z.literal('choices'), taken: z.string() }),
    /** Asks whether to translate into a language, or to transcribe again in it. */
    z.object({ kind: z.literal('which'), language: z.string() }),
    /** Says what can be done with the note; without one, how to get help. */
    z.object({ kind: z.literal('offer') }),
    /** The newest notes that have these words, newest first; without words, the newest of all. */
    z.object({
      kind: z.literal('found'),
      words: z.string(),
      /** `line`: round the first of the words; empty where they are not in the text. */
      notes: z
        .array(z.object({ title: z.string(), createdAt: z.iso.datetime(), line: z.string().default('') }))
        .max(3),
    }),
    /** One of them, in paragraphs. */
    z.object({ kind: z.literal('opened'), title: z.string(), text: z.string() }),
  ]),
  source: Source,
})
export const MediaRejected = event('media-rejected', {
  ...Medium,
  fileName: z.string(),
  bytes: z.int().nonnegative(),
  reason: Reason,
  source: Source,
})
/** The record of a rejected file is there: its person sees why. */
export const NoteRejected = event('note-rejected', {
  ...Note,
  fileName: z.string(),
  reason: Reason,
  item: noteThatIs('failed'),
  source: Source,
})
/** A file cannot be fetched at the moment; the download is tried again for as long as the provider keeps it. */
export const MediaDelayed = event('media-delayed', {
  ...Medium,
  fileName: z.string(),
  source: Source,
})
export const MediaReceived = event('media-received', {
  ...Medium,
  objectKey: z.string(),
  mime: z.string(),
  bytes: z.int().positive(),
  /** Hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  fileName: z.string(),
  /** Time at which its message came, or its upload began. */
  receivedAt: z.iso.datetime().optional(),
  /** Given by the person. */
  title: z.string().optional(),
  language: z.string(),
  /** ISO 3166-1 alpha-2, of the person's number. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  uiLanguage: uiLanguageIfKnown,
  gists,
  source: NoteSource,
})
export const MediaNormalised = event('media-normalised', {
  ...Attempt,
  source: enumerated(NoteSource, { channel: 'web' }),
})
export const QuotaReserved = event('quota-reserved', { ...Attempt, remainingSeconds: seconds })
export const QuotaExceeded = event('quota-exceeded', {
  ...Attempt,
  remainingSeconds: seconds,
  periodEnd: z.iso.datetime(),
})
/** A note takes, or is expected to take, so long that its sender is told. */
export const NoteQueued = event('note-queued', {
  ...Note,
  attempt: z.int().positive().optional(),
  /** The expected wait, at least 20; null: it is in hand, and its message came 20 s ago. */
  waitSeconds: seconds.nullable(),
  source: Source,
})
export const TranscriptionCompleted = event('transcription-completed', {
  /** `seconds` are those to charge: 0 for silence. */
  ...Attempt,
  /** Length of the audio. */
  audioSeconds: seconds,
  title: z.string(),
  /** In paragraphs, with an empty line between them. */
  text: z.string(),
  words: z.int().nonnegative(),
  /** A language id, `auto` when the engine gave none. */
  language: z.string(),
  engine: z.string(),
  /** Seconds left in the account after this note; null when billing was not asked, as the audio is known. */
  remainingSeconds: seconds.nullable(),
  /** Notices about the text, such as doubts. */
  notices: z.array(Reason).default([]),
  item: noteThatIs('completed').optional(),
  ...Outcome,
})
export const TranscriptionFailed = event('transcription-failed', {
  /** `seconds` are those to charge: none, unless its person has deleted too many notes while engines listened to them. */
  ...Attempt,
  reason: Reason,
  /** Absent for a deleted note. */
  item: noteThatIs('failed').optional(),
  ...Outcome,
})
/**
 * A note's outcome was sent to its person: by the first channel, or by the next one when that failed. `command`: the
 * answer to a command about the note.
 */
export const AnswerSent = event('answer-sent', {
  ...Note,
  way: enumerated(z.enum(['chat', 'mail', 'command']), 'command'),
  /** The provider's ids of messages about this note: who quotes one means the note. */
  messageIds: z.array(z.string()).max(2).default([]),
})
/** The provider accepted one of our messages and then could not deliver it. */
export const MessageFailed = event('message-failed', {
  channel: ChatProvider,
  /** The provider's id of our message. */
  messageId: z.string().min(1),
  /** The provider's error code; empty when it gave none. */
  code: z.string(),
})
export const QuotaUpdated = event('quota-updated', {
  userId,
  usedSeconds: seconds,
  totalSeconds: seconds,
  plan: enumerated(PlanName, 'monthly'),
  periodStart: z.iso.datetime(),
  periodEnd: z.iso.datetime(),
})
export const SubscriptionChanged = event('subscription-changed', {
  userId,
  periodEnd: z.iso.datetime(),
  change: z.enum([
    'started',
    'renewed',
    'cancel-scheduled',
    'reactivated',
    'ended',
    'payment-failed',
    'payment-recovered',
  ]),
})
export const ContactMessageReceived = event('contact-message-received', {
  name: z.string(),
  email: z.email(),
  subject: z.string(),
  message: z.string(),
  /** Language of the confirmation. */
  uiLanguage,
})
export const MediaExpired = event('media-expired', Medium)
export const TranscriptionDeleted = event('transcription-deleted', Medium)

/** An event type with any data. */
export type AnyEventType = Pick<EventType<unknown>, 'name' | 'version' | 'routingKey' | 'parse'>

/** An entry of the flow: sender, event, receivers. */
const sent = <From extends Service, E extends AnyEventType, To extends Service>(
  from: From,
  event: E,
  ...to: To[]
) => ({ event, from, to: to as readonly To[] })

/** The whole event flow of the product. */
export const flow = {
  UserRegistered: sent('auth', UserRegistered, 'billing', 'ingestion', 'notification'),
  UserUpdated: sent('auth', UserUpdated, 'billing', 'ingestion', 'transcription', 'notification'),
  SenderLinked: sent('ingestion', SenderLinked, 'auth', 'billing', 'notification'),
  MessageRefused: sent('ingestion', MessageRefused, 'notification'),
  SenderReplaced: sent('auth', SenderReplaced, 'notification'),
  NumberChanged: sent('ingestion', NumberChanged, 'ingestion', 'auth', 'notification'),
  NoteRevoked: sent('ingestion', NoteRevoked, 'ingestion', 'transcription'),
  NumberTakenOver: sent('auth', NumberTakenOver, 'notification'),
  EmailChanged: sent('auth', EmailChanged, 'notification'),
  OwnershipAsked: sent('notification', OwnershipAsked, 'ingestion'),
  NumberDisowned: sent('ingestion', NumberDisowned, 'ingestion', 'auth', 'notification'),
  NoteWithdrawn: sent('ingestion', NoteWithdrawn, 'transcription', 'billing', 'notification'),
  HookMade: sent('notification', HookMade, 'notification'),
  HookTurnedOff: sent('notification', HookTurnedOff, 'notification'),
  PasswordResetRequested: sent('auth', PasswordResetRequested, 'notification'),
  AccountErased: sent('auth', AccountErased, 'auth', 'billing', 'ingestion', 'transcription', 'notification'),
  AccessEnded: sent('auth', AccessEnded, 'billing', 'ingestion', 'transcription', 'notification'),
  PasswordChanged: sent('auth', PasswordChanged, 'notification'),
  MediaAnnounced: sent('ingestion', MediaAnnounced, 'ingestion', 'notification'),
  SenderUnknown: sent('ingestion', SenderUnknown, 'notification'),
  ChatOpened: sent('ingestion', ChatOpened, 'notification'),
  ChatCommandReceived: sent('ingestion', ChatCommandReceived, 'billing'),
  NoteCommandReceived: sent('ingestion', NoteCommandReceived, 'transcription'),
  LanguageChosen: sent('ingestion', LanguageChosen, 'auth', 'notification'),
  NoteCommandDone: sent('transcription', NoteCommandDone, 'notification'),
  BalanceTold: sent('billing', BalanceTold, 'notification'),
  MediaRejected: sent('ingestion', MediaRejected, 'transcription'),
  NoteRejected: sent('transcription', NoteRejected, 'notification'),
  MediaDelayed: sent('ingestion', MediaDelayed, 'notification'),
  MediaReceived: sent('ingestion', MediaReceived, 'transcription'),
  MediaNormalised: sent('transcription', MediaNormalised, 'billing'),
  QuotaReserved: sent('billing', QuotaReserved, 'transcription'),
  QuotaExceeded: sent('billing', QuotaExceeded, 'transcription'),
  NoteQueued: sent('transcription', NoteQueued, 'notification'),
  TranscriptionCompleted: sent(
    'transcription',
    TranscriptionCompleted,
    'billing',
    'ingestion',
    'notification',
  ),
  TranscriptionFailed: sent('transcription', TranscriptionFailed, 'billing', 'notification'),
  AnswerSent: sent('notification', AnswerSent, 'transcription'),
  MessageFailed: sent('ingestion', MessageFailed, 'notification'),
  QuotaUpdated: sent('billing', QuotaUpdated, 'notification'),
  SubscriptionChanged: sent('billing', SubscriptionChanged, 'transcription', 'notification'),
  ContactMessageReceived: sent('notification', ContactMessageReceived, 'notification'),
  MediaExpired: sent('ingestion', MediaExpired, 'transcription'),
  TranscriptionDeleted: sent('transcription', TranscriptionDeleted, 'ingestion', 'notification'),
}

export type Flow = typeof flow
export type EventName = keyof Flow
type DataOf<K extends EventName> = Flow[K]['event'] extends EventType<infer Data> ? Data : never
export type EventOf<K extends EventName> = Envelope<DataOf<K>>

/** The events that the flow sends to a service. */
export type ReceivedBy<S extends Service> = {
  [K in EventName]: S extends Flow[K]['to'][number] ? K : never
}[EventName]

/**
 * The consumers a service must have: one function per event that the flow sends to it. Its `erase` gets to know of
 * `AccountErased`; every service refuses the tokens of `AccessEnded` by itself.
 */
export type HandlersFor<S extends Service> = {
  [K in Exclude<ReceivedBy<S>, 'AccountErased' | 'AccessEnded'>]: (event: EventOf<K>) => Promise<void>
}

/** Names of the events that the flow sends to a service, for the check at its start. */
export const receivedBy = (service: Service): EventName[] =>
  (Object.keys(flow) as EventName[]).filter(name => (flow[name].to as readonly Service[]).includes(service))
