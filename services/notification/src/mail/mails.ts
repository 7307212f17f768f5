import type { EventName, EventOf } from '@voxscribe/contracts/events'
import {
  HOOK_DELIVERY_DAYS,
  HOOK_OFF_DAYS,
  NOTE_WAITS_DAYS,
  SUPPORT_HOURS,
  UNDO_DAYS,
} from '@voxscribe/contracts/limits'
import { readNumber } from '@voxscribe/contracts/phone-lines'
import { PLANS } from '@voxscribe/contracts/plans'
import { dateOf, minutesOf, momentOf, percentOf } from '@voxscribe/contracts/wording'
import { english, type I18n } from '@voxscribe/languages'
import type { Offer } from '@voxscribe/service'
import { quotaText } from '../chat/chat-texts.ts'
import { type MailContent, mailPage } from './mail-page.ts'
import type { Mail } from './mailer.ts'

interface Reader {
  email: string
  /** Unset for someone without an account. */
  firstName?: string
}

const mail = (i18n: I18n, { email, firstName }: Reader, subject: string, content: MailContent): Mail => ({
  to: email,
  subject,
  ...mailPage(i18n, content, firstName),
})

/** The installation that mails link to; `passwords`: people can sign in with passwords. */
interface Here {
  publicUrl: string
  passwords: boolean
  offer: Offer
  supportEmail: string
}

/** Writes the mail about an event that names its reader. */
type MailOf<Name extends EventName> = (i18n: I18n, data: EventOf<Name>['data'], here: Here) => Mail
/** Writes the mail about an event to a person. */
export type MailTo<Name extends EventName> = (
  i18n: I18n,
  to: Reader,
  data: EventOf<Name>['data'],
  here: Here,
) => Mail

/** The button for locking someone else out of the account. */
const saferButton = (i18n: I18n, { publicUrl, passwords }: Here) =>
  passwords
    ? { label: i18n.t('Choose a new password'), url: `${publicUrl}/forgot-password` }
    : { label: i18n.t('Open your security settings'), url: `${publicUrl}/security` }
const saferAdvice = (i18n: I18n, { passwords }: Here) =>
  passwords
    ? i18n.t('If this wasn’t you, someone else may be using your account. Choose a new password now.')
    : i18n.t('If this wasn’t you, someone else may be using your account. Sign out on all other devices now.')

const profileButton = (i18n: I18n, publicUrl: string) => ({
  label: i18n.t('Open your profile'),
  url: `${publicUrl}/update-profile`,
})

/** `chat.url` opens the chat with the link code filled in; without a number, there is no chat to open yet. */
export function welcomeMail(
  i18n: I18n,
  reader: Reader,
  code: string,
  chat: { number: string; url: string },
  { publicUrl, offer }: Here,
): Mail {
  const { freeMinutes: minutes } = offer
  const url = `${publicUrl}/dashboard`
  const sendNote = chat.number
    ? i18n.t(
        'Send a voice note to our WhatsApp number {number}, and its text comes back in the chat and is saved in your history. The number and a QR code are on your dashboard: {url}',
        { number: written(chat.number), url },
      )
    : i18n.t(
        'Send a voice note to our WhatsApp number, and its text comes back in the chat and is saved in your history. The number and a QR code are on your dashboard: {url}',
        { url },
      )
  return mail(i18n, reader, i18n.t('Welcome to Voxscribe'), {
    paragraphs: [
      minutes === null
        ? i18n.t('Your account is ready.')
        : i18n.t(
            '{minutes, plural, one {Your account is ready, with # free minute each month.} other {Your account is ready, with # free minutes each month.}}',
            { minutes },
          ),
      sendNote,
      i18n.t(
        'Your link code is {code}. Send it to us once in a WhatsApp message so that no one else can claim your number.',
        { code },
      ),
    ],
    button: chat.number
      ? { label: i18n.t('Open the chat'), url: chat.url }
      : { label: i18n.t('Open your dashboard'), url },
  })
}

export const resetMail: MailOf<'PasswordResetRequested'> = (
  i18n,
  { resetLink, validSeconds, formerEmail, undoUntil = '', ...reader },
  { supportEmail },
) =>
  mail(i18n, reader, i18n.t('Reset your Voxscribe password'), {
    paragraphs: [
      i18n.t('Someone, hopefully you, asked to reset your account’s password.'),
      ...(formerEmail
        ? [
            i18n.t(
              'Before, the account had the address {former}, which can take it back until {date}, even from a new password. If you don’t know that address, keep nothing in the account, and write to {email}.',
              { former: formerEmail, date: dateOf(i18n, undoUntil), email: supportEmail },
            ),
          ]
        : []),
    ],
    button: { label: i18n.t('Choose a new password'), url: resetLink },
    note: i18n.t(
      '{minutes, plural, one {The link works once, within # minute. If this wasn’t you, ignore this email: your password stays the same.} other {The link works once, within # minutes. If this wasn’t you, ignore this email: your password stays the same.}}',
      { minutes: minutesOf(validSeconds) },
    ),
  })

const undoNote = (i18n: I18n) =>
  i18n.t('{days, plural, one {The link works for # day.} other {The link works for # days.}}', {
    days: UNDO_DAYS,
  })

/** For the old address. */
export const emailChangedMail: MailOf<'EmailChanged'> = (
  i18n,
  { oldEmail, newEmail, firstName, undoLink },
  { passwords },
) =>
  mail(
    i18n,
    { email: oldEmail, firstName },
    i18n.t('The email address of your Voxscribe account was changed'),
    {
      paragraphs: [
        i18n.t(
          'Your account now uses {email} to sign in. If you made this change, you don’t need to do anything.',
          { email: newEmail },
        ),
        passwords
          ? i18n.t(
              'If you didn’t, someone else may be using your account. Take your address back: everyone is signed out, and you get a link to choose a new password.',
            )
          : i18n.t(
              'If you didn’t, someone else may be using your account. Take your address back: everyone is signed out.',
            ),
      ],
      button: { label: i18n.t('This wasn’t me'), url: undoLink },
      note: undoNote(i18n),
    },
  )

export const erasedMail = (i18n: I18n, reader: Reader, supportEmail: string): Mail =>
  mail(i18n, reader, i18n.t('Your Voxscribe account has been deleted'), {
    paragraphs: [
      i18n.t(
        'As you asked, your account is deleted: your transcripts and audio, your numbers and chats, your API keys and settings are gone. Anything still in progress is deleted within an hour.',
      ),
      i18n.t(
        'If you had a paid plan, it has ended. Invoices, which the law makes us keep, stay with Stripe, our payment provider.',
      ),
    ],
    note: i18n.t('We can’t bring the account back. If it wasn’t you who deleted it, write to {email}.', {
      email: supportEmail,
    }),
  })

export const signInLinkMail: MailOf<'SignInLinkRequested'> = (
  i18n,
  { provider, link, validSeconds, ...reader },
) =>
  mail(i18n, reader, i18n.t('Sign in to Voxscribe with {provider}?', { provider }), {
    paragraphs: [
      i18n.t(
        'Someone, hopefully you, signed in with {provider} under this address. With this button, that sign-in opens your account, now and from then on.',
        { provider },
      ),
    ],
    button: { label: i18n.t('Link and sign in'), url: link },
    note: i18n.t(
      '{minutes, plural, one {The link works once, within # minute. If this wasn’t you, ignore this email: nothing changes.} other {The link works once, within # minutes. If this wasn’t you, ignore this email: nothing changes.}}',
      { minutes: minutesOf(validSeconds) },
    ),
  })

/** In the inviter's language, and without their name, which could be anyone's words to a stranger. */
export const invitationMail: MailOf<'InvitationMade'> = (i18n, { email, from, inviteLink, expiresAt }) =>
  mail(i18n, { email }, i18n.t('You are invited to Voxscribe'), {
    paragraphs: [
      i18n.t(
        '{from} invites you to Voxscribe, which turns voice notes into text. Create your account with this email address.',
        { from },
      ),
    ],
    button: { label: i18n.t('Create your account'), url: inviteLink },
    note: i18n.t('The link works once, until {date}. If you don’t know this person, ignore this email.', {
      date: dateOf(i18n, expiresAt),
    }),
  })

/**
 * `undone`: a change of the account was undone, along with everything that someone else may have set up; `unlinked`: the
 * mailbox was proved for the first time.
 */
export const passwordChangedMail: MailOf<'PasswordChanged'> = (
  i18n,
  { undone, unlinked, ...reader },
  here,
) => {
  const subject = undone
    ? i18n.t('A change to your Voxscribe account was undone')
    : unlinked
      ? i18n.t('Earlier ways into your Voxscribe account have ended')
      : i18n.t('The password of your Voxscribe account was changed')
  return mail(i18n, reader, subject, {
    paragraphs: [
      i18n.t(
        'All other devices were signed out, all API keys were revoked, your hooks were turned off, and the links to your shared notes no longer work.',
      ),
      ...(unlinked
        ? [
            i18n.t(
              'This was the first proof that this email address is yours. Because anyone could have signed up with it, all chats were unlinked as well. To link yours again, send us the code on your dashboard: {url}',
              { url: `${here.publicUrl}/dashboard` },
            ),
          ]
        : []),
      i18n.t('Hooks that are yours can be turned on again: {url}', { url: `${here.publicUrl}/hooks` }),
      saferAdvice(i18n, here),
    ],
    button: saferButton(i18n, here),
  })
}

export const hookMadeMail: MailTo<'HookMade'> = (i18n, reader, { url }, { publicUrl, passwords }) =>
  mail(i18n, reader, i18n.t('A hook was added to your account'), {
    paragraphs: [
      i18n.t('From now on, what happens to your notes, with their text, is sent to {url}.', { url }),
      passwords
        ? i18n.t(
            'If you didn’t add it, someone else may be using your account. Delete the hook and choose a new password.',
          )
        : i18n.t(
            'If you didn’t add it, someone else may be using your account. Delete the hook and sign out on all other devices.',
          ),
    ],
    button: { label: i18n.t('Open your hooks'), url: `${publicUrl}/hooks` },
  })

export const keyMadeMail: MailTo<'KeyMade'> = (i18n, reader, { name }, { publicUrl, passwords }) =>
  mail(i18n, reader, i18n.t('An API key was added to your account'), {
    paragraphs: [
      i18n.t('Programs can now use your account with the key “{name}”.', { name }),
      passwords
        ? i18n.t(
            'If you didn’t add it, someone else may be using your account. Revoke the key and choose a new password.',
          )
        : i18n.t(
            'If you didn’t add it, someone else may be using your account. Revoke the key and sign out on all other devices.',
          ),
    ],
    button: { label: i18n.t('Open your API keys'), url: `${publicUrl}/api-keys` },
  })

export const passkeyMail: MailTo<'PasskeyChanged'> = (i18n, reader, { name, change }, here) => {
  const isNew = change === 'added'
  const subject = isNew
    ? i18n.t('A passkey was added to your account')
    : i18n.t('A passkey was removed from your account')
  const withPassword = isNew
    ? i18n.t(
        'If you didn’t add it, someone else may be using your account. Choose a new password, which ends all passkeys.',
      )
    : i18n.t(
        'If you didn’t remove it, someone else may be using your account. Choose a new password, which ends all passkeys.',
      )
  return mail(i18n, reader, subject, {
    paragraphs: [
      isNew
        ? i18n.t('You can now sign in with the passkey “{name}”.', { name })
        : i18n.t('The passkey “{name}” no longer signs you in.', { name }),
      here.passwords ? withPassword : saferAdvice(i18n, here),
    ],
    button: saferButton(i18n, here),
  })
}

export const passwordRemovedMail: MailTo<'PasswordRemoved'> = (i18n, reader, _, here) =>
  mail(i18n, reader, i18n.t('The password of your Voxscribe account was removed'), {
    paragraphs: [i18n.t('From now on, you sign in without a password.'), saferAdvice(i18n, here)],
    button: saferButton(i18n, here),
  })

export const confirmAddressMail = (i18n: I18n, reader: Reader, url: string): Mail =>
  mail(i18n, reader, i18n.t('Confirm your email address'), {
    paragraphs: [
      i18n.t(
        'There is a message for you from Voxscribe. We send texts of notes only to addresses that are confirmed, so please confirm that this one is yours.',
      ),
    ],
    button: { label: i18n.t('Confirm this address'), url },
    note: i18n.t('If you don’t know Voxscribe, ignore this email: someone may have mistyped their address.'),
  })

export const takenOverMail: MailOf<'NumberTakenOver'> = (i18n, { phone, ...reader }, { publicUrl }) =>
  mail(i18n, reader, i18n.t('Your WhatsApp number was linked to another account'), {
    paragraphs: [
      i18n.t(
        'Someone has sent the link code of another account from the WhatsApp number {phone}. The number now belongs to that account and was removed from yours.',
        { phone: written(phone) },
      ),
      i18n.t(
        'Your transcripts and minutes aren’t affected. To keep sending notes, add a number to your profile and send your link code from it.',
      ),
    ],
    button: profileButton(i18n, publicUrl),
  })

const written = (phone: string): string => readNumber(`+${phone}`).written

/** `at`: time of the change. */
export function senderReplacedMail(
  i18n: I18n,
  { phone, channel, undoLink, ...reader }: EventOf<'SenderReplaced'>['data'],
  at: string,
): Mail {
  const time = momentOf(i18n, at)
  const isTelegram = channel === 'telegram'
  const subject = isTelegram
    ? i18n.t('A Telegram chat was linked to your account')
    : i18n.t('Another WhatsApp number was linked to your account')
  const ofWhatsApp = phone
    ? i18n.t('Since {time}, your Voxscribe account has the WhatsApp number {number}.', {
        number: written(phone),
        time,
      })
    : i18n.t('Since {time}, your Voxscribe account is linked to a WhatsApp user who hides their number.', {
        time,
      })
  return mail(i18n, reader, subject, {
    paragraphs: [
      isTelegram
        ? i18n.t('Since {time}, your Voxscribe account is linked to a Telegram chat, too.', { time })
        : ofWhatsApp,
      i18n.t('If you made this change, you don’t need to do anything.'),
      isTelegram
        ? i18n.t(
            'If you didn’t, someone else may be using your account. Remove the chat: everyone is signed out, and you get a new link code.',
          )
        : i18n.t(
            'If you didn’t, someone else may be using your account. Take your number back: the new one is removed, everyone is signed out, and you get a new link code.',
          ),
    ],
    button: { label: i18n.t('This wasn’t me'), url: undoLink },
    note: undoNote(i18n),
  })
}

export const numberChangedMail: MailTo<'NumberChanged'> = (
  i18n,
  reader,
  { phone, newPhone },
  { publicUrl },
) =>
  mail(i18n, reader, i18n.t('Your WhatsApp number has changed'), {
    paragraphs: [
      newPhone
        ? i18n.t(
            'WhatsApp told us that you’ve moved from {number} to {newNumber}, so we removed the old number from your account.',
            { number: written(phone), newNumber: written(newPhone) },
          )
        : i18n.t('WhatsApp told us that you’ve left {number}, so we removed it from your account.', {
            number: written(phone),
          }),
      i18n.t(
        'To go on, send us the link code from your dashboard in a WhatsApp message from your new number.',
      ),
    ],
    button: { label: i18n.t('Open your dashboard'), url: `${publicUrl}/dashboard` },
  })

export const answerMail = (i18n: I18n, reader: Reader, answer: string, publicUrl: string): Mail =>
  mail(i18n, reader, i18n.t('The text of your voice note'), {
    paragraphs: [
      i18n.t('We couldn’t deliver this message to your chat, so here it is:'),
      ...answer.split('\n\n'),
    ],
    button: { label: i18n.t('Open your history'), url: `${publicUrl}/transcription-history` },
  })

export const disownedMail: MailTo<'NumberDisowned'> = (i18n, reader, { phone }, { publicUrl }) =>
  mail(i18n, reader, i18n.t('Your WhatsApp number was removed from your account'), {
    paragraphs: [
      i18n.t(
        'The person who uses the WhatsApp number {phone} told us that it isn’t yours, so we removed it from your account.',
        { phone: written(phone) },
      ),
      i18n.t('The notes that came from it are gone from your history, and you got their minutes back.'),
      i18n.t(
        '{days, plural, one {If the number is yours, send your link code from it: that proves it and brings back its notes from the last # day.} other {If the number is yours, send your link code from it: that proves it and brings back its notes from the last # days.}}',
        { days: NOTE_WAITS_DAYS },
      ),
    ],
    button: profileButton(i18n, publicUrl),
  })

export const hookOffMail: MailTo<'HookTurnedOff'> = (i18n, reader, { url, isGone }, { publicUrl }) =>
  mail(i18n, reader, i18n.t('One of your hooks was turned off'), {
    paragraphs: [
      isGone
        ? i18n.t('{url} answered that it is gone (410), so we’ve stopped sending to it.', { url })
        : i18n.t(
            '{days, plural, one {Every message to {url} has failed for # day, so we’ve stopped sending to it.} other {Every message to {url} has failed for # days, so we’ve stopped sending to it.}}',
            {
              url,
              days: HOOK_OFF_DAYS,
            },
          ),
      i18n.t(
        '{days, plural, one {Once your server works again, turn the hook back on. You can resend messages from the last day there.} other {Once your server works again, turn the hook back on. You can resend messages from the last # days there.}}',
        { days: HOOK_DELIVERY_DAYS },
      ),
    ],
    button: { label: i18n.t('Open your hooks'), url: `${publicUrl}/hooks` },
  })

type Contact = EventOf<'ContactMessageReceived'>['data']

/** For the operator, in English. */
export const supportMail = ({ name, email, subject, message }: Contact, supportEmail: string): Mail => ({
  ...mail(english, { email: supportEmail }, `[${subject}] Message from ${name}`, {
    paragraphs: [`${name} <${email}> wrote about “${subject}”:`, message],
  }),
  replyTo: { name, address: email },
})

/** Repeats nothing from the form, because its address may belong to someone else. */
export const confirmationMail = (i18n: I18n, { email }: Contact, supportEmail: string): Mail => ({
  ...mail(i18n, { email }, i18n.t('We have received your message'), {
    paragraphs: [
      i18n.t(
        '{hours, plural, one {Thank you for writing to us. We’ve received your message and will reply within # hour.} other {Thank you for writing to us. We’ve received your message and will reply within # hours.}}',
        { hours: SUPPORT_HOURS },
      ),
      i18n.t('If you didn’t write to us, you can ignore this email.'),
    ],
  }),
  replyTo: { name: 'Voxscribe', address: supportEmail },
})

export function quotaMail(
  i18n: I18n,
  reader: Reader,
  { percent, plan, periodEnd }: EventOf<'QuotaUpdated'>['data'] & { percent: number },
  { publicUrl, offer }: Here,
): Mail {
  const subject =
    percent === 100
      ? i18n.t('You’ve used all your minutes')
      : i18n.t('You’ve used {percent} of your minutes', { percent: percentOf(i18n, percent / 100) })
  return mail(i18n, reader, subject, {
    paragraphs: [quotaText(i18n, percent, periodEnd)],
    button: offer.plans
      ? {
          label: plan === 'free' ? i18n.t('Get more minutes') : i18n.t('See the plans'),
          url: `${publicUrl}/pricing`,
        }
      : { label: i18n.t('Open your dashboard'), url: `${publicUrl}/dashboard` },
  })
}

type Change = EventOf<'SubscriptionChanged'>['data']

/** Returns the mail about a change; undefined for a renewal, for which Stripe sends a receipt. */
export function subscriptionMail(
  i18n: I18n,
  reader: Reader,
  { change, periodEnd }: Change,
  { publicUrl, offer }: Here,
): Mail | undefined {
  const found = SUBSCRIPTION_MAILS[change]?.(i18n, dateOf(i18n, periodEnd), offer.freeMinutes)
  if (!found) return undefined
  return mail(i18n, reader, found.subject, {
    paragraphs: [found.text],
    button: { label: i18n.t('See your subscription'), url: `${publicUrl}/subscription-details` },
  })
}

const SUBSCRIPTION_MAILS: Record<
  Change['change'],
  ((i18n: I18n, date: string, freeMinutes: number | null) => { subject: string; text: string }) | undefined
> = {
  started: (i18n, date) => ({
    subject: i18n.t('Your Pro plan has started'),
    text: i18n.t(
      '{minutes, plural, one {You now have # minute. It resets on {date}. You can cancel at any time.} other {You now have {minutes} minutes. They reset on {date}. You can cancel at any time.}}',
      {
        minutes: PLANS.monthly.minutes,
        date,
      },
    ),
  }),
  renewed: undefined,
  'cancel-scheduled': (i18n, date) => ({
    subject: i18n.t('Your Pro plan will end'),
    text: i18n.t(
      'Your subscription is canceled. You keep the Pro plan until {date}, and you can undo the cancellation until then.',
      { date },
    ),
  }),
  reactivated: (i18n, date) => ({
    subject: i18n.t('Your Pro plan continues'),
    text: i18n.t('You’ve undone the cancellation. Your plan renews on {date}.', { date }),
  }),
  ended: (i18n, date, minutes) => ({
    subject: i18n.t('Your Pro plan has ended'),
    text:
      minutes === null
        ? i18n.t('You’re back on the free plan. Your history stays.')
        : i18n.t(
            '{minutes, plural, one {You’re back on the free plan, with # minute until {date}. Your history stays.} other {You’re back on the free plan, with # minutes until {date}. Your history stays.}}',
            { minutes, date },
          ),
  }),
  'payment-failed': i18n => ({
    subject: i18n.t('Your payment didn’t go through'),
    text: i18n.t(
      'We couldn’t collect the payment for your Pro plan. You keep the plan while we try again. Please check that your card is valid and has enough funds, or add a new one on your subscription page.',
    ),
  }),
  'payment-recovered': (i18n, date) => ({
    subject: i18n.t('Your payment went through'),
    text: i18n.t(
      'Your failed payment has now gone through. Your Pro plan runs until {date} and renews then.',
      {
        date,
      },
    ),
  }),
}
