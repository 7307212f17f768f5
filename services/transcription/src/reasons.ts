import { DELETED, type Reason } from '@voxscribe/contracts/events'
import { languageLabel } from '@voxscribe/contracts/languages'
import { audioLength, dateOf } from '@voxscribe/contracts/wording'

const reason = (code: string, sentence: string): Reason => ({ code, sentence })

/** Notices of texts that are there. */
export const ENGLISH_ONLY =
  'Only English can be recognised at the moment. If another language was spoken, these are not its words.'
export const DOUBT = 'We are not sure of this text. Please check it against the recording.'

export const NO_SOUND = reason(
  'no_audio_track',
  'This file has no sound. Please send a recording that has a sound track.',
)
export const UNREADABLE = reason(
  'unreadable_audio',
  'The sound in this file cannot be read. It may be damaged. Please record or export it again.',
)
export const TOO_SLOW_TO_READ = reason(
  'decoding_timed_out',
  'The sound in this file takes too long to read. Please send it in shorter parts.',
)
export const TOO_LONG_HERE = reason(
  'too_long_here',
  'This recording is too long to be transcribed in one piece. Please send it in shorter parts.',
)
export const AUDIO_GONE = reason(
  'audio_deleted',
  'The audio was deleted before it could be transcribed. Please send it again.',
)
export const TIMED_OUT = reason(
  'timed_out',
  'Transcribing this note took too long and was stopped. You were not charged. Please try again.',
)
export const FAILED = reason(
  'transcription_failed',
  'Something went wrong on our side while transcribing this note. You were not charged. Please try again.',
)
export const KEY_REFUSED = reason(
  'engine_refused_us',
  'The speech service does not accept our account at the moment. You were not charged. Please try again later.',
)
export const AUDIO_REFUSED = reason(
  'engine_refused_audio',
  'The speech service could not read this recording. You were not charged. Please record or export it again.',
)
export const UNKNOWN_ANSWER = reason(
  'engine_unknown_answer',
  'The speech service answered in a way that we do not understand. You were not charged. Please try again later.',
)
export const ENGINE_BROKE = reason(
  'engine_broke',
  'The speech engine on this machine broke down over this recording. You were not charged. Please try again later.',
)
export const DELETED_BY_PERSON = reason(DELETED, 'You deleted this note.')

export function languageUnknown(language: string, known: 'all' | readonly string[]): Reason {
  const understood = known === 'all' ? 'other languages' : known.map(languageLabel).join(', ')
  return reason(
    'language_not_supported',
    `The speech engine on this machine does not understand ${languageLabel(language)}. ` +
      `Choose another language (${understood}) or auto-detect in your profile and send the note again.`,
  )
}

interface Shortage {
  seconds: number
  remainingSeconds: number
  periodEnd: string
}

/** What is needed, what is left, when it starts anew, and where to get more. */
export function outOfMinutes({ seconds, remainingSeconds, periodEnd }: Shortage, publicUrl: string): Reason {
  const left = Math.floor(remainingSeconds)
  return reason(
    'out_of_minutes',
    `This note is ${audioLength(seconds)} long, but you have ${left > 0 ? `only ${audioLength(left)}` : 'no minutes'} left until ${dateOf(periodEnd)}. ` +
      `Get more minutes at ${publicUrl}/pricing, then transcribe it again from your history.`,
  )
}
