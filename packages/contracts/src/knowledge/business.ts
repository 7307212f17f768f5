import { normalized } from './text.ts'

export const DEFAULT_LANGUAGE = 'auto'

/** File types that a note may have (specification, section 1), by extension. */
export const AUDIO_FORMATS = ['mp3', 'wav', 'flac', 'm4a', 'aac', 'ogg'] as const
export const VIDEO_FORMATS = ['mp4', 'mpeg', 'webm'] as const

/** Rules for new accounts: open to anyone, by invitation, or closed. */
export const SIGN_UP = ['open', 'invited', 'closed'] as const
/** Destinations of texts that WhatsApp refuses 24 hours after a person's last message: mail and chat, or chat. */
export const LATE_ANSWERS = ['mail', 'chat'] as const

/** Notes that get a gist automatically: none, those with more than 90 s of speech, or all. */
export const GIST_CHOICES = ['never', 'long', 'all'] as const
export type GistChoice = (typeof GIST_CHOICES)[number]

export const CONTACT_SUBJECTS = [
  'general',
  'technical',
  'billing',
  'feature',
  'bug',
  'partnership',
  'other',
] as const

export const HOOK_EVENTS = [
  'transcription.completed',
  'transcription.failed',
  'transcription.deleted',
  'conversation.completed',
] as const

/** Characters of link codes, without any that look alike. */
export const LINK_CODE_LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
export const LINK_CODE_LENGTH = 8
/** Dashes as phones and people type them, including the minus sign. */
const DASH = '[\\p{Pd}\u2212]'
/** Matches a link code anywhere in a text, in any case. */
export const LINK_CODE = new RegExp(
  `(?<![\\p{L}\\p{N}])VX\\s*${DASH}?\\s*([${LINK_CODE_LETTERS}]{${LINK_CODE_LENGTH}})(?![\\p{L}\\p{N}])`,
  'iu',
)
const WORD = '[\\p{L}\\p{N}]'
/** A word about as long as a code, or the whole message: people also write "VX-220" of a car. */
const LIKE_A_CODE = new RegExp(
  `(?<!${WORD})VX${DASH}${WORD}{${LINK_CODE_LENGTH - 1},${LINK_CODE_LENGTH + 1}}(?!${WORD})|^\\P{L}*VX${DASH}\\S*$`,
  'iu',
)

/**
 * Finds the link code in a text, in the accounts' form (`VX-ABCD2345`). Accepts any case, and any dash, a space or nothing
 * after VX. `isMeant`: the text means a code, valid or not.
 */
export function linkCodeIn(text: string): { code?: string; isMeant: boolean } {
  const plain = normalized(text, 'NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
  const [found, letters] = LINK_CODE.exec(plain) ?? []
  const isMeant = LIKE_A_CODE.test(plain) || plain === found
  return { ...(letters && { code: `VX-${letters.toUpperCase()}` }), isMeant }
}
