// Limits that a sentence, a page or a second service shows. All others are in the file that uses them.

export const MAX_FILE_MB = 16
export const MAX_FILE_BYTES = MAX_FILE_MB * 1024 * 1024
export const TITLE_MAX = 200
/** Tags per note, and characters per tag. */
export const TAGS_MAX = 10
export const TAG_LENGTH = 30
/** Bytes of one chat's text. */
export const CHAT_BYTES_MAX = 32 * 1024 * 1024
/** Bytes of the texts of all chats of a person. They are kept under every plan. */
export const CHATS_BYTES_MAX = 8 * CHAT_BYTES_MAX
export const CHAT_FILES_MAX = 200_000
export const MESSAGES_PAGE_MAX = 200
export const SEARCH_MAX = 200
/** Words of a command in the chat; a search with more is refused. */
export const COMMAND_WORDS_MAX = 16
/** Characters of a question. */
export const QUESTION_MAX = 500
/**
 * Summaries, translations, texts in forms and questions per person and day. The last `FEW_LEFT` are kept for explicit
 * requests, and the person is told how many remain.
 */
export const TEXTS_A_DAY = 60
export const FEW_LEFT = 10
/** Earlier questions that a question may refer to. */
export const EARLIER_QUESTIONS = 3
/** Forms per person, and characters of a form's name and instruction. */
export const FORMS_MAX = 10
export const FORM_NAME_MAX = 30
export const INSTRUCTION_MAX = 1_000
/** Own words and replacements per person, and characters of each. */
export const OWN_WORDS_MAX = 100
export const OWN_WORD_LENGTH = 60
/** Longest time in days for which an installation can keep audio. */
export const RETENTION_DAYS_MAX = 3650
/** Days that a note from an unknown sender waits for its account. */
export const NOTE_WAITS_DAYS = 7
/** Days within which a change of address can be undone. */
export const UNDO_DAYS = 7
/** Open invitations per person, and days for which one is valid. */
export const INVITATIONS_MAX = 20
export const INVITATION_DAYS = 14
/** Minutes within which a note that was deleted in the chat can be restored. */
export const UNDELETE_MINUTES = 10
/** Seconds of a partial text that aren't charged if its note is deleted: less than this was hardly read. */
export const DELETED_FREE_SECONDS = 60
/** Days for which chat answers, answers waiting for the next message, and message records without words are kept. */
export const CHAT_ANSWER_DAYS = 3
export const WAITING_ANSWER_DAYS = 30
export const MESSAGE_RECORD_DAYS = 90
/** Hours after a person's last message in which WhatsApp accepts ours, and within which support replies. */
export const CHAT_WINDOW_HOURS = 24
export const SUPPORT_HOURS = 24
/** Choices of the days for which a link to a note is valid. */
export const SHARE_DAYS = [1, 7, 30] as const
/** Days for which a link made in the chat is valid; one of `SHARE_DAYS`. */
export const CHAT_SHARE_DAYS = 7
export const SIGNUP_PASSWORD_MIN = 8
export const RESET_PASSWORD_MIN = 6
export const PASSWORD_MAX = 200
export const PHONE_DIGITS_MAX = 15
export const HISTORY_PAGE_SIZE = 10
export const PAGE_SIZE_MAX = 100
/** Notes per bulk call, and per archive. */
export const BULK_MAX = 100
export const ARCHIVE_MAX = 1_000
export const RECENT_PAYMENTS = 5
/** Seconds between heartbeats on an event stream. A silent stream is dead, or held back by a proxy. */
export const HEARTBEAT_SECONDS = 25
/** Seconds of speech from which a note counts as long. */
export const LONG_SPEECH_SECONDS = 90
export const GIST_LINES_MAX = 3
/** Seconds of each piece of a recording that is transcribed while the recording goes on. */
export const PREVIEW_SECONDS = 20
/** Seconds of a note recorded without an account, and how many such notes a browser and an address may send per day. */
export const TRY_SECONDS = 30
export const TRIES_PER_BROWSER = 3
export const TRIES_PER_ADDRESS = 20
/** Notes whose to-dos one answer lists, newest first. */
export const TODO_NOTES_MAX = 500
/** Notes or to-dos that one chat message lists, each with its number. */
export const CHAT_HITS = 3
export const HOOKS_MAX = 20
/** Days for which messages to hooks are kept and can be sent again. */
export const HOOK_DELIVERY_DAYS = 7
/** Days of failure after which a hook is turned off. */
export const HOOK_OFF_DAYS = 5
/** API keys per person. A program that needs more creates keys instead of keeping one. */
export const KEYS_MAX = 50
/** Passkeys per person, and characters of a passkey's name. */
export const PASSKEYS_MAX = 20
export const PASSKEY_NAME_MAX = 60

/** Speakers of a note that can be distinguished. */
export const SPEAKERS_MAX = 6
export const SPEAKER_NAME_MAX = 200
