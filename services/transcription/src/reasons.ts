import { reason } from '@voxscribe/contracts/reasons'

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

/** Notices of notes that wait. */
export const NO_ENGINE = reason('waiting_for_engine')
export const SAME_UNDER_WAY = reason('same_under_way')

/** Notices of texts that are there. */
export const NO_SPEECH = reason('no_speech')
export const ENGLISH_ONLY = reason('english_only')
export const DOUBTFUL = reason('doubtful')
export const TEXT_CUT = reason('text_cut')
