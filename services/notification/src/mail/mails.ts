import { FREE_MINUTES, PAID_MINUTES } from '@voxscribe/contracts/business'
import type { EventOf } from '@voxscribe/contracts/events'
import { readNumber } from '@voxscribe/contracts/phone-lines'
import { dateOf, minutesInWords } from '@voxscribe/contracts/wording'
import { quotaText } from '../chat/chat-texts.ts'
import { type MailContent, mailPage } from './mail-page.ts'
import type { Mail } from './mailer.ts'

interface Reader {
  email: string
  /** Absent for someone without an account. */
  firstName?: string
}

const mail = ({ email, firstName }: Reader, subject: string, content: MailContent): Mail => ({
  to: email,
  subject,
  ...mailPage(content, firstName),
})

/** `chat.url` opens the chat with the link code already typed; without a number there is no chat to open yet. */
export const welcomeMail = (
  reader: Reader,
  linkCode: string,
  chat: { number: string; url: string },
  publicUrl: string,
): Mail =>
  mail(reader, 'Welcome to Voxscribe', {
    paragraphs: [
      `Your account is ready, with ${FREE_MINUTES} free minutes each month.`,
      `Send a voice note to our WhatsApp number${chat.number && ` ${readNumber(`+${chat.number}`).written}`}, and its text comes back in the chat and is saved in your history. The number and a QR code are on your dashboard: ${publicUrl}/dashboard`,
      `Your link code is ${linkCode}. Send it to us once in a WhatsApp message so that no one else can claim your number.`,
    ],
    button: chat.number
      ? { label: 'Open the chat', url: chat.url }
      : { label: 'Open your dashboard', url: `${publicUrl}/dashboard` },
  })

export const resetMail = ({
  resetLink,
  validSeconds,
  ...reader
}: EventOf<'PasswordResetRequested'>['data']): Mail =>
  mail(reader, 'Reset your Voxscribe password', {
    paragraphs: ['Someone, hopefully you, asked to reset your account’s password.'],
    button: { label: 'Choose a new password', url: resetLink },
    note: `The link works once, within ${minutesInWords(validSeconds)}. If this wasn’t you, ignore this email: your password stays the same.`,
  })

/** To the old address. */
export const emailChangedMail = ({
  oldEmail,
  newEmail,
  firstName,
  undoLink,
}: EventOf<'EmailChanged'>['data']): Mail =>
  mail({ email: oldEmail, firstName }, 'The email address of your Voxscribe account was changed', {
    paragraphs: [
      `Your account now uses ${newEmail} to sign in. If you made this change, you don’t need to do anything.`,
      'If you didn’t, someone else may be using your account. Take your address back: everyone is signed out, and you get a link to choose a new password.',
    ],
    button: { label: 'This wasn’t me', url: undoLink },
    note: 'The link works for 7 days.',
  })

export const takenOverMail = (reader: Reader, phone: string, publicUrl: string): Mail =>
  mail(reader, 'Your WhatsApp number was linked to another account', {
    paragraphs: [
      `Someone has sent the link code of another account from the WhatsApp number +${phone}. The number now belongs to that account and was removed from yours.`,
      'Your transcripts and minutes aren’t affected. To keep sending notes, add a number to your profile and send your link code from it.',
    ],
    button: { label: 'Open your profile', url: `${publicUrl}/update-profile` },
  })

export const answerMail = (reader: Reader, answer: string, publicUrl: string): Mail =>
  mail(reader, 'The text of your voice note', {
    paragraphs: ['We couldn’t deliver this message in your chat, so here it is:', ...answer.split('\n\n')],
    button: { label: 'Open your history', url: `${publicUrl}/transcription` },
  })

export const disownedMail = (reader: Reader, phone: string, publicUrl: string): Mail =>
  mail(reader, 'Your WhatsApp number was removed from your account', {
    paragraphs: [
      `The person who uses the WhatsApp number +${phone} told us that it isn’t yours, so we removed it from your account.`,
      'The notes that came from it are gone from your history, and you got their minutes back.',
      'If the number is yours, send your link code from it: that proves it and brings back its notes from the last 7 days.',
    ],
    button: { label: 'Open your profile', url: `${publicUrl}/update-profile` },
  })

type Contact = EventOf<'ContactMessageReceived'>['data']

export const supportMail = ({ name, email, subject, message }: Contact, supportEmail: string): Mail => ({
  ...mail({ email: supportEmail }, `[${subject}] Message from ${name}`, {
    paragraphs: [`${name} <${email}> wrote about “${subject}”:`, message],
  }),
  replyTo: { name, address: email },
})

/** Repeats nothing of the form: its address may belong to another person. */
export const confirmationMail = ({ email }: Contact, supportEmail: string): Mail => ({
  ...mail({ email }, 'We have received your message', {
    paragraphs: [
      'Thank you for writing to us. We’ve received your message and will reply within 24 hours.',
      'If you didn’t write to us, you can ignore this email.',
    ],
  }),
  replyTo: { name: 'Voxscribe', address: supportEmail },
})

export function quotaMail(
  reader: Reader,
  percent: number,
  { plan, periodEnd }: EventOf<'QuotaUpdated'>['data'],
  publicUrl: string,
): Mail {
  const subject = percent === 100 ? 'You’ve used all your minutes' : `You’ve used ${percent}% of your minutes`
  return mail(reader, subject, {
    paragraphs: [quotaText(percent, periodEnd)],
    button: { label: plan === 'free' ? 'Get more minutes' : 'See the plans', url: `${publicUrl}/pricing` },
  })
}

type Change = EventOf<'SubscriptionChanged'>['data']

/** The mail about a change; none about a renewal, for which Stripe sends a receipt. */
export function subscriptionMail(reader: Reader, change: Change, publicUrl: string): Mail | undefined {
  const found = SUBSCRIPTION_MAILS[change.change]
  if (!found) return undefined
  const { subject, text } = found
  return mail(reader, subject, {
    paragraphs: [text(dateOf(change.periodEnd))],
    button: { label: 'See your subscription', url: `${publicUrl}/subscription-details` },
  })
}

const SUBSCRIPTION_MAILS: Record<
  Change['change'],
  { subject: string; text(date: string): string } | undefined
> = {
  started: {
    subject: 'Your Pro plan has started',
    text: date => `You now have ${PAID_MINUTES} minutes. They reset on ${date}. You can cancel at any time.`,
  },
  renewed: undefined,
  'cancel-scheduled': {
    subject: 'Your Pro plan will end',
    text: date =>
      `Your subscription is cancelled. You keep the Pro plan until ${date}, and you can undo the cancellation until then.`,
  },
  reactivated: {
    subject: 'Your Pro plan continues',
    text: date => `You’ve undone the cancellation. Your plan renews on ${date}.`,
  },
  ended: {
    subject: 'Your Pro plan has ended',
    text: date =>
      `You’re back on the free plan, with ${FREE_MINUTES} minutes until ${date}. Your history stays.`,
  },
  'payment-failed': {
    subject: 'Your payment didn’t go through',
    text: () =>
      'We couldn’t collect the payment for your Pro plan. You keep the plan while we try again. Please check that your card is valid and has enough funds, or add a new one on your subscription page.',
  },
  'payment-recovered': {
    subject: 'Your payment went through',
    text: date =>
      `Your failed payment has now gone through. Your Pro plan runs until ${date} and renews then.`,
  },
}
