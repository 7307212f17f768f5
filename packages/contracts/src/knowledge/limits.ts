// The limits that a sentence, a page or a second service shows. All others stand in the file that uses them.

export const MAX_FILE_MB = 16
export const MAX_FILE_BYTES = MAX_FILE_MB * 1024 * 1024
export const TITLE_MAX = 200
/** Tags of a note, and letters of each. */
export const TAGS_MAX = 10
export const TAG_LENGTH = 30
/** Bytes of a chat's text, files that an export lists, and messages of one answer. */
export const CHAT_BYTES_MAX = 32 * 1024 * 1024
/** Bytes of the texts of all chats of a person: they stay, whatever the plan is. */
export const CHATS_BYTES_MAX = 8 * CHAT_BYTES_MAX
export const CHAT_FILES_MAX = 200_000
export const MESSAGES_PAGE_MAX = 200
export const SEARCH_MAX = 200
/** Words of a command in the chat: a search with more is refused. */
export const COMMAND_WORDS_MAX = 16
/** Letters of a question. */
export const QUESTION_MAX = 500
/** Summaries, translations, texts in forms and questions of a person; the last few are kept for what they ask for, and said. */
export const TEXTS_A_DAY = 60
export const FEW_LEFT = 10
/** Earlier questions that one may refer to. */
export const EARLIER_QUESTIONS = 3
/** Forms of a person, letters of a form's name and instruction, and forms that an answer proposes. */
export const FORMS_MAX = 10
export const FORM_NAME_MAX = 30
export const INSTRUCTION_MAX = 1_000
/** Own words of a person, and replacements; and characters of each. */
export const OWN_WORDS_MAX = 100
export const OWN_WORD_LENGTH = 60
/** Most days for which an installation can keep audio. */
export const RETENTION_DAYS_MAX = 3650
/** Days for which a note of an unknown sender waits for its account. */
export const NOTE_WAITS_DAYS = 7
/** Days for which a change of address can be undone. */
export const UNDO_DAYS = 7
/** Open invitations of a person, and days for which one works. */
export const INVITATIONS_MAX = 20
export const INVITATION_DAYS = 14
/** Minutes for which a note that was deleted in the chat can be brought back. */
export const UNDELETE_MINUTES = 10
/** Seconds of text in progress that are free when its note is deleted: less than this was hardly read. */
export const DELETED_FREE_SECONDS = 60
/** Days for which answers to the chat, answers that wait for the next message, and records without words are kept. */
export const CHAT_ANSWER_DAYS = 3
export const WAITING_ANSWER_DAYS = 30
export const MESSAGE_RECORD_DAYS = 90
/** Hours within which WhatsApp takes messages after the person's last, and within which support replies. */
export const CHAT_WINDOW_HOURS = 24
export const SUPPORT_HOURS = 24
/** Choices of how long a link to a note may work. */
export const SHARE_DAYS = [1, 7, 30] as const
/** Days for which a link made in the chat works: one of the choices. */
export const CHAT_SHARE_DAYS = 7
export const SIGNUP_PASSWORD_MIN = 8
export const RESET_PASSWORD_MIN = 6
export const PASSWORD_MAX = 200
export const PHONE_DIGITS_MAX = 15
export const HISTORY_PAGE_SIZE = 10
export const PAGE_SIZE_MAX = 100
/** Notes that one call changes, and that one archive takes. */
export const BULK_MAX = 100
export const ARCHIVE_MAX = 1_000
export const RECENT_PAYMENTS = 5
/** Seconds between signs of life on a stream of events: a silent one is dead, or held back by a proxy. */
export const HEARTBEAT_SECONDS = 25
/** Seconds of speech from which a note is long. */
export const LONG_SPEECH_SECONDS = 90
export const GIST_LINES_MAX = 3
/** Seconds of a piece of a recording that is heard while the rest is recorded. */
export const PREVIEW_SECONDS = 20
/** Seconds of a note that is recorded without an account, and how many of these a browser and an address may send in a day. */
export const TRY_SECONDS = 30
export const TRIES_PER_BROWSER = 3
export const TRIES_PER_ADDRESS = 20
/** Notes whose to-dos one answer lists, the newest first. */
export const TODO_NOTES_MAX = 500
/** Notes or to-dos that the chat lists at once, each under its number. */
export const CHAT_HITS = 3
export const HOOKS_MAX = 20
/** Days for which messages to hooks are kept, and can be sent again. */
export const HOOK_DELIVERY_DAYS = 7
/** Days of failure after which a hook is turned off. */
export const HOOK_OFF_DAYS = 5
/** API keys a person: more would be a program that makes keys instead of keeping one. */
export const KEYS_MAX = 50
/** Passkeys of a person, and letters of the name of one. */
export const PASSKEYS_MAX = 20
export const PASSKEY_NAME_MAX = 60

/** Speakers of a note that can be told apart. */
export const SPEAKERS_MAX = 6
export const SPEAKER_NAME_MAX = 200
