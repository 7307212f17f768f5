import { z } from 'zod'
import { LATE_ANSWERS } from '../../knowledge/business.ts'
import { Chat, ChatProvider, enumerated, event } from '../event.ts'
import { audio, gists, uiLanguage, userId } from './fields.ts'

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
  /** Of their numbers and dates, ISO 3166-1 alpha-2. Unset: as the language writes them where most people speak it. */
  country: z.string().optional(),
  /** Unset: `mail`. */
  lateAnswers: enumerated(z.enum(LATE_ANSWERS).optional()),
  /** Whether an operator blocks the account: it neither does nor shows anything. Unset: it never was blocked. */
  blocked: z.boolean().optional(),
  gists,
  audio,
  /** Counts the account's changes, so that an older event never overwrites a newer one. */
  revision: z.int().nonnegative(),
}

export const UserRegistered = event('user-registered', { ...Account, registeredAt: z.iso.datetime() })

export const UserUpdated = event('user-updated', Account)

/** A proved sender is not the account's only one any more: another was linked, or the number changed. */
export const SenderReplaced = event('sender-replaced', {
  userId,
  email: z.email(),
  firstName: z.string(),
  /** The chat of the one before, if known. */
  chat: enumerated(Chat.optional()),
  /** The new number; null when it is hidden. */
  phone: z.string().nullable(),
  /** Of the new sender; absent: a number of WhatsApp was typed on the page. */
  channel: enumerated(ChatProvider.optional()),
  /** Brings the one before back. */
  undoLink: z.url(),
})

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

export const PasswordResetRequested = event('password-reset-requested', {
  userId,
  email: z.email(),
  firstName: z.string(),
  resetLink: z.url(),
  /** How long the link is valid, from the event on: later no mail is sent. */
  validSeconds: z.int().positive(),
})

/** Someone whose address the provider has verified asks to sign in to the account with it; its mailbox decides. */
export const SignInLinkRequested = event('sign-in-link-requested', {
  userId,
  email: z.email(),
  firstName: z.string(),
  /** The provider's name. */
  provider: z.string(),
  link: z.url(),
  /** How long the link is valid, from the event on: later no mail is sent. */
  validSeconds: z.int().positive(),
})

/** Someone who may open an account, by the link in this mail. */
export const InvitationMade = event('invitation-made', {
  userId,
  email: z.email(),
  /** The proved address of the person who invites. */
  from: z.email(),
  inviteLink: z.url(),
  /** No mail is sent from then on. */
  expiresAt: z.iso.datetime(),
})

/** Every service forgets the account, also what comes later. Name and addresses are for the last mail. */
export const AccountErased = event('account-erased', {
  userId,
  /** E.164 digits; null when it had none. */
  phone: z.string().nullable(),
  email: z.email(),
  firstName: z.string(),
  uiLanguage,
})

/** A sign-in or an API key has ended, and so have its access tokens, all of which run out at `until`. */
export const AccessEnded = event('access-ended', {
  userId,
  /** The session's id, or the key's. */
  bearerId: z.string().min(1),
  until: z.iso.datetime(),
})

/** An API key was created; its person gets a mail, in case it was someone else. */
export const KeyMade = event('key-made', { userId, name: z.string() })

/** A passkey was added or removed; its person gets a mail, in case it was someone else. */
export const PasskeyChanged = event('passkey-changed', {
  userId,
  name: z.string(),
  change: enumerated(z.enum(['added', 'removed']), 'added'),
})

/** A person signs in by passkeys only; they get a mail, in case it was someone else. */
export const PasswordRemoved = event('password-removed', { userId })

/** A password was changed or reset; `undone`: by the link that takes back a change of the account. */
export const PasswordChanged = event('password-changed', {
  userId,
  email: z.email(),
  firstName: z.string(),
  undone: z.boolean().optional(),
})
