// The limits that a sentence, a page or a second service shows. All others stand in the file that uses them.

export const MAX_FILE_BYTES = 16 * 1024 * 1024
export const TITLE_MAX = 200
/** Characters of a search. */
export const SEARCH_MAX = 200
/** Own words of a person, and replacements; and characters of each. */
export const OWN_WORDS_MAX = 100
export const OWN_WORD_LENGTH = 60
export const RETENTION_DAYS = 30
/** Choices of how long a link to a note may work. */
export const SHARE_DAYS = [1, 7, 30] as const
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
/** Seconds of speech from which a note is long. */
export const LONG_SPEECH_SECONDS = 90
export const GIST_LINES_MAX = 3
/** Hooks a person. */
export const HOOKS_MAX = 20
