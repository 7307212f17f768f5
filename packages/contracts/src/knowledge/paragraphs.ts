import { countWords, endsSentence, joinerAt } from './text.ts'

/** Joins the texts of passages, with a space where the letters beside a seam are written with spaces. */
export function joinedText(passages: { text: string }[], language: string | null): string {
  const texts = passages.map(({ text }) => text.trim()).filter(Boolean)
  return texts.map((text, at) => (at ? joinerAt(texts[at - 1] ?? '', text, language) : '') + text).join('')
}

/** A passage of a transcript; times in seconds. */
interface Passage {
  from: number
  to: number
  text: string
  /** Id of its speaker, where speakers are told apart. */
  speaker?: string | undefined
}

/** Seconds of a pause that ends a paragraph. */
export const PAUSE = 1.5
/** From here on a paragraph ends with the next sentence. */
const WORDS_MAX = 80

/** Groups passages into paragraphs: until another speaker, a pause of 1.5 s, or from 80 words on until a sentence ends. */
export function inParagraphs<P extends Passage>(passages: P[]): P[][] {
  const paragraphs: P[][] = []
  let end = Number.NEGATIVE_INFINITY
  let words = 0
  let isFull = true
  for (const passage of passages) {
    const paragraph = paragraphs.at(-1)
    const isSame = paragraph?.[0]?.speaker === passage.speaker
    if (paragraph && isSame && !isFull && passage.from - end < PAUSE) paragraph.push(passage)
    else {
      paragraphs.push([passage])
      words = 0
    }
    end = Math.max(end, passage.to)
    words += countWords(passage.text)
    isFull = words >= WORDS_MAX && endsSentence(passage.text.trimEnd())
  }
  return paragraphs
}

/** The paragraphs of a transcript, without empty ones. */
export const paragraphsOf = (passages: Passage[], language: string | null): Passage[] =>
  inParagraphs(passages).flatMap(group => {
    const text = joinedText(group, language)
    const [from, to] = [group[0]?.from ?? 0, Math.max(...group.map(passage => passage.to))]
    const speaker = group[0]?.speaker
    return text ? [{ from, to, text, ...(speaker !== undefined && { speaker }) }] : []
  })

/** A line of a speaker, with the name before it where there is one. */
export const spokenBy = (name: string, text: string): string => (name ? `${name}: ${text}` : text)

/** A transcript's text with an empty line between its paragraphs; `nameOf`: empty for no name. */
export const textInParagraphs = (
  passages: Passage[],
  language: string | null,
  text: string,
  nameOf: (speaker: string | undefined) => string = () => '',
): string =>
  paragraphsOf(passages, language)
    .map(paragraph => spokenBy(nameOf(paragraph.speaker), paragraph.text))
    .join('\n\n') || text
