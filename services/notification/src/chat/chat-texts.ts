import { DEFAULT_LANGUAGE, FREE_MINUTES } from '@voxscribe/contracts/business'
import type { ChatCommand, EventOf } from '@voxscribe/contracts/events'
import { languageName } from '@voxscribe/contracts/languages'
import { noticeOf, type Reason, reason, sentenceOf } from '@voxscribe/contracts/reasons'
import { audioLength, dateOf, minutesInWords, roughly } from '@voxscribe/contracts/wording'
import type { I18n } from '@voxscribe/languages'

type Completed = EventOf<'TranscriptionCompleted'>['data']

/** The line below a transcript: length, language, minutes left; and a second one when the text is doubtful. */
export function summaryOf(i18n: I18n, note: Completed): string {
  const { audioSeconds, seconds, language, remainingSeconds, text, notices } = note
  const notice = noticeOf(i18n, notices)
  const parts = [
    audioLength(i18n, audioSeconds),
    ...(language === DEFAULT_LANGUAGE ? [] : [languageName(i18n, language)]),
    ...(text.trim() || seconds > 0 ? [] : [i18n.t('free')]),
    ...(remainingSeconds === null
      ? []
      : [i18n.t('{minutes} left', { minutes: minutesInWords(i18n, remainingSeconds) })]),
  ]
  return [parts.join(' · '), ...(text.trim() && notice ? [notice] : [])].join('\n')
}

export const transcriptSaid = (i18n: I18n, { text, notices }: Completed): string =>
  text.trim() || (noticeOf(i18n, notices) ?? sentenceOf(i18n, reason('no_speech')))

/** The beginning of a long text, in UTF-16 code units: a file has the rest. */
const EXCERPT_LENGTH = 600

/** The beginning of a text, cut between words where there are any; a short one is whole. */
export function excerptOf(text: string): string {
  if (text.length <= EXCERPT_LENGTH) return text
  const beginning = text.slice(0, EXCERPT_LENGTH + 1).replace(/\s+\S*$/, '')
  const cut = beginning.slice(0, EXCERPT_LENGTH).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut} …`
}

export const failureText = (i18n: I18n, reason: Reason): string =>
  i18n.t('I couldn’t transcribe this note. {why}', { why: sentenceOf(i18n, reason) })

export const rejectionText = (i18n: I18n, file: string, reason: Reason): string =>
  i18n.t('I couldn’t accept “{file}”. {why}', { file, why: sentenceOf(i18n, reason) })

export const delayedText = (i18n: I18n, file: string): string =>
  i18n.t(
    'I can’t get “{file}” from WhatsApp at the moment. I’ll keep trying and answer as soon as I have it; you don’t need to send it again.',
    { file },
  )

export const queuedText = (i18n: I18n, waitSeconds: number): string =>
  i18n.t('I have your note. A few others are ahead of it; expect the text in {time}.', {
    time: roughly(i18n, waitSeconds),
  })

/** `address`: digits go into the form of the sign-up page; a user id does not. */
export function strangerText(i18n: I18n, noteWaits: boolean, address: string, publicUrl: string): string {
  const filledIn = /^\d+$/.test(address) ? `?phone=${address}` : ''
  const waits = noteWaits
    ? i18n.t(
        'Your note is kept for 7 days and will be transcribed as soon as this chat is linked to an account.',
      )
    : i18n.t('This chat isn’t linked to an account yet.')
  return [
    `${i18n.t('Hi! This is an automatic service that turns voice notes into text.')} ${waits}`,
    i18n.t('1. Sign up: {url} (the first {minutes} minutes of each month are free)', {
      url: `${publicUrl}/signup${filledIn}`,
      minutes: FREE_MINUTES,
    }),
    i18n.t('2. Send me the link code that your dashboard shows.'),
  ].join('\n')
}

export const linkedText = (i18n: I18n, name: string | undefined): string =>
  name
    ? i18n.t(
        'This chat is now linked to {name}’s account. Send me a voice note and I’ll reply with the text.',
        { name },
      )
    : i18n.t('This chat is now linked to your account. Send me a voice note and I’ll reply with the text.')

export function refusedText(i18n: I18n, reason: Reason, publicUrl: string): string {
  const sentence = sentenceOf(i18n, reason)
  return ['link_code_unknown', 'not_proved'].includes(reason.code)
    ? `${sentence} ${publicUrl}/dashboard`
    : sentence
}

type Balance = EventOf<'BalanceTold'>['data']

const leftText = (i18n: I18n, { remainingSeconds, periodEnd }: Balance): string =>
  i18n.t('You have {minutes} left until {date}.', {
    minutes: minutesInWords(i18n, remainingSeconds),
    date: dateOf(i18n, periodEnd),
  })

/** The answers to commands, and to what is none. */
export const commandText: Record<ChatCommand, (i18n: I18n, balance: Balance, publicUrl: string) => string> = {
  hint: (i18n, balance) =>
    [
      i18n.t(
        'Hi! This is an automatic service: send me a voice note, audio or video, and I’ll reply with the text.',
      ),
      leftText(i18n, balance),
      i18n.t('Write “help” to see what else I can do.'),
    ].join(' '),
  help: (i18n, balance, publicUrl) =>
    [
      i18n.t(
        'Send or forward me a voice note, audio or video, and I’ll reply with the text. Reply to a note or to its text, or write about your last note:',
      ),
      i18n.t('• *Spanish*, or another language: I’ll transcribe it again in that language'),
      i18n.t('• *txt*, *srt* or *docx*: its text as a file'),
      i18n.t('• *delete*: I’ll delete it'),
      i18n.t('You can also write:'),
      i18n.t('• *find* and a word: your newest notes with it'),
      i18n.t('• *language* and its name: I’ll write to you in that language'),
      i18n.t('• *minutes*: how many minutes you have left'),
      i18n.t('• *help*: this list'),
      `${leftText(i18n, balance)} ${i18n.t('Your transcripts: {url}', { url: `${publicUrl}/transcription-history` })}`,
    ].join('\n'),
  minutes: (i18n, balance, publicUrl) =>
    `${leftText(i18n, balance)} ${i18n.t('More minutes: {url}', { url: `${publicUrl}/pricing` })}`,
}

export function quotaText(i18n: I18n, percent: number, periodEnd: string): string {
  const date = dateOf(i18n, periodEnd)
  return percent === 100
    ? i18n.t('You’ve used all your minutes for this month. They reset on {date}.', { date })
    : i18n.t('You’ve used {percent}% of your minutes for this month. They reset on {date}.', {
        percent,
        date,
      })
}

/** Names the account that claims a number, with its address masked. */
export const ownershipText = (i18n: I18n, email: string): string =>
  i18n.t('This number is registered to {email}. Not yours? Answer NO.', {
    email: email.replace(/^(.).*@/u, '$1•••@'),
  })

export const disownedText = (i18n: I18n, publicUrl: string): string =>
  [
    i18n.t('Thanks. Your notes were removed from that account.'),
    i18n.t(
      'They are kept for 7 days: sign up at {url} and send me your link code, and I’ll turn them into text.',
      { url: `${publicUrl}/signup` },
    ),
  ].join(' ')
