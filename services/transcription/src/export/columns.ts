import { letterSegmenter } from '@voxscribe/contracts/text'
import { eastAsianWidth } from 'get-east-asian-width'

/** Marks and format characters take no column. */
const WITHOUT_COLUMN = /^[\p{M}\p{Cf}]$/u

/** Returns the columns that a text takes. Counts code points, as a segmenter takes 50 µs even for a short text. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const letter of text)
    if (!WITHOUT_COLUMN.test(letter)) columns += eastAsianWidth(letter.codePointAt(0) ?? 0)
  return columns
}

/** Cuts a text between letters into pieces of about the same width, of at most `most` columns. */
export function cutEvenly(text: string, most: number): string[] {
  const columns = columnsOf(text)
  if (columns <= most) return [text]
  const share = columns / Math.ceil(columns / most)
  const lines: string[] = []
  let taken = share
  for (const { segment } of letterSegmenter.segment(text)) {
    const more = columnsOf(segment)
    const isFull = taken >= share || taken + more > most
    if (isFull) lines.push(segment)
    else lines[lines.length - 1] += segment
    taken = isFull ? more : taken + more
  }
  return lines
}
