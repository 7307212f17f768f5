import { countWords, endsSentence, joinerAt } from './text.ts'

/** Joins the texts of passages, with a space at a seam if the letters around it are of a script that uses spaces. */
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
/** Words after which a paragraph ends with the current sentence. */
const WORDS_MAX = 80

/** Groups passages into paragraphs, which end at a new speaker, a pause of 1.5 s, or a sentence end after 80 words. */
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

/** Puts the speaker's name before a line, if there is one. */
export const spokenBy = (name: string, text: string): string => (name ? `${name}: ${text}` : text)

/** Returns a transcript's text with empty lines between paragraphs. `nameOf` returns '' for a nameless speaker. */
export const textInParagraphs = (
  passages: Passage[],
  language: string | null,
  text: string,
  nameOf: (speaker: string | undefined) => string = () => '',
): string =>
  paragraphsOf(passages, language)
    .map(paragraph => spokenBy(nameOf(paragraph.speaker), paragraph.text))
    .join('\n\n') || text
