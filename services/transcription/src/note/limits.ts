import { reason } from '@voxscribe/contracts/reasons'
import type { Segment, Speech } from '../hearing/speech.ts'

// A document of MongoDB has at most 16 MB. An edited note has its text four times: whole and in segments, as it is and
// as it was; and the times of its words twice.

/** About 18 hours of English, 6 of a script with three bytes a letter. */
export const TEXT_MAX_BYTES = 1_000_000
/** Times of words that are kept: about 14 hours of speech. */
const TIMED_WORDS_MAX = 40_000

/**
 * Cuts a result at what a document can hold: first the times of words, then the segments past the text's limit, with a
 * notice for the person.
 */
export function withinLimits<S extends Pick<Speech, 'text' | 'segments' | 'notices'>>(speech: S): S {
  const timed = speech.segments.reduce((sum, { words = [] }) => sum + words.length, 0)
  const isLong = Buffer.byteLength(speech.text) > TEXT_MAX_BYTES
  if (timed <= TIMED_WORDS_MAX && !isLong) return speech
  let left = TEXT_MAX_BYTES
  const segments: Segment[] = []
  for (const { words, ...segment } of speech.segments) {
    const text = beginning(segment.text, left)
    // With the space that joins it.
    left -= Buffer.byteLength(text) + 1
    if (text || !segment.text) segments.push({ ...segment, text })
  }
  const notices = isLong ? [...speech.notices, reason('text_cut')] : speech.notices
  return { ...speech, text: beginning(speech.text, TEXT_MAX_BYTES), segments, notices }
}

/** As many bytes of a text as there is room for; never half a character. */
function beginning(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  return new TextDecoder().decode(Buffer.from(text).subarray(0, Math.max(0, bytes))).replace(/\ufffd+$/, '')
}
