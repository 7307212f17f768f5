import { type I18n, UI_LANGUAGE_NAMES, uiLanguageOf } from '@voxscribe/languages'
import { AUDIO_FORMATS, VIDEO_FORMATS } from './business.ts'
import { languageName } from './languages.ts'
import { MAX_FILE_BYTES } from './limits.ts'
import { localTitle } from './local-title.ts'
import { audioLength, dateOf, listIn, momentOf, quantity, roughly } from './wording.ts'

/** The reason for a failure, or a notice about a text: a stable code, and the facts for its sentence. */
export interface Reason {
  code: string
  facts?: Record<string, unknown> | undefined
}

// Codes that other code refers to; the sentences below say what they mean.
/** The minutes are released, and no answer is sent. */
export const DELETED = 'deleted'
export const NO_SPEECH = 'no_speech'
export const OUT_OF_MINUTES = 'out_of_minutes'
export const DOUBTFUL = 'doubtful'
export const SAME_AS = 'same_as'
export const SPEAKERS_FAILED = 'speakers_failed'
export const ENGLISH_ONLY = 'english_only'
/** These hold for a day, so the chat says them only once a day. */
export const ACCOUNT_BLOCKED = 'account_blocked'
export const DAY_IS_FULL = 'day_is_full'

const MEGABYTE = 1024 * 1024

const formatsIn = ({ locale }: I18n) =>
  // British English has no comma before "or".
  new Intl.ListFormat(uiLanguageOf(locale) === 'en' ? 'en-GB' : locale, { type: 'disjunction' }).format(
    [...AUDIO_FORMATS, ...VIDEO_FORMATS].map(format => format.toUpperCase()),
  )

interface Shortage {
  seconds: number
  remainingSeconds: number
  periodEnd: string
  /** Page on which minutes can be bought; absent if none are sold. */
  plans?: string
}

interface UnknownLanguage {
  language: string
  known: 'all' | readonly string[]
}

/** Sentences that say what went wrong and what to do, by code; functions if they need facts or lists. */
const SENTENCES = {
  too_large: i18n =>
    i18n.t('This file is larger than {size}. Please send it in shorter parts.', {
      size: quantity(i18n, MAX_FILE_BYTES / MEGABYTE, 'megabyte'),
    }),
  empty_file: /*i18n*/ 'This file is empty. Please record or attach it again.',
  not_audio_or_video: i18n =>
    i18n.t('This file is neither audio nor video. Please send {formats}.', { formats: formatsIn(i18n) }),
  media_gone: /*i18n*/ 'This file is no longer there. Please send it again.',
  download_failed: /*i18n*/ 'We couldn’t download this file. Please send it again.',
  link_code_unknown:
    /*i18n*/ 'We do not know this link code. Copy the one that your dashboard shows now and send it again.',
  message_unavailable: /*i18n*/ 'WhatsApp couldn’t give me this message. Please send it again.',
  nothing_to_hear: i18n =>
    i18n.t(
      'There is nothing to transcribe in this message. Please send a voice note, or a file of type {formats}.',
      { formats: formatsIn(i18n) },
    ),
  not_proved:
    /*i18n*/ 'First send me your link code: it shows that this chat is yours. Your dashboard has it.',
  language_unknown: i18n =>
    i18n.t('I can write to you in {languages}. Write “language” and one of them.', {
      languages: listIn(i18n, Object.values(UI_LANGUAGE_NAMES)),
    }),
  title_too_long: /*i18n*/ 'That’s too long for a title. Please send a shorter one.',
  sender_taken:
    /*i18n*/ 'This chat is linked to another account. Change the number in that account first, then send the code again.',
  no_audio_track: /*i18n*/ 'This file has no sound. Please send a recording that has a sound track.',
  unreadable_audio:
    /*i18n*/ 'The sound in this file can’t be read. It may be damaged. Please record or export it again.',
  too_many_packets:
    /*i18n*/ 'This file is cut into too many tiny pieces to be read. You were not charged. Please record or export it again.',
  kind_not_read:
    /*i18n*/ 'This is a recording of a kind that we cannot read. Please export it as MP3 and send that.',
  decoding_timed_out:
    /*i18n*/ 'The sound in this file takes too long to read. Please send it in shorter parts.',
  too_long_here:
    /*i18n*/ 'This recording is too long to be transcribed in one piece. Please send it in shorter parts.',
  audio_deleted: /*i18n*/ 'The audio was deleted before it could be transcribed. Please send it again.',
  timed_out:
    /*i18n*/ 'Transcribing this note took too long and was stopped. You were not charged. Please try again.',
  transcription_failed:
    /*i18n*/ 'Something went wrong on our side while transcribing this note. You were not charged. Please try again.',
  engine_refused_us:
    /*i18n*/ 'Our speech service is not available at the moment. You were not charged. Please try again later.',
  engine_refused_audio:
    /*i18n*/ 'Our speech service couldn’t read this recording. You were not charged. Please record or export it again.',
  engine_unknown_answer:
    /*i18n*/ 'Our speech service gave no usable answer. You were not charged. Please try again later.',
  engine_broke:
    /*i18n*/ 'Our speech service couldn’t cope with this recording. You were not charged. Please send it in shorter parts.',
  engine_budget_used:
    /*i18n*/ 'We have reached today’s limit for speech recognition. You were not charged. Please try again tomorrow.',
  too_many_repeats:
    /*i18n*/ 'We have transcribed this recording again as often as we can for now. You were not charged. Please try again tomorrow.',
  [ACCOUNT_BLOCKED]: (i18n, { support }: { support: string }) =>
    i18n.t('Your account is blocked, so we can’t accept anything from it. Please write to {support}.', {
      support,
    }),
  // Events of 0.1.0 have no time.
  [DAY_IS_FULL]: (i18n, { until }: { until?: string | undefined }) =>
    until
      ? i18n.t('You’ve reached the day’s limit for sending recordings. Please send this one after {time}.', {
          time: i18n.timeZone ? momentOf(i18n, until) : `${momentOf(i18n, until)} UTC`,
        })
      : i18n.t('You’ve reached today’s limit for sending recordings. Please send this one again tomorrow.'),
  [DELETED]: /*i18n*/ 'You deleted this note.',
  [NO_SPEECH]: /*i18n*/ 'No speech found',
  [ENGLISH_ONLY]:
    /*i18n*/ 'Only English can be recognized at the moment. If another language was spoken, this is not what was said.',
  [DOUBTFUL]: /*i18n*/ 'We’re not sure about this text. Please check it against the recording.',
  repeats_cut: (i18n, { times, text }: { times: number; text: string }) =>
    i18n.t('The engine wrote this again and again ({times} ×); it was kept once: {text}', { times, text }),
  text_cut: /*i18n*/ 'This recording has more text than we can keep, so the end of the text is missing.',
  tracks_unheard: (i18n, { heard, unheard }: { heard: number; unheard: readonly number[] }) =>
    i18n.t(
      'This file has several sound tracks. The text is that of track {heard}. Speech on other tracks was not transcribed: {tracks}.',
      { heard, tracks: listIn(i18n, unheard.map(String)) },
    ),
  [SPEAKERS_FAILED]:
    /*i18n*/ 'The speakers of this note couldn’t be told apart. Its text is unchanged. Please try again.',
  refresh_failed: (i18n, why: Reason) =>
    i18n.t('We couldn’t transcribe this note again. {why}', { why: sentenceOf(i18n, why) }),
  in_line: (i18n, { waitSeconds }: { waitSeconds: number }) =>
    i18n.t('Other notes are ahead of this one. Expect the text in {time}.', {
      time: roughly(i18n, waitSeconds),
    }),
  waiting_for_engine:
    /*i18n*/ 'Waiting for a speech engine: we can’t transcribe right now. Your note is safe, and its text will come as soon as we can.',
  // Without the reader's time zone, this is the title and day as the API has them.
  [SAME_AS]: (
    i18n,
    { title, day, at = day }: { title: string; titleFrom?: string; day: string; at?: string },
  ) =>
    i18n.t(
      'Same as {title} of {day}',
      i18n.timeZone ? { title: localTitle(i18n, title), day: dateOf(i18n, at) } : { title, day },
    ),
  same_under_way: /*i18n*/ 'We’re already transcribing the same audio. This note will get the same text.',
  language_not_supported: (i18n, { language, known }: UnknownLanguage) => {
    const name = languageName(i18n, language)
    if (known === 'all')
      return i18n.t(
        'We can’t transcribe {name} at the moment. Choose another language or auto-detect in your profile, then send the note again.',
        { name },
      )
    const others = listIn(
      i18n,
      known.map(id => languageName(i18n, id)),
    )
    return i18n.t(
      'We can’t transcribe {name} at the moment. Choose another language ({others}) or auto-detect in your profile, then send the note again.',
      { name, others },
    )
  },
  [OUT_OF_MINUTES]: (i18n, { seconds, remainingSeconds, periodEnd, plans }: Shortage) => {
    const left = Math.floor(remainingSeconds)
    const [length, date] = [audioLength(i18n, seconds), dateOf(i18n, periodEnd)]
    if (plans === undefined)
      return left > 0
        ? i18n.t(
            'This note is {length} long, but you have only {left} left. New minutes arrive on {date}. Then transcribe it again from your history.',
            { length, date, left: audioLength(i18n, left) },
          )
        : i18n.t(
            'This note is {length} long, but you have no minutes left. New minutes arrive on {date}. Then transcribe it again from your history.',
            { length, date },
          )
    const none = { length, date, plans }
    const some = { ...none, left: audioLength(i18n, left) }
    return left > 0
      ? i18n.t(
          'This note is {length} long, but you have only {left} left. New minutes arrive on {date}, or get more now: {plans}. Then transcribe it again from your history.',
          some,
        )
      : i18n.t(
          'This note is {length} long, but you have no minutes left. New minutes arrive on {date}, or get more now: {plans}. Then transcribe it again from your history.',
          none,
        )
  },
} satisfies Record<string, string | ((i18n: I18n, facts: never) => string)>

type Sentences = typeof SENTENCES
type ReasonCode = keyof Sentences
type Written<C extends ReasonCode> = Sentences[C] extends (...given: never) => string
  ? Sentences[C]
  : () => string
type FactsOf<C extends ReasonCode> = Parameters<Written<C>> extends [I18n, infer Facts] ? [Facts] : []

/** Creates a reason with the facts that its sentence needs. */
export const reason = <C extends ReasonCode>(code: C, ...[facts]: FactsOf<C>): Reason => ({
  code,
  ...(facts ? { facts: { ...facts } } : {}),
})

/** Length and loudness of a note without speech. */
export interface Unspoken {
  seconds: number
  /** Loudest half second in decibels of full scale, from 0 (loudest) to -96 (silence); null if unknown. */
  decibels: number | null
}

/** Reason for a note without speech. Its sentence leaves out the facts, which the chat adds. */
export const noSpeech = (heard: Unspoken): Reason => ({ ...reason(NO_SPEECH), facts: { ...heard } })

/** Whether there is a sentence for a reason and the one inside it: an unknown code may come from a newer version. */
export const isKnown = ({ code, facts }: Reason): boolean =>
  Object.hasOwn(SENTENCES, code) && (code !== 'refresh_failed' || isKnown({ code: '', ...facts }))

/** Returns the sentence for a reason; for an unknown code, one that says that something went wrong. */
export function sentenceOf(i18n: I18n, { code, facts }: Reason): string {
  const sentence = SENTENCES[Object.hasOwn(SENTENCES, code) ? (code as ReasonCode) : 'transcription_failed']
  return typeof sentence === 'string' ? i18n.t(sentence) : sentence(i18n, (facts ?? {}) as never)
}

/** Returns the notices about a text, without doubts about a text that isn't there; null if there are none. */
export const noticeOf = (i18n: I18n, notices: readonly Reason[]): string | null =>
  notices
    .filter(({ code }) => Object.hasOwn(SENTENCES, code))
    .filter(({ code }) => code !== DOUBTFUL || !notices.some(other => other.code === NO_SPEECH))
    .map(notice => sentenceOf(i18n, notice))
    .join(' ') || null
