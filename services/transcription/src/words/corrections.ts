import type { Stretch } from '@voxscribe/contracts/search-words'
import { wordsIn } from '@voxscribe/contracts/text'
import { commonRuns } from '@voxscribe/speech'

/** With more words between its first and last difference a passage is rewritten; bounds the comparison. */
const CHANGED_MAX = 200

interface Word {
  /** In lower case: another case is not another word. */
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

/** Calls back with each run of words of the first text and the run in its place, by the fewest edits; null: too many to tell. */
function eachChange(original: string, corrected: string, changed: (before: Word[], after: Word[]) => void) {
  const [before, after] = changedWords(wordsOf(original), wordsOf(corrected))
  if (Math.max(before.length, after.length) > CHANGED_MAX) return null
  let [one, other] = [0, 0]
  const replaced = (oneEnd: number, otherEnd: number) =>
    changed(before.slice(one, oneEnd), after.slice(other, otherEnd))
  const isCommon = (at: number, there: number) => before[at]?.letters === after[there]?.letters
  commonRuns(before.length, after.length, isCommon, (count, at, there) => {
    replaced(at, there)
    one = at + count
    other = there + count
  })
  return replaced(before.length, after.length)
}

/** Returns the stretches of a corrected text that a person has written; all of it when it was rewritten. */
export function writtenIn(original: string, corrected: string): Stretch[] {
  const found: Stretch[] = []
  const all = eachChange(original, corrected, (_, after) => {
    if (after[0]) found.push({ from: after[0].from, to: after.at(-1)?.to ?? 0 })
  })
  return all === null ? [{ from: 0, to: corrected.length }] : found
}

/** Returns the words of both without those that they begin and end with in common. */
function changedWords(before: Word[], after: Word[]): [Word[], Word[]] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start]?.letters === after[start]?.letters) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end)?.letters === after.at(-1 - end)?.letters) end++
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)]
}
