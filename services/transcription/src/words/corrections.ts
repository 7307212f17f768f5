import { OwnWords } from '@voxscribe/contracts/http'
import { wordsIn } from '@voxscribe/contracts/text'
import { commonRuns } from '../hearing/agreement.ts'

const { element: Replacement } = OwnWords.shape.replacements
export type Replacement = OwnWords['replacements'][number]

/** Words of a name or term; longer runs are reworded rather than misheard. */
const RUN_MAX = 3
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

/**
 * Returns what a person wrote in place of which words, by the fewest edits: runs of 1 to 3 words of both texts. Another
 * case, other punctuation and single letters are none.
 */
export function correctionsIn(original: string, corrected: string): Replacement[] {
  const [before, after] = changedWords(wordsOf(original), wordsOf(corrected))
  if (Math.max(before.length, after.length) > CHANGED_MAX) return []
  const found: Replacement[] = []
  let [one, other] = [0, 0]
  const replaced = (oneEnd: number, otherEnd: number) => {
    const heard = runOf(original, before.slice(one, oneEnd))
    const pair = Replacement.safeParse({ heard, write: runOf(corrected, after.slice(other, otherEnd)) })
    if (pair.success && pair.data.heard.length > 1) found.push(pair.data)
  }
  const isCommon = (at: number, there: number) => before[at]?.letters === after[there]?.letters
  commonRuns(before.length, after.length, isCommon, (count, at, there) => {
    replaced(at, there)
    one = at + count
    other = there + count
  })
  replaced(before.length, after.length)
  return found
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

const runOf = (text: string, words: Word[]): string =>
  words.length > RUN_MAX ? '' : text.slice(words[0]?.from ?? 0, words.at(-1)?.to ?? 0)
