import type { TranscriptionDocument as Note } from '@voxscribe/contracts/http'
import { languageLabel } from '@voxscribe/contracts/languages'
import type { Fields } from './form.ts'

/** Usage in OpenAI's format: whole seconds, rounded up. Some clients can't parse a response without it. */
export const usageOf = ({ durationSeconds }: Note) => ({
  type: 'duration' as const,
  seconds: Math.ceil(durationSeconds ?? 0),
})

/** Usage in a stream: clients expect token counts, but nothing is charged by token here. */
export const streamUsageOf = (note: Note) => ({
  ...usageOf(note),
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
})

/** `verbose_json`, with Whisper's names. Values that our engines don't measure are 0. */
export function verbose(
  note: Note,
  wanted: Fields['timestamp_granularities'],
  task: 'transcribe' | 'translate' = 'transcribe',
) {
  const { language, durationSeconds, text, segments } = note
  const times = segments.map((segment, id) => ({
    id,
    seek: 0,
    start: segment.from,
    end: segment.to,
    text: segment.text,
    tokens: [],
    temperature: 0,
    avg_logprob: segment.confidence ? Math.log(segment.confidence) : 0,
    compression_ratio: 0,
    no_speech_prob: 0,
  }))
  const words = segments.flatMap(segment =>
    (segment.words ?? []).map(({ from: start, to: end, text: word }) => ({ word, start, end })),
  )
  return {
    task,
    // A silent file sent without a language has none detected.
    language: language === 'auto' ? 'unknown' : languageLabel(language).toLowerCase(),
    duration: durationSeconds ?? 0,
    text,
    ...(wanted.includes('segment') ? { segments: times } : {}),
    ...(wanted.includes('word') ? { words } : {}),
    usage: usageOf(note),
  }
}

export const diarized = (note: Note) => ({
  task: 'transcribe',
  duration: note.durationSeconds ?? 0,
  text: note.text,
  segments: lines(note),
  usage: usageOf(note),
})

const FIRST_LETTER = 'A'.charCodeAt(0)

/** Lines with their speaker's name, or else a letter; all are `A` if the speakers aren't separated. */
export const lines = ({ segments, speakers = [] }: Note) =>
  segments.map(({ from: start, to: end, text, speaker = '1' }, at) => ({
    type: 'transcript.text.segment',
    id: `seg_${at + 1}`,
    start,
    end,
    text,
    speaker:
      speakers.find(({ id }) => id === speaker)?.name ??
      String.fromCharCode(FIRST_LETTER - 1 + Number(speaker)),
  }))
