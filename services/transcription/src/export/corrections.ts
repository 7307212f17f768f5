import type { TextRange } from '@voxscribe/contracts/search-words'
import { wordsIn } from '@voxscribe/contracts/text'
import { commonRuns } from '@voxscribe/speech'

/** With more words between its first and last difference, a passage counts as rewritten. This bounds the comparison. */
const CHANGED_MAX = 200

interface Word {
  /** In lower case, as case alone does not make a different word. */
  letters: string
  from: number
  to: number
}

const wordsOf = (text: string): Word[] =>
  wordsIn(text).map(({ segment, index: from }) => ({
    letters: segment.toLowerCase(),
    from,
    to: from + segment.length,
  }))

/** Returns the ranges of a corrected text that a person wrote, by the fewest edits; all of a rewritten text. */
export function writtenIn(original: string, corrected: string): TextRange[] {
  const [before, after] = changedWords(wordsOf(original), wordsOf(corrected))
  if (Math.max(before.length, after.length) > CHANGED_MAX) return [{ from: 0, to: corrected.length }]
  const found: TextRange[] = []
  let from = 0
  const addRange = (end: number) => {
    const [first, last] = [after[from], after[end - 1]]
    if (first && last && from < end) found.push({ from: first.from, to: last.to })
  }
  const isCommon = (at: number, there: number) => before[at]?.letters === after[there]?.letters
  commonRuns(before.length, after.length, isCommon, (count, _at, there) => {
    addRange(there)
    from = there + count
  })
  addRange(after.length)
  return found
}

/** Returns both lists of words without their common beginning and end. */
function changedWords(before: Word[], after: Word[]): [Word[], Word[]] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start]?.letters === after[start]?.letters) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end)?.letters === after.at(-1 - end)?.letters) end++
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)]
}
