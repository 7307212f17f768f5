/** Where a text is best cut, from the best to the worst: after a paragraph, a line, a sentence, a word. */
const CUTS = [/\n{2,}/g, /\n/g, /(?<=[.!?…]["'”’)\]]*)\s+|(?<=[。！？])/g, /\s+/g]

/** A piece shorter than this part of the limit is not worth a better place to cut. */
const LEAST = 0.3

/**
 * Cuts a text into pieces of at most `max` UTF-16 code units, in order. White space at the cuts is dropped, every
 * other character is kept; surrogate pairs stay whole. A blank text gives no piece.
 */
export function splitText(text: string, max: number): string[] {
  const pieces: string[] = []
  let rest = text.trim()
  while (rest.length > max) {
    const end = cutOf(rest, max)
    pieces.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  if (rest) pieces.push(rest)
  return pieces
}

/** Where the first piece ends: the last good place within the limit. */
function cutOf(text: string, max: number): number {
  // One more than fits: white space right behind the last character that fits is a good place, too.
  const window = text.slice(0, max + 1)
  for (const cut of CUTS) {
    const end = [...window.matchAll(cut)].findLast(match => match.index > 0 && match.index <= max)?.index ?? 0
    if (end >= max * LEAST) return end
  }
  return isInsidePair(text, max) ? max - 1 : max
}

const isInsidePair = (text: string, index: number) =>
  /[\uD800-\uDBFF]/.test(text[index - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[index] ?? '')
