import type { OwnWords } from '@voxscribe/contracts/http'
import { joinedText } from '@voxscribe/contracts/paragraphs'
import { countWords, UNSPACED } from '@voxscribe/contracts/text'
import { meanConfidence, type Segment, type Speech, type Word } from '@voxscribe/speech'

type Replacements = OwnWords['replacements']
interface Writer {
  pattern: RegExp
  write(text: string): string
}

/** A letter or digit of a script that separates words by spaces. */
const SPACED = `[[\\p{L}\\p{M}\\p{N}]--${UNSPACED}]`
/** Not inside such a word. Used once around all words: a pair for each of a hundred takes seconds to compile. */
const BORDER = `(?!(?<=${SPACED})${SPACED})`

/** Replaces whole words (any match in scripts without spaces) in one pass, longest first: none is replaced twice. */
function writerFor(replacements: Replacements): Writer {
  const writes = new Map(replacements.map(({ heard, write }) => [heard, write]))
  const longestFirst = [...writes.keys()].sort((a, b) => b.length - a.length).map(RegExp.escape)
  const pattern = new RegExp(`${BORDER}(?:${longestFirst.join('|')})${BORDER}`, 'gv')
  return { pattern, write: text => text.replace(pattern, heard => writes.get(heard) ?? heard) }
}

/** Applies a person's replacements to a result; returns the result itself if there is nothing to replace. */
export function withReplacements<
  S extends Pick<Speech, 'text' | 'segments' | 'wordCount' | 'spokenLanguage'>,
>(speech: S, replacements: Replacements): S {
  if (!replacements.length) return speech
  const writer = writerFor(replacements)
  const segments = speech.segments.map(segment => {
    const text = writer.write(segment.text)
    return text === segment.text ? segment : { ...segment, text, ...inWords(segment, writer) }
  })
  if (segments.every((segment, index) => segment === speech.segments[index])) return speech
  const text = joinedText(segments, speech.spokenLanguage)
  return { ...speech, segments, text, wordCount: countWords(text) }
}

/** Returns the words with times. Words replaced together become one, with the times of all. */
function inWords({ words }: Segment, { pattern, write }: Writer): { words?: Word[] } {
  if (!words) return {}
  const line = words.map(({ text }) => text.trim()).join(' ')
  const found = [...line.matchAll(pattern)].map(({ index, 0: { length } }) => ({
    from: index,
    to: index + length,
  }))
  const runs: { from: number; to: number; words: Word[] }[] = []
  for (const word of words) {
    const last = runs.at(-1)
    const from = last ? last.to + 1 : 0
    const to = from + word.text.trim().length
    if (last && found.some(match => match.from < last.to && match.to > from)) {
      last.words.push(word)
      last.to = to
    } else runs.push({ from, to, words: [word] })
  }
  return {
    words: runs.map(({ from, to, words: run }) => ({
      from: run[0]?.from ?? 0,
      to: run.at(-1)?.to ?? 0,
      text: write(line.slice(from, to)),
      confidence: meanConfidence(run),
    })),
  }
}
