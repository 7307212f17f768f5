import { z } from 'zod'
import { LATE_ANSWERS } from '../../knowledge/business.ts'
import { Chat, ChatProvider, enumerated, event } from '../event.ts'
import { audio, gists, uiLanguage, userId } from './fields.ts'

const Account = {
  userId,
  /** E.164 digits without `+`; null if another account has proved the number. */
  phone: z
    .string()
    .regex(/^\d{7,15}$/)
    .nullable(),
  /** Time when the account claimed or lost that number. The newest claim wins, in whatever order the events arrive. */
  phoneClaimedAt: z.iso.datetime(),
  /** A message must contain this to bind its sender to the account. */
  linkCode: z.string().min(1),
  /** Senders stay proved while this is unchanged: it changes with the number, not with the code. Unset: the code. */
  boundBy: z.string().min(1).optional(),
  /** Access tokens of an older generation are refused. Unset: 0; the same for `passwordGeneration`. */
  generation: z.int().nonnegative().optional(),
  /** Generation of the last password: tokens of API keys, hooks and links of an older one have ended. */
  passwordGeneration: z.int().nonnegative().optional(),
  /** Codes whose use was undone: the senders that they bound don't belong to the account. */
  undoneCodes: z.array(z.string()).optional(),
  /** A language id: `auto` or a Whisper language. */
  language: z.string().min(1),
  email: z.email(),
  /** The person's last proved address, the only one to which texts are sent. Unset: `email`. */
  provedEmail: z.email().optional(),
  /** Token of the link that proves `email`. */
  confirmToken: z.string().optional(),
  firstName: z.string(),
  lastName: z.string(),
  uiLanguage,
  /** Time zone of dates in texts for the person. Unset: UTC. */
  timeZone: z.string().optional(),
  /** Country of their number and date formats, ISO 3166-1 alpha-2. Unset: where most people speak the language. */
  country: z.string().optional(),
  /** Unset: `mail`. */
  lateAnswers: enumerated(z.enum(LATE_ANSWERS).optional()),
  /** Whether an operator has blocked the account, which then can do and show nothing. Unset: never blocked. */
  blocked: z.boolean().optional(),
  gists,
  audio,
  /** Number of changes of the account, so that an older event never overwrites a newer one. */
  revision: z.int().nonnegative(),
}

export const UserRegistered = event('user-registered', { ...Account, registeredAt: z.iso.datetime() })

export const UserUpdated = event('user-updated', Account)

/** The account's proved sender is no longer its only one: another was linked, or the number changed. */
export const SenderReplaced = event('sender-replaced', {
  userId,
  email: z.email(),
  firstName: z.string(),
  /** Chat of the previous sender, if known. */
  chat: enumerated(Chat.optional()),
  /** The new number; null if it is hidden. */
  phone: z.string().nullable(),
  /** Channel of the new sender; absent: a WhatsApp number was typed on the page. */
  channel: enumerated(ChatProvider.optional()),
  /** Restores the previous sender. */
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
  /** Validity of the link, counted from the event; no mail is sent after that. */
  validSeconds: z.int().positive(),
  /** The address that the account had before, masked, which can take it back until then, even from a new password. */
  formerEmail: z.string().optional(),
  undoUntil: z.iso.datetime().optional(),
})

/** Someone with an address verified by the provider wants to sign in to its account; the mailbox's owner decides. */
export const SignInLinkRequested = event('sign-in-link-requested', {
  userId,
  email: z.email(),
  firstName: z.string(),
  provider: z.string(),
  link: z.url(),
  /** Validity of the link, counted from the event; no mail is sent after that. */
  validSeconds: z.int().positive(),
})

/** Invites someone to open an account, by the link in this mail. */
export const InvitationMade = event('invitation-made', {
  userId,
  email: z.email(),
  /** Proved address of the person who invites. */
  from: z.email(),
  inviteLink: z.url(),
  /** No mail is sent after this. */
  expiresAt: z.iso.datetime(),
})

/** Every service erases the account and what arrives later for it. Name and addresses are for the last mail. */
export const AccountErased = event('account-erased', {
  userId,
  /** E.164 digits; null if it had none. */
  phone: z.string().nullable(),
  email: z.email(),
  firstName: z.string(),
  uiLanguage,
})

/** A session or an API key has ended, and with it its access tokens, all of which expire by `until`. */
export const AccessEnded = event('access-ended', {
  userId,
  /** Id of the session or key. */
  bearerId: z.string().min(1),
  until: z.iso.datetime(),
})

/** An API key was created. The person gets a mail, in case it was someone else. */
export const KeyMade = event('key-made', { userId, name: z.string() })

/** A passkey was added or removed. The person gets a mail, in case it was someone else. */
export const PasskeyChanged = event('passkey-changed', {
  userId,
  name: z.string(),
  change: enumerated(z.enum(['added', 'removed']), 'added'),
})

/** The person now signs in only with passkeys. They get a mail, in case it was someone else. */
export const PasswordRemoved = event('password-removed', { userId })

/**
 * A password was changed, reset or ended; `undone`: by the link that undoes a change of the account; `unlinked`: by the
 * first proof of its mailbox, which also unlinked all senders.
 */
export const PasswordChanged = event('password-changed', {
  userId,
  email: z.email(),
  firstName: z.string(),
  undone: z.boolean().optional(),
  unlinked: z.boolean().optional(),
})
