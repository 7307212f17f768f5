import { TAG_LENGTH, TAGS_MAX } from './limits.ts'
import { folded } from './search-words.ts'
import { normalized } from './text.ts'

/** Returns a tag as it is stored: without the leading #. */
export const tagIn = (typed: string): string =>
  normalized(typed, 'NFC')
    .trim()
    .replace(/^[#＃]+/, '')

/** Marks and joiners belong to the letter before them, and aren't counted. */
const MARKS = /\p{M}|\u200c|\u200d/gu

/** Whether a tag has 1 to 30 letters, digits, `-` and `_` of any script. */
export const isTag = (tag: string): boolean =>
  /^[\p{L}\p{N}_-](?:[\p{L}\p{M}\p{N}_-]|\u200c|\u200d){0,99}$/u.test(tag) &&
  [...tag.replace(MARKS, '')].length <= TAG_LENGTH

/** Returns the tags of a text that consists of tags alone, such as `#obra #casa`; [] for any other text. */
export function tagsAlone(text: string): string[] {
  const words = text.trim().split(/[\s,]+/u)
  const tags = words.map(tagIn)
  return words.every(word => /^[#＃]/.test(word)) && tags.every(isTag)
    ? distinctTags(tags).slice(0, TAGS_MAX)
    : []
}

/** Returns one form for all spellings of a tag, ignoring case and accents. */
export const tagKey = (tag: string): string => folded(tagIn(tag))

/** Drops tags that differ from an earlier one only in spelling. */
export function distinctTags(tags: string[]): string[] {
  const keys = tags.map(tagKey)
  return tags.filter((_, at) => keys.indexOf(keys[at]!) === at)
}
