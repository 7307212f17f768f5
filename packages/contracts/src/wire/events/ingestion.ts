import { UI_LANGUAGES } from '@voxscribe/languages'
import { z } from 'zod'
import { SPEAKERS_MAX } from '../../knowledge/limits.ts'
import { ChatProvider, enumerated, event, NoteSource, Source } from '../event.ts'
import { ReasonSchema } from '../reason.ts'
import { chatCommand, choices, Medium, uiLanguageIfKnown, userId } from './fields.ts'

/** A chat command about one of the person's notes, or about all of them (`find`). */
export const NoteCommand = z.discriminatedUnion('name', [
  /** Transcribes the note again in `language`, a language id. */
  z.object({ name: z.literal('again'), language: z.string() }),
  /** Asks back for the language: the person only said that it was another one, or (`isRetry`) to write it again. */
  z.object({ name: z.literal('choose'), isRetry: z.boolean().optional() }),
  /** Asks back whether to translate into this language, or whether it was spoken. */
  z.object({ name: z.literal('which'), language: z.string() }),
  z.object({
    name: z.literal('export'),
    format: enumerated(z.enum(['txt', 'srt', 'docx', 'pdf', 'md']), 'txt'),
  }),
  z.object({ name: z.literal('title'), title: z.string() }),
  /** Adds tags to the note's. */
  z.object({ name: z.literal('tag'), tags: z.array(z.string()) }),
  z.object({ name: z.literal('delete') }),
  z.object({ name: z.literal('undo') }),
  /** Undoes a deletion if nothing else has come since; otherwise the answer asks what is meant. */
  z.object({ name: z.literal('cancel') }),
  z.object({ name: z.literal('share') }),
  /** The note's gist, in the person's language. */
  z.object({ name: z.literal('summary') }),
  z.object({ name: z.literal('translate'), language: z.string() }),
  /** The note's text by speakers; `count`: the number of speakers. */
  z.object({ name: z.literal('speakers'), count: z.int().min(1).max(SPEAKERS_MAX).optional() }),
  /** The open to-dos of all notes. */
  z.object({ name: z.literal('todo') }),
  z.object({ name: z.literal('find'), words: z.string() }),
  z.object({ name: z.literal('latest') }),
  z.object({ name: z.literal('ask'), question: z.string() }),
  /** A text of the note in the form of this name. */
  z.object({ name: z.literal('form'), form: z.string() }),
  /** Opens a note of the last list, by its number from 1; if that list had to-dos, marks this one as done. */
  z.object({ name: z.literal('open'), hit: z.int().positive() }),
  /** A reply that is not a command. */
  z.object({ name: z.literal('offer') }),
  /** A short message that is not a command, if there is a text model to interpret it. */
  z.object({ name: z.literal('unclear'), text: z.string() }),
])
export type NoteCommand = z.infer<typeof NoteCommand>

export const SenderLinked = event('sender-linked', {
  userId,
  /** E.164 digits; null when the sender hides the number. */
  phone: z.string().nullable(),
  /** The messenger's own id of the person, even Telegram's: processes of the last release need this field name. */
  whatsappUserId: z.string().nullable(),
  /** The message's code if it bound a new sender; the code is used up. */
  usedCode: z.string().optional(),
  /** Whether the account was already proved from another sender. */
  replaces: z.boolean().optional(),
  /** Number of notes that waited for the link: their first answer says that the chat is linked. */
  notes: z.int().nonnegative().optional(),
  /** Account that had proved the number, if WhatsApp says that the number has changed hands since. */
  takenFrom: z.string().optional(),
  source: Source,
})

/** Refuses a message whose link code is unknown or for another account's number, or that has nothing to transcribe. */
export const MessageRefused = event('message-refused', {
  reason: ReasonSchema,
  /** The sender's account, if known. */
  userId: userId.optional(),
  source: Source,
})

/** A person has changed their WhatsApp number: the old one no longer belongs to any account. */
export const NumberChanged = event('number-changed', {
  userId,
  phone: z.string(),
  /** Null if WhatsApp did not say. */
  newPhone: z.string().nullable(),
})

/** A person revoked a WhatsApp message: its note is deleted if it has no text yet. */
export const NoteRevoked = event('note-revoked', Medium)

/** The owner of a number answered NO: the number doesn't belong to that account. */
export const NumberDisowned = event('number-disowned', {
  userId,
  phone: z.string(),
  source: Source,
})

/** A note from a disowned number: it is removed from the account, and its minutes are returned. */
export const NoteWithdrawn = event('note-withdrawn', Medium)

export const MediaAnnounced = event('media-announced', {
  /** `mediaId` is derived from the provider's message id; it is also the transcription's id. */
  ...Medium,
  /** WhatsApp: media id. Twilio: the media's address. Telegram: file id. */
  providerMediaId: z.string(),
  fileName: z.string(),
  /** Digest from the webhook, in base64 or hex; null if it has none. Absent in events of earlier versions. */
  sha256: z.string().nullable().optional(),
  /** Id of withdrawn media whose stored object is reused. */
  keptAs: z.string().optional(),
  source: Source,
})

export const SenderUnknown = event('sender-unknown', {
  /** Whether the message is a note; otherwise it is a text. */
  isNote: z.boolean(),
  /** Whether a note from this sender is waiting for an account to be linked. */
  noteWaits: z.boolean(),
  /** The number belongs to an account, but came with a different user id before. */
  isRival: z.boolean().optional(),
  source: Source,
})

/** A text that asks for nothing, such as thanks. Like any message, it opens the chat for 24 hours. */
export const ChatOpened = event('chat-opened', { userId, source: Source })

/** A text from a known sender: a command, or a word that is not one (`hint`). */
export const ChatCommandReceived = event('chat-command-received', {
  userId,
  command: chatCommand,
  source: Source,
})

/** A text from a known sender that asks for something about notes. */
export const NoteCommandReceived = event('note-command-received', {
  userId,
  command: enumerated(NoteCommand, { name: 'offer' }),
  /** The provider's id of the quoted message; without one, the last note is meant. */
  quoted: z.string().optional(),
  /** Whether that message is the person's own: if it's unknown, it may still be on its way. */
  quotesOwn: z.boolean().optional(),
  /** Note of the quoted message, or the last one of this chat, if known. It may still be on its way. */
  noteId: z.uuid().optional(),
  uiLanguage: uiLanguageIfKnown,
  /** If `claimed`, the command only reaches notes from this chat. */
  source: Source,
})

/** A person chose, in the chat, the language of our texts. */
export const LanguageChosen = event('language-chosen', {
  userId,
  uiLanguage: z.enum(UI_LANGUAGES),
  source: Source,
})

export const MediaRejected = event('media-rejected', {
  ...Medium,
  fileName: z.string(),
  bytes: z.int().nonnegative(),
  reason: ReasonSchema,
  source: Source,
})

/** A file can't be fetched at the moment. The download is retried for as long as the provider keeps the file. */
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
  /** Time at which its message came, or at which its upload began. */
  receivedAt: z.iso.datetime().optional(),
  title: z.string().optional(),
  /** A program asked for times, for example for subtitles. */
  wantsTimes: z.boolean().optional(),
  /** Conversation to which it belongs, and its name among that conversation's files. */
  conversation: z.object({ id: z.string(), file: z.string() }).optional(),
  ...choices,
  source: NoteSource,
})

/** The provider accepted one of our messages, but later could not deliver it. */
export const MessageFailed = event('message-failed', {
  channel: ChatProvider,
  /** The provider's id of our message. */
  messageId: z.string().min(1),
  /** The provider's error code; empty if it gave none. */
  code: z.string(),
})

export const MediaExpired = event('media-expired', Medium)
