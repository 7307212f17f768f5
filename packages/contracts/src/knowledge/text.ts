// Sentences, words and letters of texts in any language, and the time that they take to say.

/** Scripts written without spaces, in which nothing marks the beginning of a word. */
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan']
/** Languages written in these scripts. */
const LANGUAGES = ['zh', 'yue', 'ja', 'th', 'lo', 'km', 'my', 'bo']

/** Matches a letter, mark or digit of such a script; for expressions with the flag `v`. */
export const UNSPACED = `[[${SCRIPTS.map(script => `\\p{scx=${script}}`).join('')}]&&[\\p{L}\\p{M}\\p{N}]]`

/** More marks on one letter than any language writes. The limit is that of Unicode's stream-safe format (UAX #15). */
const MARKS_TOO_MANY = /(\p{M}{30})\p{M}+/gu

/** Returns a text with at most 30 marks on each letter: time to sort and to draw them is quadratic in their number. */
export const withFewMarks = (text: string): string => text.replace(MARKS_TOO_MANY, '$1')

/** Normalizes a text, with at most 30 marks per letter. */
export const normalized = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  withFewMarks(text).normalize(form)

/** Returns the separator between words of a language. */
export const joinerOf = (language: string | null): '' | ' ' => (LANGUAGES.includes(language ?? '') ? '' : ' ')

/** Characters on each side of a seam in which a letter is looked for. */
const SEAM = 20
const IS_UNSPACED = new RegExp(`^${UNSPACED}$`, 'v')
const IS_LETTER = /^\p{L}$/u

/** Returns the separator between two passages by the letters nearest to the seam, or else by the language. */
export function joinerAt(before: string, after: string, language: string | null): '' | ' ' {
  const last = [...before.slice(-SEAM)].findLast(letter => IS_LETTER.test(letter))
  const first = [...after.slice(0, SEAM)].find(letter => IS_LETTER.test(letter))
  if (!last || !first) return joinerOf(language)
  return IS_UNSPACED.test(last) && IS_UNSPACED.test(first) ? '' : ' '
}

/** Split texts into words, even where no spaces are written, and into what people see as one letter. */
export const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' })
export const letterSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const sentenceSegmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Returns the words of a text with their offsets, even without spaces between them (Chinese, Japanese, Thai). */
export const wordsIn = (text: string): { segment: string; index: number }[] =>
  [...wordSegmenter.segment(text)].filter(({ isWordLike }) => isWordLike)

/** Counts words as `wordsIn` does, without building a list of them, because texts may be long. */
export function countWords(text: string): number {
  let count = 0
  for (const { isWordLike } of wordSegmenter.segment(text)) if (isWordLike) count += 1
  return count
}

/** Titles and abbreviations that don't end a sentence, in the languages of the product. */
const SHORTENED =
  'mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|approx|no|fig|hr|fr|nr|bzw|usw|ca|evtl|ggf|inkl|str|mme|mlle|m|sra|srta|ud|uds|dra|av|sig|dott|ing|bpk|dkk'
/** Matches these, single letters, letters with dots (z.B., e.g.) and ordinals (3. Mai). */
const GOES_ON = new RegExp(`(?:^|[\\s("'“«¿¡])(?:(?:\\p{L}\\.)*\\p{L}|\\d{1,2}|${SHORTENED})\\.$`, 'iu')
/** Sentence ends in Latin, Chinese, Japanese, Arabic, Urdu, Hindi, Armenian, Ethiopic, Khmer, Burmese and Tibetan. */
const END = /[.!?…。！？｡؟۔।॥։።፧។៕။།༎]["'”’»」』)\]]*$/u

/** Whether a sentence ends with this text. */
export const endsSentence = (text: string): boolean => END.test(text) && !GOES_ON.test(text)

/** Splits a text into sentences by Unicode's rules, but not after abbreviations. */
export function sentencesOf(text: string): string[] {
  const found: string[] = []
  for (const { segment } of sentenceSegmenter.segment(text.trim())) {
    const sentence = segment.trim()
    const last = found.at(-1)
    if (!sentence) continue
    if (last && GOES_ON.test(last)) found[found.length - 1] = `${last} ${sentence}`
    else found.push(sentence)
  }
  return found
}

/** Characters after a cut that are searched for the end of a word or letter; no language has longer ones. */
const LOOKED_BEHIND = 100

/** Returns the beginning of a text in at most `most` UTF-16 units, cut between words or else between letters. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  const space = text.slice(0, most + 1).search(/\s+\S*$/)
  // The last resort cuts inside a "letter" that is longer than any language has.
  const end =
    space >= most / 2
      ? space
      : (borderIn(wordSegmenter, text, most) ?? borderIn(letterSegmenter, text, most) ?? most)
  return text
    .slice(0, end)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()
}

const withoutSign = (words: string) => words.replace(/(?<![\s,.;:،、。؛।–—-])[\s,.;:،、。؛।–—-]+$/u, '')

/** Returns the beginning of a line in at most `most` UTF-16 units, ending with a word. */
export const wordsUpTo = (line: string, most: number): string =>
  withoutSign(line.length <= most ? line : beginningOf(line, most))

/** Returns the last border between segments within `most` units. Takes a slice, to avoid copying a whole text. */
function borderIn(segmenter: Intl.Segmenter, text: string, most: number): number | undefined {
  let last: number | undefined
  for (const { index } of segmenter.segment(text.slice(0, most + LOOKED_BEHIND))) {
    if (index > most) break
    if (index) last = index
  }
  return last
}

/** Seconds. */
interface Span {
  from: number
  to: number
}

/** Returns the second at which `said` of `length` units of a text have been said, assuming an even pace. */
export const timeAt = ({ from, to }: Span, said: number, length: number): number =>
  from + ((to - from) * said) / Math.max(1, length)

/** Divides a time among texts in proportion to their length. */
export function sharesOf(span: Span, texts: readonly string[]): Span[] {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  let said = 0
  return texts.map(text => {
    const from = timeAt(span, said, length)
    said += text.length
    return { from, to: timeAt(span, said, length) }
  })
}
