/** Languages that are written without spaces between words. */
const UNSPACED = ['zh', 'yue', 'ja', 'th', 'lo', 'km', 'my', 'bo']

/** Returns what stands between the passages of a text. */
export const joinerOf = (language: string | null): '' | ' ' => (UNSPACED.includes(language ?? '') ? '' : ' ')

/** Joins the texts of passages with the language's separator. */
export const joinedText = (passages: { text: string }[], language: string | null): string =>
  passages
    .map(({ text }) => text.trim())
    .filter(Boolean)
    .join(joinerOf(language))

/** A passage of a transcript; times in seconds. */
interface Passage {
  from: number
  to: number
  text: string
}

/** Seconds of a pause that ends a paragraph. */
export const PAUSE = 1.5
/** From here on a paragraph ends with the next sentence. */
const WORDS_MAX = 80
const ENDS_SENTENCE = /[.!?…。！？｡؟۔।॥።။]["'”’»」』)\]]*$/u

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Returns the words of a text with their offsets, also without spaces between them (Chinese, Japanese, Thai). */
export const wordsIn = (text: string): { segment: string; index: number }[] =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike)

/** Counts words as `wordsIn`, without a list of them: texts may be long. */
export function countWords(text: string): number {
  let words = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words += 1
  return words
}

/** Groups passages into paragraphs: until a pause of 1.5 s, or from 80 words on until a sentence ends. */
export function inParagraphs<P extends Passage>(passages: P[]): P[][] {
  const paragraphs: P[][] = []
  let end = Number.NEGATIVE_INFINITY
  let words = 0
  let isFull = true
  for (const passage of passages) {
    const paragraph = paragraphs.at(-1)
    if (paragraph && !isFull && passage.from - end < PAUSE) paragraph.push(passage)
    else {
      paragraphs.push([passage])
      words = 0
    }
    end = Math.max(end, passage.to)
    words += countWords(passage.text)
    isFull = words >= WORDS_MAX && ENDS_SENTENCE.test(passage.text.trimEnd())
  }
  return paragraphs
}

/** The paragraphs of a transcript, without empty ones. */
export const paragraphsOf = (passages: Passage[], language: string | null): Passage[] =>
  inParagraphs(passages).flatMap(group => {
    const text = joinedText(group, language)
    const [from, to] = [group[0]?.from ?? 0, Math.max(...group.map(passage => passage.to))]
    return text ? [{ from, to, text }] : []
  })

/** A transcript's text with an empty line between its paragraphs; the text as it is when there are no passages. */
export const textInParagraphs = (passages: Passage[], language: string | null, text: string): string =>
  paragraphsOf(passages, language)
    .map(paragraph => paragraph.text)
    .join('\n\n') || text
