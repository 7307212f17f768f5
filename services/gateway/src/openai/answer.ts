import type { TranscriptionDocument as Note } from '@voxscribe/contracts/http'
import { languageLabel } from '@voxscribe/contracts/languages'
import type { Fields } from './form.ts'

/** `verbose_json`, with Whisper's names. What our engines do not measure is 0. */
export function verbose(
  { language, durationSeconds, text, segments }: Note,
  wanted: Fields['timestamp_granularities'],
) {
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
    task: 'transcribe',
    // Nothing was recognised of a silent file in no named language.
    language: language === 'auto' ? 'unknown' : languageLabel(language).toLowerCase(),
    duration: durationSeconds ?? 0,
    text,
    ...(wanted.includes('segment') ? { segments: times } : {}),
    ...(wanted.includes('word') ? { words } : {}),
  }
}

const FIRST_LETTER = 'A'.charCodeAt(0)

/** Lines with their speakers, by name, else by letter; all are of `A` where they are not told apart. */
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
