import { DEFAULT_LANGUAGE } from '@voxscribe/contracts/business'
import type { ChatCommand, EventOf } from '@voxscribe/contracts/events'
import { languageLabel, languageName } from '@voxscribe/contracts/languages'
import { CHAT_SHARE_DAYS, NOTE_WAITS_DAYS } from '@voxscribe/contracts/limits'
import { localTitle } from '@voxscribe/contracts/local-title'
import { readNumber } from '@voxscribe/contracts/phone-lines'
import { NO_SPEECH, noticeOf, type Reason, SAME_AS, sentenceOf } from '@voxscribe/contracts/reasons'
import { beginningOf } from '@voxscribe/contracts/text'
import { clock, dateOf, lengthInWords, minutesOf, percentOf, roughly } from '@voxscribe/contracts/wording'
import { english, type I18n } from '@voxscribe/languages'
import type { Offer } from '@voxscribe/service'
import { z } from 'zod'
import type { Choices } from './chat.ts'
import { shielded } from './marks.ts'

type SpokenNote = Pick<
  EventOf<'NoteSummarised'>['data'],
  'audioSeconds' | 'seconds' | 'language' | 'text' | 'notices'
>

/** Returns the figures below a transcript (length, language, minutes left), in italics, and a line of notices. */
export function summaryOf(i18n: I18n, note: SpokenNote, remainingSeconds: number | null): string {
  const { audioSeconds, seconds, language, text, notices } = note
  const isFree = seconds === 0
  const figures = [
    clock(Math.max(1, Math.round(audioSeconds))),
    ...(language === DEFAULT_LANGUAGE ? [] : [languageName(i18n, language)]),
    ...(isFree && !text.trim() ? [i18n.t('free')] : []),
    ...(remainingSeconds === null
      ? []
      : [
          i18n.t('{minutes, plural, one {# minute left} other {# minutes left}}', {
            minutes: minutesOf(remainingSeconds),
          }),
        ]),
  ]
  const below = text.trim() ? notices.map(notice => noticeText(i18n, notice)).filter(Boolean) : []
  return [`_${figures.join(' · ')}_`, ...(below.length ? [below.join(' ')] : [])].join('\n')
}

/** `at`: missing in older notices. */
const SameAs = z.object({
  title: z.string(),
  day: z.string(),
  at: z.string().optional(),
})

function noticeText(i18n: I18n, notice: Reason): string | null {
  const same = notice.code === SAME_AS && SameAs.safeParse(notice.facts).data
  return same
    ? i18n.t('Same as {title} of {date}, free', {
        title: shielded(localTitle(i18n, same.title)),
        date: dateOf(i18n, same.at ?? same.day),
      })
    : noticeOf(i18n, [notice])
}

export const transcriptText = (i18n: I18n, note: SpokenNote): string =>
  note.text.trim() || silenceText(i18n, note)

/** Decibels relative to full scale: below `MUTE`, nothing was recorded; below `QUIET`, a voice is hard to hear. */
const MUTE = -75
const QUIET = -50
const LevelFacts = z.object({ decibels: z.number() })

/** Returns the text for a note without speech, by its loudness. */
function silenceText(i18n: I18n, { audioSeconds, notices }: SpokenNote): string {
  const { facts } = notices.find(({ code }) => code === NO_SPEECH) ?? {}
  const decibels = LevelFacts.safeParse(facts).data?.decibels
  const length = lengthInWords(i18n, audioSeconds)
  if (decibels === undefined) return i18n.t('I heard {length}, but no speech. That was free.', { length })
  if (decibels < MUTE)
    return i18n.t(
      'I heard {length} of silence, and no speech. That was free. Was the microphone covered or switched off?',
      { length },
    )
  return decibels < QUIET
    ? i18n.t(
        'I heard {length}, very quiet, but no speech. That was free. Please try again closer to the microphone.',
        { length },
      )
    : i18n.t('I heard {length} of sound, but no speech. That was free.', { length })
}

/** Number of languages offered as buttons. */
const OFFERED = 3
const BUTTON_MAX = 20

/** `id`: the text that a press of the button stands for. */
const button = (id: string, text: string) => ({
  id,
  title: text.length <= BUTTON_MAX ? text : `${beginningOf(text, BUTTON_MAX - 1)}…`,
})

/** Asks whether a note is in one of these languages; undefined without any. */
export function languageChoices(i18n: I18n, languages: string[]): Choices | undefined {
  const { names, buttons } = choicesOf(i18n, languages)
  if (!buttons.length) return undefined
  return {
    buttons,
    question: i18n.t('Was it another language?'),
    inWords: i18n.t('Was it another language? Reply to this message with its name, such as {names}.', {
      names,
    }),
  }
}

/** Offers languages as replies to the question which one it was. */
export function namesOfLanguages(i18n: I18n, languages: string[]): Choices {
  const { names, buttons } = choicesOf(i18n, languages)
  return { buttons, inWords: i18n.t('Reply to this message with its name, such as {names}.', { names }) }
}

function choicesOf(i18n: I18n, languages: string[]) {
  const offered = languages.slice(0, OFFERED).map(id => ({ id, name: languageName(i18n, id) }))
  const names = new Intl.ListFormat(i18n.locale, { type: 'disjunction' }).format(
    offered.map(({ name }) => name),
  )
  // By name, because the code of Norwegian is NO, with which people object to an account.
  const buttons = offered.map(({ id, name }) => button(languageLabel(id), name))
  return { names, buttons }
}

/** Offers to translate a note into a language, or to transcribe it again in that language. */
export function meaningChoices(i18n: I18n, id: string): Choices {
  const [label, language] = [languageLabel(id), languageName(i18n, id)]
  return {
    buttons: [
      button(`translate to ${label}`, i18n.t('Translate')),
      button(`it was ${label}`, i18n.t('That’s its language')),
    ],
    inWords: i18n.t('Reply to this message with “translate to {language}” or “it was {language}”.', {
      language,
    }),
  }
}

/** Offers the most common commands for a note. */
export const noteChoices = (i18n: I18n, hasTextModel: boolean): Choices => ({
  buttons: [
    hasTextModel ? button('summary', i18n.t('Summary')) : button('yes', i18n.t('Another language')),
    button('txt', i18n.t('Text file')),
    button('share', i18n.t('Link to share')),
  ],
  inWords: hasTextModel
    ? i18n.t('Reply to this message with “summary”, “txt” or “share”.')
    : i18n.t('Reply to this message with “txt” or “share”, or with the name of its language.'),
})

/** Offers the commands that anyone can use at any time. */
export const commandChoices = (i18n: I18n, { freeMinutes }: Offer): Choices => ({
  buttons: [
    button('help', i18n.t('Help')),
    ...(freeMinutes === null ? [] : [button('minutes', i18n.t('Minutes left'))]),
  ],
})

/** Offers the same commands and one more, below a shorter reply. */
export const unclearChoices = (i18n: I18n, offer: Offer): Choices => ({
  buttons: [...commandChoices(i18n, offer).buttons, button('latest', i18n.t('Newest notes'))],
  inWords: i18n.t('Send “help” to see what I can do.'),
})

/** Offers yes and no below a question. */
export const yesOrNo = (i18n: I18n): Choices => ({
  buttons: [button('yes', i18n.t('Yes')), button('no', i18n.t('No'))],
  inWords: i18n.t('Answer “yes” or “no”.'),
})

/** Offers everything that can be canceled. */
export const cancelChoices = (i18n: I18n, { plans }: Offer): Choices => ({
  buttons: [
    button('undo', i18n.t('My deletion')),
    ...(plans ? [button('cancel my plan', i18n.t('My plan'))] : []),
    button('help', i18n.t('Something else')),
  ],
  inWords: plans
    ? i18n.t('Write “undo” to bring a deleted note back, “cancel my plan”, or “help”.')
    : i18n.t('Write “undo” to bring a deleted note back, or “help”.'),
})

/** Longest beginning of a long text, in UTF-16 code units; a file has the rest. */
const EXCERPT_LENGTH = 600

/** Returns the beginning of a text; a short text is returned whole. */
export function excerptOf(text: string, room = EXCERPT_LENGTH, most = EXCERPT_LENGTH): string {
  const beginning = beginningOf(text, Math.min(room, most))
  return beginning === text ? text : `${beginning} …`
}

export const failureText = (i18n: I18n, reason: Reason): string =>
  i18n.t('I couldn’t transcribe this note. {why}', { why: sentenceOf(i18n, reason) })

/** A ZIP is probably a chat exported from a messenger, which people import on a page of the web application. */
export const rejectionText = (i18n: I18n, file: string, reason: Reason, publicUrl: string): string =>
  /\.zip$/i.test(file) && ['not_audio_or_video', 'too_large'].includes(reason.code)
    ? i18n.t(
        'I can’t open a ZIP here. If it is a chat that you exported, open {url} and choose the ZIP there: only its text and its voice notes are sent.',
        { url: `${publicUrl}/conversations` },
      )
    : i18n.t('I couldn’t accept “{file}”. {why}', {
        file: localTitle(i18n, file),
        why: sentenceOf(i18n, reason),
      })

export const delayedText = (i18n: I18n, file: string): string =>
  i18n.t(
    'I can’t get “{file}” at the moment. I’ll keep trying and answer as soon as I have it; you don’t need to send it again.',
    { file: shielded(localTitle(i18n, file)) },
  )

/** `waitSeconds`: null if the note is being transcribed. */
export const waitingText = (i18n: I18n, waitSeconds: number | null): string =>
  waitSeconds === null
    ? i18n.t('I’m working on it. The text comes here as soon as it’s ready.')
    : i18n.t('I have your note. A few others are ahead of it; expect the text in {time}.', {
        time: roughly(i18n, waitSeconds),
      })

/** In the language of the number's country and in English, because the language of its owner is unknown. */
export const strangerText = (i18n: I18n, about: Stranger): string =>
  [...new Set([i18n, english].map(each => strangerTextIn(each, about)))].join('\n\n')

interface Stranger {
  noteWaits: boolean
  /** Digits are filled into the sign-up form; a user id isn't. */
  address: string
  /** Unset: sign-up isn't open to everyone. */
  signupUrl: string | undefined
  offer: Offer
}

function strangerTextIn(i18n: I18n, { noteWaits, address, signupUrl, offer }: Stranger): string {
  const { freeMinutes: minutes } = offer
  const url = `${signupUrl}${/^\d+$/.test(address) ? `?phone=${address}` : ''}`
  const waits = noteWaits
    ? i18n.t(
        '{days, plural, one {Your note is kept for # day and will be transcribed as soon as this chat is linked to an account.} other {Your note is kept for # days and will be transcribed as soon as this chat is linked to an account.}}',
        { days: NOTE_WAITS_DAYS },
      )
    : i18n.t('This chat isn’t linked to an account yet.')
  const hello = `${i18n.t('Hi! This is an automated service that turns voice notes into text.')} ${waits}`
  if (!signupUrl)
    return [
      hello,
      i18n.t(
        'This number is for people with an account. If you have one, send me the link code that your dashboard shows.',
      ),
    ].join('\n')
  return [
    hello,
    minutes === null
      ? i18n.t('1. Sign up: {url}', { url })
      : i18n.t(
          '{minutes, plural, one {1. Sign up: {url} (the first minute of each month is free)} other {1. Sign up: {url} (the first # minutes of each month are free)}}',
          { url, minutes },
        ),
    i18n.t('2. Send me the link code that your dashboard shows.'),
  ].join('\n')
}

/** Appended to the first reply in a chat that was just linked. */
export const nowLinkedText = (i18n: I18n, name: string): string =>
  i18n.t('This chat is now linked to {name}’s account.', { name })

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

/** Empty without a limit. */
const leftText = (i18n: I18n, { remainingSeconds, periodEnd }: Balance): string =>
  remainingSeconds === null
    ? ''
    : i18n.t(
        '{minutes, plural, one {You have # minute left until {date}.} other {You have # minutes left until {date}.}}',
        {
          minutes: minutesOf(remainingSeconds),
          date: dateOf(i18n, periodEnd),
        },
      )

/** Settings that the replies to commands and other texts depend on. */
interface Here {
  publicUrl: string
  hasTextModel: boolean
  offer: Offer
}
type CommandText = (i18n: I18n, balance: Balance, here: Here) => string
export const commandText: Record<ChatCommand, CommandText> = {
  hint: (i18n, balance) =>
    [
      i18n.t(
        'Hi! This is an automated service: send me a voice note, audio or video, and I’ll reply with the text.',
      ),
      leftText(i18n, balance),
      i18n.t('Send “help” to see what else I can do.'),
    ]
      .filter(Boolean)
      .join(' '),
  help: (i18n, balance, { publicUrl, hasTextModel }) =>
    [
      i18n.t(
        'Send or forward me a voice note, audio or video, and I’ll reply with the text. Reply to a note or to its text, or write about your last note:',
      ),
      i18n.t('• *Spanish*, or another language: I’ll transcribe it again in that language'),
      i18n.t('• *txt*, *docx*, *pdf*, *md* or *srt*: its text as a file'),
      i18n.t(
        '{days, plural, one {• *share*: a link to its text for other people, for # day} other {• *share*: a link to its text for other people, for # days}}',
        { days: CHAT_SHARE_DAYS },
      ),
      ...(hasTextModel
        ? [
            i18n.t('• *summary* or *todo*: its gist and what there is to do'),
            i18n.t('• *in Spanish*, or in another language: its translation'),
            i18n.t('• *form* and its name: a text in your form'),
          ]
        : []),
      i18n.t('• *speakers*: its text by who speaks'),
      i18n.t('• *title:* and words, or *#tag*: its title, a tag'),
      i18n.t('• *delete*: I’ll delete it; *undo* brings it back'),
      i18n.t('You can also write:'),
      i18n.t('• *find* and a word, or *today*: your newest notes'),
      i18n.t('• *ask* and a question: what your notes say'),
      i18n.t('• *language* and its name: I’ll write to you in that language'),
      `${leftText(i18n, balance)} ${i18n.t('Your transcripts: {url}', { url: `${publicUrl}/transcription-history` })}`.trim(),
    ].join('\n'),
  plan: (i18n, _balance, { publicUrl, offer }) =>
    offer.plans
      ? i18n.t('You can cancel your plan on this page, at any time: {url}', {
          url: `${publicUrl}/subscription-details`,
        })
      : i18n.t('There are no paid plans here.'),
  minutes: (i18n, balance, here) =>
    balance.remainingSeconds === null
      ? i18n.t('Your minutes have no limit here.')
      : `${leftText(i18n, balance)} ${moreText(i18n, here)}`.trim(),
}

/** Replaces a longer reply that the chat has received within the hour. */
export const unclearText = (i18n: I18n): string => i18n.t('I didn’t understand that. Is it one of these?')

/** Empty if no minutes are sold. */
export const moreText = (i18n: I18n, { publicUrl, offer }: Pick<Here, 'publicUrl' | 'offer'>): string =>
  offer.plans ? i18n.t('More minutes: {url}', { url: `${publicUrl}/pricing` }) : ''

export function quotaText(i18n: I18n, percent: number, periodEnd: string): string {
  const date = dateOf(i18n, periodEnd)
  return percent === 100
    ? i18n.t('You’ve used all your minutes for this month. They reset on {date}.', { date })
    : i18n.t('You’ve used {percent} of your minutes for this month. They reset on {date}.', {
        percent: percentOf(i18n, percent / 100),
        date,
      })
}

/** Names the account that claims a number, with its address masked. */
export const ownershipText = (i18n: I18n, email: string): string =>
  i18n.t('This number is registered to {email}. Not yours? Answer NO.', {
    email: email.replace(/^(.).*@/u, '$1•••@'),
  })

export const disownedText = (i18n: I18n, signupUrl?: string): string =>
  [
    i18n.t('Thanks. Your notes were removed from that account.'),
    signupUrl
      ? i18n.t(
          '{days, plural, one {They are kept for # day: sign up at {url} and send me your link code, and I’ll turn them into text.} other {They are kept for # days: sign up at {url} and send me your link code, and I’ll turn them into text.}}',
          { days: NOTE_WAITS_DAYS, url: signupUrl },
        )
      : i18n.t(
          '{days, plural, one {They are kept for # day. If you have an account, send me your link code, and I’ll turn them into text.} other {They are kept for # days. If you have an account, send me your link code, and I’ll turn them into text.}}',
          { days: NOTE_WAITS_DAYS },
        ),
  ].join(' ')

/** For the previous chat, in one line. `phone`: null for a hidden number. */
export const senderReplacedText = (
  i18n: I18n,
  { phone, channel }: Pick<EventOf<'SenderReplaced'>['data'], 'phone' | 'channel'>,
): string => {
  if (channel === 'telegram')
    return i18n.t(
      'Your account is now also linked to a Telegram chat. If that wasn’t you, remove it with the link in our email.',
    )
  return phone
    ? i18n.t(
        'Your account is now linked to the WhatsApp number {number}. If that wasn’t you, take it back with the link in our email.',
        { number: readNumber(`+${phone}`).written },
      )
    : i18n.t(
        'Your account is now linked to another WhatsApp user. If that wasn’t you, take it back with the link in our email.',
      )
}
