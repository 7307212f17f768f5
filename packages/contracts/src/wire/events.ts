import type { Envelope, EventType } from './event.ts'
import * as auth from './events/auth.ts'
import * as billing from './events/billing.ts'
import * as ingestion from './events/ingestion.ts'
import * as notification from './events/notification.ts'
import * as transcription from './events/transcription.ts'

export {
  Chat,
  ChatProvider,
  derivedId,
  type Envelope,
  type EventType,
  messageOf,
  NoteSource,
  Source,
} from './event.ts'
export * from './events/auth.ts'
export * from './events/billing.ts'
export { ChatCommand } from './events/fields.ts'
export * from './events/ingestion.ts'
export * from './events/notification.ts'
export * from './events/transcription.ts'

export const SERVICES = ['gateway', 'auth', 'billing', 'ingestion', 'transcription', 'notification'] as const
export type Service = (typeof SERVICES)[number]

export type AnyEventType = Pick<EventType<unknown>, 'name' | 'version' | 'routingKey' | 'parse'>

/** Creates an entry of the flow: sender, event, receivers. */
const sent = <From extends Service, E extends AnyEventType, To extends Service>(
  from: From,
  event: E,
  ...to: To[]
) => ({ event, from, to: to as readonly To[] })
/** Marks an event after a person's message, which opens the chat for 24 hours: waiting answers are sent first. */
const opensChat = <Entry extends object>(entry: Entry) => ({ ...entry, opens: 'chat' as const })
/** Marks an event that ends an account or access to it; `packages/service` handles it for every service. */
const closes = <Entry extends object>(entry: Entry) => ({ ...entry, closes: 'access' as const })

/** The whole event flow of the product, by sender. */
export const flow = {
  UserRegistered: sent('auth', auth.UserRegistered, 'billing', 'ingestion', 'transcription', 'notification'),
  UserUpdated: sent('auth', auth.UserUpdated, 'billing', 'ingestion', 'transcription', 'notification'),
  SenderReplaced: sent('auth', auth.SenderReplaced, 'notification'),
  NumberTakenOver: sent('auth', auth.NumberTakenOver, 'notification'),
  EmailChanged: sent('auth', auth.EmailChanged, 'notification'),
  PasswordResetRequested: sent('auth', auth.PasswordResetRequested, 'notification'),
  SignInLinkRequested: sent('auth', auth.SignInLinkRequested, 'notification'),
  InvitationMade: sent('auth', auth.InvitationMade, 'notification'),
  AccountErased: closes(
    sent('auth', auth.AccountErased, 'auth', 'billing', 'ingestion', 'transcription', 'notification'),
  ),
  AccessEnded: closes(
    sent('auth', auth.AccessEnded, 'billing', 'ingestion', 'transcription', 'notification'),
  ),
  KeyMade: sent('auth', auth.KeyMade, 'notification'),
  PasskeyChanged: sent('auth', auth.PasskeyChanged, 'notification'),
  PasswordRemoved: sent('auth', auth.PasswordRemoved, 'notification'),
  PasswordChanged: sent('auth', auth.PasswordChanged, 'notification'),
  SenderLinked: opensChat(sent('ingestion', ingestion.SenderLinked, 'auth', 'billing', 'notification')),
  MessageRefused: opensChat(sent('ingestion', ingestion.MessageRefused, 'notification')),
  NumberChanged: sent('ingestion', ingestion.NumberChanged, 'ingestion', 'auth', 'notification'),
  NoteRevoked: sent('ingestion', ingestion.NoteRevoked, 'ingestion', 'transcription'),
  NumberDisowned: sent('ingestion', ingestion.NumberDisowned, 'ingestion', 'auth', 'notification'),
  NoteWithdrawn: sent('ingestion', ingestion.NoteWithdrawn, 'transcription', 'billing', 'notification'),
  MediaAnnounced: opensChat(sent('ingestion', ingestion.MediaAnnounced, 'ingestion', 'notification')),
  SenderUnknown: sent('ingestion', ingestion.SenderUnknown, 'notification'),
  ChatOpened: opensChat(sent('ingestion', ingestion.ChatOpened, 'notification')),
  ChatCommandReceived: sent('ingestion', ingestion.ChatCommandReceived, 'billing'),
  NoteCommandReceived: sent('ingestion', ingestion.NoteCommandReceived, 'transcription'),
  LanguageChosen: opensChat(sent('ingestion', ingestion.LanguageChosen, 'auth', 'notification')),
  MediaRejected: sent('ingestion', ingestion.MediaRejected, 'transcription'),
  MediaDelayed: sent('ingestion', ingestion.MediaDelayed, 'notification'),
  MediaReceived: sent('ingestion', ingestion.MediaReceived, 'transcription'),
  MessageFailed: sent('ingestion', ingestion.MessageFailed, 'notification'),
  MediaExpired: sent('ingestion', ingestion.MediaExpired, 'transcription'),
  NoteCommandDone: opensChat(sent('transcription', transcription.NoteCommandDone, 'notification')),
  MessageUnderstood: sent('transcription', transcription.MessageUnderstood, 'ingestion'),
  NoteRejected: sent('transcription', transcription.NoteRejected, 'notification'),
  MediaNormalised: sent('transcription', transcription.MediaNormalised, 'billing'),
  NoteQueued: sent('transcription', transcription.NoteQueued, 'notification'),
  TranscriptionCompleted: sent(
    'transcription',
    transcription.TranscriptionCompleted,
    'billing',
    'ingestion',
    'notification',
  ),
  NoteSummarised: sent('transcription', transcription.NoteSummarised, 'notification'),
  TranscriptionFailed: sent('transcription', transcription.TranscriptionFailed, 'billing', 'notification'),
  TranscriptionDeleted: sent(
    'transcription',
    transcription.TranscriptionDeleted,
    'ingestion',
    'notification',
  ),
  ConversationCompleted: sent('transcription', transcription.ConversationCompleted, 'notification'),
  BalanceTold: opensChat(sent('billing', billing.BalanceTold, 'notification')),
  QuotaReserved: sent('billing', billing.QuotaReserved, 'transcription'),
  QuotaExceeded: sent('billing', billing.QuotaExceeded, 'transcription'),
  QuotaUpdated: sent('billing', billing.QuotaUpdated, 'notification'),
  SubscriptionChanged: sent('billing', billing.SubscriptionChanged, 'notification'),
  OwnershipAsked: sent('notification', notification.OwnershipAsked, 'ingestion'),
  HookMade: sent('notification', notification.HookMade, 'notification'),
  HookTurnedOff: sent('notification', notification.HookTurnedOff, 'notification'),
  AnswerSent: sent('notification', notification.AnswerSent, 'transcription'),
  ContactMessageReceived: sent('notification', notification.ContactMessageReceived, 'notification'),
}

type Flow = typeof flow
export type EventName = keyof Flow
type DataOf<K extends EventName> = Flow[K]['event'] extends EventType<infer Data> ? Data : never
export type EventOf<K extends EventName> = Envelope<DataOf<K>>

/** The events that the flow sends to a service. */
type ReceivedBy<S extends Service> = {
  [K in EventName]: S extends Flow[K]['to'][number] ? K : never
}[EventName]

/** The events whose entry has a mark. */
type Marked<Mark> = { [K in EventName]: Flow[K] extends Mark ? K : never }[EventName]
export type OpensChat = Marked<{ opens: 'chat' }>
export const CHAT_OPENERS = (Object.keys(flow) as EventName[]).filter(
  (name): name is OpensChat => 'opens' in flow[name],
)

/** The handlers that a service must have: one per event that the flow sends to it, except those that close access. */
export type HandlersFor<S extends Service> = {
  [K in Exclude<ReceivedBy<S>, Marked<{ closes: 'access' }>>]: (event: EventOf<K>) => Promise<void>
}

/** Returns the names of the events that the flow sends to a service, for the check at its start. */
export const receivedBy = (service: Service): EventName[] =>
  (Object.keys(flow) as EventName[]).filter(name => (flow[name].to as readonly Service[]).includes(service))
