import { DEFAULT_LANGUAGE, FREE_MINUTES } from '@voxscribe/contracts/business'
import type { ChatCommand, EventOf } from '@voxscribe/contracts/events'
import { languageLabel } from '@voxscribe/contracts/languages'
import { noticeOf, type Reason, reason, sentenceOf } from '@voxscribe/contracts/reasons'
import { audioLength, dateOf, minutesInWords, roughly } from '@voxscribe/contracts/wording'

type Completed = EventOf<'TranscriptionCompleted'>['data']

/** The line below a transcript: length, language, minutes left; and a second one when the text is doubtful. */
export function summaryOf(note: Completed): string {
  const { audioSeconds, seconds, language, remainingSeconds, text, notices } = note
  const notice = noticeOf(notices)
  const parts = [
    audioLength(audioSeconds),
    ...(language === DEFAULT_LANGUAGE ? [] : [languageLabel(language)]),
    ...(text.trim() || seconds > 0 ? [] : ['free']),
    ...(remainingSeconds === null ? [] : [`${minutesInWords(remainingSeconds)} left`]),
  ]
  return [parts.join(' · '), ...(text.trim() && notice ? [notice] : [])].join('\n')
}

export const transcriptSaid = ({ text, notices }: Completed): string =>
  text.trim() || (noticeOf(notices) ?? sentenceOf(reason('no_speech')))

/** The beginning of a long text, in UTF-16 code units: a file has the rest. */
const EXCERPT_LENGTH = 600

/** The beginning of a text, cut between words where there are any; a short one is whole. */
export function excerptOf(text: string): string {
  if (text.length <= EXCERPT_LENGTH) return text
  const beginning = text.slice(0, EXCERPT_LENGTH + 1).replace(/\s+\S*$/, '')
  const cut = beginning.slice(0, EXCERPT_LENGTH).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut} …`
}

export const failureText = (reason: Reason): string =>
  `I couldn’t transcribe this note. ${sentenceOf(reason)}`

export const rejectionText = (fileName: string, reason: Reason): string =>
  `I couldn’t accept “${fileName}”. ${sentenceOf(reason)}`

export const delayedText = (fileName: string): string =>
  `I can’t get “${fileName}” from WhatsApp at the moment. I’ll keep trying and answer as soon as I have it; you don’t need to send it again.`

export const queuedText = (waitSeconds: number): string =>
  `I have your note. A few others are ahead of it; expect the text in ${roughly(waitSeconds)}.`

/** `address`: digits go into the form of the sign-up page; a user id does not. */
export function strangerText(noteWaits: boolean, address: string, publicUrl: string): string {
  const waits = noteWaits
    ? 'Your note is kept for 7 days and will be transcribed as soon as this chat is linked to an account.'
    : 'This chat isn’t linked to an account yet.'
  const filledIn = /^\d+$/.test(address) ? `?phone=${address}` : ''
  return [
    `Hi! This is an automatic service that turns voice notes into text. ${waits}`,
    `1. Sign up: ${publicUrl}/signup${filledIn} (the first ${FREE_MINUTES} minutes of each month are free)`,
    '2. Send me the link code that your dashboard shows.',
  ].join('\n')
}

export const linkedText = (firstName: string | undefined): string =>
  `This chat is now linked to ${firstName ? `${firstName}’s` : 'your'} account. Send me a voice note and I’ll reply with the text.`

export const refusedText = (reason: Reason, publicUrl: string): string =>
  reason.code === 'link_code_unknown' ? `${sentenceOf(reason)} ${publicUrl}/dashboard` : sentenceOf(reason)

type Balance = EventOf<'BalanceTold'>['data']

const leftText = ({ remainingSeconds, periodEnd }: Balance): string =>
  `You have ${minutesInWords(remainingSeconds)} left until ${dateOf(periodEnd)}.`

/** The answers to commands, and to what is none. */
export const commandText: Record<ChatCommand, (balance: Balance, publicUrl: string) => string> = {
  hint: balance =>
    [
      'Hi! This is an automatic service: send me a voice note, audio or video, and I’ll reply with the text.',
      leftText(balance),
      'Write “help” to see what else I can do.',
    ].join(' '),
  help: (balance, publicUrl) =>
    [
      'Send or forward me a voice note, audio or video, and I’ll reply with the text. You can also write:',
      '• *minutes*: how many minutes you have left',
      '• *help*: this list',
      `${leftText(balance)} Your transcripts: ${publicUrl}/transcription-history`,
    ].join('\n'),
  minutes: (balance, publicUrl) => `${leftText(balance)} More minutes: ${publicUrl}/pricing`,
}

export function quotaText(percent: number, periodEnd: string): string {
  const used = percent === 100 ? 'all your minutes' : `${percent}% of your minutes`
  return `You’ve used ${used} for this month. They reset on ${dateOf(periodEnd)}.`
}

/** Names the account that claims a number, with its address masked. */
export const ownershipText = (email: string): string =>
  `This number is registered to ${email.replace(/^(.).*@/u, '$1•••@')}. Not yours? Answer NO.`

export const disownedText = (publicUrl: string): string =>
  [
    'Thanks. Your notes were removed from that account.',
    `They are kept for 7 days: sign up at ${publicUrl}/signup and send me your link code, and I’ll turn them into text.`,
  ].join(' ')
