import { folded, oneSpelling } from '@voxscribe/contracts/search-words'

/** A word of a message: as it is compared, and where it stands, in UTF-16 units. */
export interface Token {
  word: string
  /** Its last letter has an accent: of two words that differ in nothing else, one is often a past tense. */
  isStressed: boolean
  /** The Arabic article was written together with it. */
  hasArticle: boolean
  from: number
  to: number
}

/** Without the frame of a number that is an emoji: "2️⃣". */
const WORD = /[[\p{L}\p{M}\p{N}\p{Cf}]--[\p{Me}\uFE0F]]+/gv
/** Written together with the article in Arabic: by, for, and, as. */
const ARABIC = /^([بوكف]?)ال(?=\p{L}{2})|^(ل)ل(?=\p{L}{2})/u
/** Letters held down: "pleaseee". */
const HELD = /(.)\1{2,}/gu
const STRESSED = /\p{sc=Latin}[\u0300\u0301]$/u

/** Returns one form for the spellings of a word in the chat. */
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

/** Returns a text as it is compared: its words with one space between them. */
export const plain = (text: string): string =>
  tokensOf(text)
    .map(({ word }) => word)
    .join(' ')

/**
 * Finds the one slip in a word: a letter that is missing or one too many (`length`), another (`letter`), or two that
 * changed places (`order`). Another one at the end, or another first one, makes another word or another form of it.
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
