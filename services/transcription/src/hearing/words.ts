/** Written without spaces between words. */
const UNSPACED = ['zh', 'yue', 'ja', 'th', 'lo', 'km', 'my', 'bo']

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Counts words, also without spaces between them (Chinese, Japanese, Thai). */
export function countWords(text: string): number {
  let words = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words += 1
  return words
}

const joinerOf = (language: string | null) => (UNSPACED.includes(language ?? '') ? '' : ' ')

/** Joins texts with the language's separator. */
export const joinTexts = (texts: string[], language: string | null): string =>
  texts.filter(Boolean).join(joinerOf(language))
