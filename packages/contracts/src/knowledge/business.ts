/** Plans, limits and prices (specification, section 9). Internally, money is integers of the smallest unit. */
export const FREE_MINUTES = 30
export const PAID_MINUTES = 1000
export const PRICE_CENTS = 499
export const CURRENCY = 'usd'
export const INTERVAL = 'month'

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
export const FALLBACK_PERIOD_DAYS = 30

export const DEFAULT_LANGUAGE = 'auto'

/** Types that a note may have (specification, section 1), by file extension. */
export const AUDIO_FORMATS = ['mp3', 'wav', 'flac', 'm4a', 'aac', 'ogg'] as const
export const VIDEO_FORMATS = ['mp4', 'mpeg', 'webm'] as const

/** Channels by which notes come. */
export const NOTE_SOURCES = ['whatsapp', 'twilio', 'web', 'api'] as const

/** Places for texts that WhatsApp does not take 24 hours after a message: mail and chat, or the chat alone. */
export const LATE_ANSWERS = ['mail', 'chat'] as const

/** Notes whose gist is made by itself: none, those with more than 90 s of speech, or all. */
export const GIST_CHOICES = ['never', 'long', 'all'] as const
export type GistChoice = (typeof GIST_CHOICES)[number]
/** Seconds of speech from which a note is long. */
export const LONG_SPEECH_SECONDS = 90
export const GIST_LINES_MAX = 3

export const CONTACT_SUBJECTS = [
  'general',
  'technical',
  'billing',
  'feature',
  'bug',
  'partnership',
  'other',
] as const

/** The events of hooks. */
export const HOOK_EVENTS = [
  'transcription.completed',
  'transcription.failed',
  'transcription.deleted',
] as const
/** Hooks a person. */
export const HOOKS_MAX = 20

/** Letters and digits of link codes, without any that look alike. */
export const LINK_CODE_LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
/** Dashes as telephones and people write them, among them the minus sign. */
const DASH = '[\\p{Pd}\u2212]'
/** Matches a link code anywhere in a text, in any case. */
export const LINK_CODE = new RegExp(
  `(?<![\\p{L}\\p{N}])VX\\s*${DASH}?\\s*([${LINK_CODE_LETTERS}]{8})(?![\\p{L}\\p{N}])`,
  'iu',
)
/** A word that is meant as a link code, right or wrong. */
const LIKE_A_CODE = new RegExp(`(?<![\\p{L}\\p{N}])VX${DASH}\\S*`, 'iu')

/**
 * Returns the link code in a text as accounts have it (`VX-ABCD2345`): in any case, with any dash, a space or nothing after
 * VX. Else returns the first word that begins like one, which is wrong; undefined when there is neither.
 */
export function linkCodeIn(text: string): string | undefined {
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '')
  const code = LINK_CODE.exec(plain)?.[1]
  return code ? `VX-${code.toUpperCase()}` : LIKE_A_CODE.exec(plain)?.[0]
}
