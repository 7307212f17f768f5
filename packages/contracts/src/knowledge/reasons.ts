import { z } from 'zod'
import { AUDIO_FORMATS, MAX_FILE_BYTES, VIDEO_FORMATS } from './business.ts'
import { languageLabel } from './languages.ts'
import { audioLength, dateOf, roughly } from './wording.ts'

/** Why something failed, or what a person must know about a text: a stable code, and the facts for its sentence. */
export const Reason = z.object({
  code: z.string().min(1),
  facts: z.record(z.string(), z.unknown()).optional(),
})
export type Reason = z.infer<typeof Reason>

/** Code of the reason when the person deleted the note themselves: minutes are released, but no answer is sent. */
export const DELETED = 'deleted'

/** Code of the notice that the installation recognises English alone. */
export const ENGLISH_ONLY = 'english_only'

const MEGABYTE = 1024 * 1024
const formats = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  [...AUDIO_FORMATS, ...VIDEO_FORMATS].map(format => format.toUpperCase()),
)

interface Shortage {
  seconds: number
  remainingSeconds: number
  periodEnd: string
  /** Page on which minutes can be bought. */
  plans: string
}

interface UnknownLanguage {
  /** A language id. */
  language: string
  known: 'all' | readonly string[]
}

/** Sentences that say what went wrong and what to do, for each code. */
const SENTENCES = {
  too_large: `This file is larger than ${MAX_FILE_BYTES / MEGABYTE} MB. Please send it in shorter parts.`,
  empty_file: 'This file is empty. Please record or attach it again.',
  not_audio_or_video: `This file is neither audio nor video. Please send ${formats}.`,
  media_gone: 'WhatsApp no longer has this file. Please send it again.',
  download_failed: 'We could not download this file from WhatsApp. Please send it again.',
  link_code_unknown:
    'We do not know this link code. Copy the one that your dashboard shows now and send it again.',
  nothing_to_hear: `There is nothing to transcribe in this message. Please send a voice note, or a file of type ${formats}.`,
  sender_taken:
    'This WhatsApp number is linked to another account. Change the number in that account first, then send the code again.',
  no_audio_track: 'This file has no sound. Please send a recording that has a sound track.',
  unreadable_audio:
    'The sound in this file cannot be read. It may be damaged. Please record or export it again.',
  decoding_timed_out: 'The sound in this file takes too long to read. Please send it in shorter parts.',
  too_long_here:
    'This recording is too long to be transcribed in one piece. Please send it in shorter parts.',
  audio_deleted: 'The audio was deleted before it could be transcribed. Please send it again.',
  timed_out: 'Transcribing this note took too long and was stopped. You were not charged. Please try again.',
  transcription_failed:
    'Something went wrong on our side while transcribing this note. You were not charged. Please try again.',
  engine_refused_us:
    'Our speech service is not available at the moment. You were not charged. Please try again later.',
  engine_refused_audio:
    'Our speech service could not read this recording. You were not charged. Please record or export it again.',
  engine_unknown_answer:
    'Our speech service gave no usable answer. You were not charged. Please try again later.',
  engine_broke:
    'Our speech service could not cope with this recording. You were not charged. Please try again later.',
  [DELETED]: 'You deleted this note.',
  no_speech: 'No speech found',
  [ENGLISH_ONLY]:
    'Only English can be recognised at the moment. If another language was spoken, this is not what was said.',
  doubtful: 'We are not sure about this text. Please check it against the recording.',
  text_cut: 'This recording has more text than we can keep, so the end of the text is missing.',
  refresh_failed: (why: Reason): string => `Transcribing again did not work: ${sentenceOf(why)}`,
  in_line: ({ waitSeconds }: { waitSeconds: number }) =>
    `Other notes are ahead of this one. Expect the text in ${roughly(waitSeconds)}.`,
  waiting_for_engine:
    'Waiting for a speech engine: we can’t transcribe right now. Your note is safe, and its text will come as soon as we can.',
  same_as: ({ title, day }: { title: string; day: string }) => `Same as ${title} of ${day}`,
  same_under_way: 'We are already transcribing the same audio. This note will get the same text.',
  language_not_supported: ({ language, known }: UnknownLanguage) =>
    `We cannot transcribe ${languageLabel(language)} at the moment. ` +
    `Choose another language${known === 'all' ? '' : ` (${known.map(languageLabel).join(', ')})`} ` +
    'or auto-detect in your profile, then send the note again.',
  out_of_minutes: ({ seconds, remainingSeconds, periodEnd, plans }: Shortage) => {
    const left = Math.floor(remainingSeconds)
    return (
      `This note is ${audioLength(seconds)} long, but you have ${left > 0 ? `only ${audioLength(left)}` : 'no minutes'} left until ${dateOf(periodEnd)}. ` +
      `Get more minutes at ${plans}, then transcribe it again from your history.`
    )
  },
}

type Sentences = typeof SENTENCES
type ReasonCode = keyof Sentences
type FactsOf<C extends ReasonCode> = Sentences[C] extends (facts: infer Facts) => string ? [Facts] : []

/** Returns a reason with the facts that its sentence needs. */
export const reason = <C extends ReasonCode>(code: C, ...[facts]: FactsOf<C>): Reason => ({
  code,
  ...(facts ? { facts: { ...facts } } : {}),
})

/** Returns the sentence for the person, in English. An unknown code may be from a newer version. */
export function sentenceOf({ code, facts }: Reason): string {
  const known = Object.hasOwn(SENTENCES, code) ? (code as ReasonCode) : 'transcription_failed'
  const made = SENTENCES[known]
  return typeof made === 'string' ? made : made((facts ?? {}) as never)
}

/** Returns what a person must know about a text, in English; null when there is nothing. Leaves out unknown codes. */
export const noticeOf = (notices: readonly Reason[]): string | null =>
  notices
    .filter(({ code }) => Object.hasOwn(SENTENCES, code))
    .map(sentenceOf)
    .join(' ') || null
