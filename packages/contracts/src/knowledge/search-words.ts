import { letterSegmenter, normalized, UNSPACED, wordSegmenter } from './text.ts'

/** Longer words are cut here, so they count as equal if they begin alike. */
const LONGEST_WORD = 40
/** In scripts without spaces, each position is indexed by this many characters from there on. */
const WINDOW = 8
/** More words than two hours of speech have, in any script. */
const MOST_WORDS = 40_000

/** Letters that people replace by plain ones, though Unicode does not decompose them. */
const PLAIN: Record<string, string> = { đ: 'd', ø: 'o', ł: 'l', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th', ς: 'σ' }
const PLAINER = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
/** Symbols, keycaps and one-sign phrases that compatibility forms would turn into letters and digits: ™, 1️⃣, ﷺ. */
const SYMBOLS = /[0-9#*]\ufe0f?\u20e3|[\p{So}\ufdfa\ufdfb]/gu
/** Accents of Latin, Greek and Cyrillic, and vowel points of Hebrew and Arabic. Vowels of Indic scripts stay. */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\p{Cf}]/gu

const SIGN = '[^\\p{L}\\p{M}\\p{N}]'
const RUNS = new RegExp(`${UNSPACED}+(?:${SIGN}+${UNSPACED}+)*`, 'gv')
const SIGNS = /[^\p{L}\p{M}\p{N}]+/gu
const HAS_LETTER = /[\p{L}\p{N}]/u
const IS_MARK = /^\p{M}/u

/** Hyphens within a word that some people leave out: e-mail, co-operate. */
const HYPHENS = /(?<=[\p{L}\p{M}\p{N}])[-‐](?=[\p{L}\p{N}])/gu
/** Replaces these hyphens by a sign that the segmenter keeps within a word. */
const hyphened = (text: string): string => text.replace(HYPHENS, '_')

const PART = /[\p{L}\p{M}\p{N}]+/gu

/** Returns one form for all spellings that people consider equal: ignores case, accents and width. */
export const folded = (text: string): string =>
  normalized(text.replace(SYMBOLS, ' '), 'NFKD')
    .toUpperCase()
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(PLAINER, letter => PLAIN[letter] ?? letter)
    .normalize('NFC')

/** Spellings of one sound in Hindi: the dot below; a nasal before a consonant, or the nasal vowel, as one dot. */
const NUKTA = /़/gu
const NASAL = /[ङञणनम]्(?=[क-ह])|ँ/gu

const DIGITS = /[٠-٩۰-۹०-९]/g
const digitOf = (digit: string) => String((digit.charCodeAt(0) - (digit < '०' ? 0x660 : 0x966)) % 16)

/** Returns one form for folded words with several spellings: with or without nukta, ى or ي, ة or ه, ٣ or 3. */
export const oneSpelling = (letters: string): string =>
  letters.replace(NUKTA, '').replace(NASAL, 'ं').replace(/ى/g, 'ي').replace(/ة/g, 'ه').replace(DIGITS, digitOf)

const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' }
/** The Arabic article, alone or after the prefixes that mean "by", "and", "as" and "for". */
const ARTICLE = /(?<!\p{L})(?:[بوكف]?ال|لل)(?=\p{L}{2})/gu

const umlautsWritten = (text: string): string =>
  normalized(text, 'NFC').replace(/[äöü]/giu, letter => UMLAUTS[letter.toLowerCase()] ?? letter)

/** Folds a text to the spelling of people whose keyboard lacks some letters, and drops the Arabic article. */
const loosened = (text: string): string => oneSpelling(folded(umlautsWritten(text))).replace(ARTICLE, '')

/** Returns a text in both forms, or one if they are equal. */
const spelledBothWays = (text: string): string[] => [...new Set([folded(text), loosened(text)])]

/** Splits a text into spaced words, as parts between punctuation (`don’t`, `a.b`), and runs of unspaced scripts. */
function takenApart(text: string): { words: string[][]; runs: string[][] } {
  const runs = (text.match(RUNS) ?? []).map(run => [...run.replace(SIGNS, '')])
  const words: string[][] = []
  for (const { segment, isWordLike } of wordSegmenter.segment(hyphened(text.replace(RUNS, ' ')))) {
    if (!isWordLike) continue
    const parts = segment.split(SIGNS).filter(part => HAS_LETTER.test(part))
    if (parts.length) words.push(parts)
  }
  return { words, runs }
}

/** Cuts a word at LONGEST_WORD, never inside a character. */
const head = (word: string) =>
  word.length <= LONGEST_WORD ? word : [...word].slice(0, LONGEST_WORD).join('')

/** Returns a text's words for the search: a searched word must begin one of them. Distinct, unordered. */
export function wordsOf(texts: string[]): string[] {
  const found = new Set<string>()
  for (const { words, runs } of texts.flatMap(spelledBothWays).map(takenApart)) {
    for (const parts of words) {
      for (let at = 0; at < parts.length; at++) found.add(head(parts.slice(at, at + LONGEST_WORD).join('')))
    }
    for (const run of runs) {
      for (const at of beginningsIn(run)) found.add(run.slice(at, at + WINDOW).join(''))
    }
  }
  return [...found].slice(0, MOST_WORDS)
}

/** Returns the beginnings of words that a note must all contain, for each spelling; [] if the search has only signs. */
export const searched = (search: string): string[][] =>
  [...new Set([search, search.replace(HYPHENS, ' ')].flatMap(spelledBothWays))]
    .map(wantedIn)
    .filter(wanted => wanted.length > 0)

function wantedIn(letters: string): string[] {
  const wanted = new Set<string>()
  for (const piece of letters.split(/\s+/u)) {
    const { words, runs } = takenApart(piece)
    for (const parts of words) wanted.add(head(parts.join('')))
    for (const run of runs) for (const part of windows(run)) wanted.add(part)
  }
  // Sorted, so that the words that begin with another one follow it.
  const all = [...wanted].sort()
  return all.filter((word, index) => !all[index + 1]?.startsWith(word))
}

/** Positions at which a letter begins: vowel signs and tone marks belong to the letter before them. */
const beginningsIn = (run: string[]): number[] => [...run.keys()].filter(at => !IS_MARK.test(run[at] ?? ''))

/** Covers a run with windows that must all match. Each overlaps the next by about half. */
function windows(run: string[]): string[] {
  const all = beginningsIn(run)
  const found: string[] = []
  let index = 0
  for (let at = all[0]; at !== undefined; at = all[index]) {
    found.push(run.slice(at, at + WINDOW).join(''))
    const end = at + WINDOW
    if (end >= run.length) break
    const near = all.slice(index + 1, index + 1 + WINDOW / 2).filter(next => next <= end - WINDOW / 2)
    const last = near.findIndex(next => next + WINDOW >= run.length)
    index += last >= 0 ? last + 1 : Math.max(1, near.length)
  }
  return found
}

/** A range of a text in UTF-16 units; `to` is the first unit after it. */
export interface TextRange {
  from: number
  to: number
}

/** Finds a search's matches in a text, in order: beginnings of words, or positions in unspaced scripts. */
export function foundIn(text: string, search: string): TextRange[] {
  const all = searched(search)
  if (!all.length) return []
  const asWritten = foldedWithPlaces(text)
  const otherwise = all.length > 1 || loosened(text) !== asWritten.letters
  return joined([
    ...placesOf(all[0] ?? [], asWritten),
    ...(otherwise ? placesOf(all.at(-1) ?? [], loosenedWithPlaces(text)) : []),
  ])
}

const BEGINS_UNSPACED = new RegExp(`^${UNSPACED}`, 'v')

/** Finds a phrase in a text word for word, ignoring case, accents and the signs between words. */
export function phraseIn(text: string, phrase: string): TextRange | undefined {
  const { letters, places } = foldedWithPlaces(text)
  const { plain, at, begins } = withoutSigns(letters, 0)
  const wanted = withoutSigns(folded(phrase), 0).plain
  const borders = new Set([...begins, plain.length])
  const isBorder = (place: number) => borders.has(place) || BEGINS_UNSPACED.test(plain.slice(place))
  for (
    let begin = wanted ? plain.indexOf(wanted) : -1;
    begin >= 0;
    begin = plain.indexOf(wanted, begin + 1)
  ) {
    const end = begin + wanted.length
    if (!isBorder(begin) || !isBorder(end)) continue
    return { from: places[at[begin]!]!.from, to: places[at[end - 1]!]!.to }
  }
  return undefined
}

/** A folded text, with the range in the original for each of its UTF-16 units. */
interface Placed {
  letters: string
  places: TextRange[]
}

function placesOf(wanted: string[], { letters, places }: Placed): TextRange[] {
  const found: TextRange[] = []
  const add = (from: number, last: number) => {
    const [first, end] = [places[from], places[last]]
    if (first && end) found.push({ from: first.from, to: end.to })
  }
  for (const run of letters.matchAll(RUNS)) {
    const { plain, at } = withoutSigns(run[0], run.index)
    for (const word of wanted) {
      for (let begin = plain.indexOf(word); begin >= 0; begin = plain.indexOf(word, begin + 1))
        if (!IS_MARK.test(plain.slice(begin))) add(at[begin] ?? 0, at[begin + word.length - 1] ?? 0)
    }
  }
  const spaced = letters.replace(RUNS, run => ' '.repeat(run.length))
  for (const { segment, index, isWordLike } of wordSegmenter.segment(hyphened(spaced))) {
    if (!isWordLike) continue
    const { plain, at, begins } = withoutSigns(segment, index)
    for (const word of wanted)
      for (const begin of begins)
        if (plain.startsWith(word, begin)) add(at[begin] ?? 0, at[begin + word.length - 1] ?? 0)
  }
  return found
}

function foldedWithPlaces(text: string, fold = folded): Placed {
  const places: TextRange[] = []
  let letters = ''
  // A text has few distinct letters, and folding one takes longer than looking it up.
  const pieces = new Map<string, string>()
  for (const { segment, index } of letterSegmenter.segment(text)) {
    const piece = pieces.get(segment) ?? fold(segment)
    pieces.set(segment, piece)
    const place = { from: index, to: index + segment.length }
    letters += piece
    while (places.length < letters.length) places.push(place)
  }
  return { letters, places }
}

function loosenedWithPlaces(text: string): Placed {
  const { letters, places } = foldedWithPlaces(text, segment => oneSpelling(folded(umlautsWritten(segment))))
  const isArticle = new Uint8Array(letters.length)
  for (const { 0: article, index } of letters.matchAll(ARTICLE))
    isArticle.fill(1, index, index + article.length)
  return { letters: letters.replace(ARTICLE, ''), places: places.filter((_, at) => !isArticle[at]) }
}

/** Returns only the letters and digits, their positions, and where the parts between punctuation begin. */
function withoutSigns(text: string, offset: number) {
  const at: number[] = []
  const begins: number[] = []
  let plain = ''
  for (const { 0: part, index } of text.matchAll(PART)) {
    if (!HAS_LETTER.test(part)) continue
    begins.push(plain.length)
    for (let unit = 0; unit < part.length; unit++) at.push(offset + index + unit)
    plain += part
  }
  return { plain, at, begins }
}

function joined(ranges: TextRange[]): TextRange[] {
  const result: TextRange[] = []
  for (const next of ranges.sort((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && next.from <= last.to) last.to = Math.max(last.to, next.to)
    else result.push({ ...next })
  }
  return result
}
