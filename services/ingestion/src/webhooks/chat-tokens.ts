import { folded, oneSpelling } from '@voxscribe/contracts/search-words'

/** A word of a message in its form for comparison, with its position in UTF-16 units. */
export interface Token {
  word: string
  /** Whether its last letter has an accent: of two words that differ only in that, one is often a past tense. */
  isStressed: boolean
  /** Whether the Arabic article was attached to it. */
  hasArticle: boolean
  from: number
  to: number
}

/** Leaves out the frame of an emoji number: "2️⃣". */
const WORD = /[[\p{L}\p{M}\p{N}\p{Cf}]--[\p{Me}\uFE0F]]+/gv
/** The Arabic article, attached to a prefix or alone: by, for, and, as. */
const ARABIC = /^([بوكف]?)ال(?=\p{L}{2})|^(ل)ل(?=\p{L}{2})/u
/** Repeated letters: "pleaseee". */
const HELD = /(.)\1{2,}/gu
const STRESSED = /\p{sc=Latin}[\u0300\u0301]$/u

/** Returns one form for all spellings of a word in chats. */
const plainWord = (word: string): string => oneSpelling(folded(word)).replace(HELD, '$1').trim()

/** Returns the words of a message, without punctuation, emoji and the Arabic article. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: raw, index: from }) => {
    const word = plainWord(raw)
    const [article = '', ...prefixes] = ARABIC.exec(word) ?? []
    const prefix = prefixes.find(Boolean)
    const isStressed = STRESSED.test(raw.normalize('NFD'))
    const at = { isStressed, hasArticle: article !== '', from, to: from + raw.length }
    const words = [...(prefix ? [prefix] : []), word.slice(article.length)]
    return words.filter(each => /[\p{L}\p{N}]/u.test(each)).map(each => ({ word: each, ...at }))
  })
}

/** Returns a text in its form for comparison: words separated by one space. */
export const plain = (text: string): string =>
  tokensOf(text)
    .map(({ word }) => word)
    .join(' ')

/**
 * Finds the only typo in a word: a missing or extra letter (`length`), a different one (`letter`), or two swapped ones
 * (`order`). A different end, or a different first letter, makes another word or another form of it.
 */
export function slipBetween(a: string, b: string): 'length' | 'letter' | 'order' | undefined {
  if (Math.abs(a.length - b.length) > 1) return undefined
  let from = 0
  while (from < a.length && a[from] === b[from]) from++
  let [endA, endB] = [a.length, b.length]
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1]
  const [left, right] = [a.slice(from, endA), b.slice(from, endB)]
  if (left.length === 2 && left[0] === right[1] && left[1] === right[0]) return 'order'
  if (left.length > 1 || right.length > 1) return undefined
  const isForm = left ? endA === a.length && left !== a[from - 1] : endB === b.length && /^[nrs]$/.test(right)
  if (isForm || (left && right && !from)) return undefined
  return left.length === right.length ? 'letter' : 'length'
}
