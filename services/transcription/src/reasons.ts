import { reason } from '@voxscribe/contracts/reasons'

/** Notices of texts that are there. */
export const ENGLISH_ONLY =
  'Only English can be recognised at the moment. If another language was spoken, these are not its words.'
export const DOUBT = 'We are not sure of this text. Please check it against the recording.'

export const NO_SOUND = reason('no_audio_track')
export const UNREADABLE = reason('unreadable_audio')
export const TOO_SLOW_TO_READ = reason('decoding_timed_out')
export const TOO_LONG_HERE = reason('too_long_here')
export const AUDIO_GONE = reason('audio_deleted')
export const TIMED_OUT = reason('timed_out')
export const FAILED = reason('transcription_failed')
export const KEY_REFUSED = reason('engine_refused_us')
export const AUDIO_REFUSED = reason('engine_refused_audio')
export const UNKNOWN_ANSWER = reason('engine_unknown_answer')
export const ENGINE_BROKE = reason('engine_broke')
