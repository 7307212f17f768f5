import { UI_LANGUAGES } from '@voxscribe/languages'
import { z } from 'zod'
import { SPEAKERS_MAX } from '../../knowledge/limits.ts'
import { ChatProvider, enumerated, event, NoteSource, Source } from '../event.ts'
import { ReasonSchema } from '../reason.ts'
import { chatCommand, choices, Medium, uiLanguageIfKnown, userId } from './fields.ts'

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
  /** Tags that it gets besides its others. */
  z.object({ name: z.literal('tag'), tags: z.array(z.string()) }),
  z.object({ name: z.literal('delete') }),
  z.object({ name: z.literal('undo') }),
  /** Undoes a deletion, if nothing else came since; else it is asked what is meant. */
  z.object({ name: z.literal('cancel') }),
  z.object({ name: z.literal('share') }),
  /** Its gist, in the person's language. */
  z.object({ name: z.literal('summary') }),
  z.object({ name: z.literal('translate'), language: z.string() }),
  /** Its text by speakers; `count`: how many there are. */
  z.object({ name: z.literal('speakers'), count: z.int().min(1).max(SPEAKERS_MAX).optional() }),
  /** The open to-dos of all notes. */
  z.object({ name: z.literal('todo') }),
  z.object({ name: z.literal('find'), words: z.string() }),
  z.object({ name: z.literal('latest') }),
  /** A question to the notes. */
  z.object({ name: z.literal('ask'), question: z.string() }),
  /** A text in the form of this name. */
  z.object({ name: z.literal('form'), form: z.string() }),
  /** One of the notes that were found last, from 1; of to-dos that were listed last: it is done. */
  z.object({ name: z.literal('open'), hit: z.int().positive() }),
  /** A reply that is no command. */
  z.object({ name: z.literal('offer') }),
  /** A short message that is no command, where there is a text model to say what it may ask for. */
  z.object({ name: z.literal('unclear'), text: z.string() }),
])
export type NoteCommand = z.infer<typeof NoteCommand>

export const SenderLinked = event('sender-linked', {
  userId,
  /** E.164 digits; null when the sender hides the number. */
  phone: z.string().nullable(),
  /** The messenger's own id of the person, Telegram's, too: processes of the last release need the field by this name. */
  whatsappUserId: z.string().nullable(),
  /** The code of the message, if it bound a sender that was not bound before: it is used up. */
  usedCode: z.string().optional(),
  /** Whether the account had been proved from elsewhere. */
  replaces: z.boolean().optional(),
  /** Notes that have waited for it: their first answer says that the chat is linked. */
  notes: z.int().nonnegative().optional(),
  /** The account that had proved the number, of which WhatsApp says that its person is another by now. */
  takenFrom: z.string().optional(),
  source: Source,
})

/** A message with a link code that is unknown or another account's number's, or with nothing to transcribe. */
export const MessageRefused = event('message-refused', { reason: ReasonSchema, source: Source })

/** WhatsApp says that a person has changed their number: it belongs to no account any more. */
export const NumberChanged = event('number-changed', {
  userId,
  phone: z.string(),
  /** Null when WhatsApp did not say. */
  newPhone: z.string().nullable(),
})

/** A person revoked a message in WhatsApp: its note goes if it has no text yet. */
export const NoteRevoked = event('note-revoked', Medium)

/** The person behind a number answered NO: it does not belong to that account. */
export const NumberDisowned = event('number-disowned', {
  userId,
  phone: z.string(),
  source: Source,
})

/** A note of a disowned number: it is removed from the account, with its minutes. */
export const NoteWithdrawn = event('note-withdrawn', Medium)

export const MediaAnnounced = event('media-announced', {
  /** `mediaId` is derived from the provider's message id; it is the transcription's id too. */
  ...Medium,
  /** WhatsApp: the media id. Twilio: the media's address. Telegram: the file id. */
  providerMediaId: z.string(),
  fileName: z.string(),
  /** As the webhook gives it: base64 or hex; null when it does not. Absent in events of earlier versions. */
  sha256: z.string().nullable().optional(),
  /** Id of withdrawn media whose object is used again. */
  keptAs: z.string().optional(),
  source: Source,
})

export const SenderUnknown = event('sender-unknown', {
  /** Whether the message is a note; otherwise it is a text. */
  isNote: z.boolean(),
  /** Whether a note of the sender's is waiting for the account to be linked. */
  noteWaits: z.boolean(),
  /** The number belongs to an account, and the user id is not the one that came with it before. */
  isRival: z.boolean().optional(),
  source: Source,
})

/** A text that asks for nothing, such as thanks: it opens the chat for 24 hours, as any message does. */
export const ChatOpened = event('chat-opened', { userId, source: Source })

/** A text of a known sender: a command, or a word that is none (`hint`). */
export const ChatCommandReceived = event('chat-command-received', {
  userId,
  command: chatCommand,
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

export const MediaRejected = event('media-rejected', {
  ...Medium,
  fileName: z.string(),
  bytes: z.int().nonnegative(),
  reason: ReasonSchema,
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
  title: z.string().optional(),
  /** A program asked for its times, as for subtitles. */
  wantsTimes: z.boolean().optional(),
  /** The conversation that it belongs to, and its name among that one's files. */
  conversation: z.object({ id: z.string(), file: z.string() }).optional(),
  ...choices,
  source: NoteSource,
})

/** The provider accepted one of our messages and then could not deliver it. */
export const MessageFailed = event('message-failed', {
  channel: ChatProvider,
  /** The provider's id of our message. */
  messageId: z.string().min(1),
  /** The provider's error code; empty when it gave none. */
  code: z.string(),
})

export const MediaExpired = event('media-expired', Medium)
