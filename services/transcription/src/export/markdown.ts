import { paragraphsOf } from '@voxscribe/contracts/paragraphs'
import { clock } from '@voxscribe/contracts/wording'
import { languageOf } from '../note/listing.ts'
import { type NoteRecord, segmentsOf } from '../note/record.ts'
import type { ResolvedOptions } from './options.ts'

/** Words for yes, no and nothing in YAML 1.1 and 1.2. */
const OTHER_TYPE = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|~)$/i
/** A letter, then only letters, digits and signs that mean nothing to YAML. */
const PLAIN = /^\p{L}[\p{L}\p{M}\p{N} ._/()’-]*$/u

/** Writes a text as a YAML value, quoted as in JSON if YAML could read it as anything else. */
const scalar = (text: string): string =>
  PLAIN.test(text) && !OTHER_TYPE.test(text) && text === text.trim() ? text : JSON.stringify(text)

/** Escapes what Markdown would interpret. In Obsidian, %% begins a comment and == a highlight. */
export const literal = (text: string): string =>
  text
    .replace(/[\\`*_[\]<>~#|$]|%(?=%)|(?<=%)%|=(?==)|(?<==)=/g, '\\$&')
    .replace(/&(?=\w+;|\\#\w+;)/g, '\\&')
    .replace(
      /^([ \t]*)([-+=]+|\d+[.)])(?=\s|$)/gm,
      (_, space, sign) => `${space}${sign.replace(/.$/, '\\$&')}`,
    )

/** Keeps line breaks, by two spaces at the end of a line. */
const inLines = (text: string): string => literal(text).replace(/(?<!\n)\n(?!\n)/g, '  \n')

/** Writes a note as Markdown, with its facts as YAML front matter; times link to its page. */
export function markdownOf(
  note: NoteRecord,
  { heading, withTimes, nameOf, remark, texts, publicUrl }: ResolvedOptions,
): string {
  const { durationSeconds, createdAt, source, timeZone = 'UTC', tags = [] } = note
  const facts = {
    title: scalar(heading),
    // Swedish writes dates as ISO 8601.
    date: createdAt.toLocaleDateString('sv', { timeZone }),
    language: scalar(languageOf(note)),
    duration: scalar(clock(durationSeconds ?? 0)),
    source: scalar(source.channel),
    tags: tags.length ? tags.map(tag => `\n  - ${scalar(tag)}`).join('') : '[]',
  }
  const front = Object.entries(facts).map(
    ([name, value]) => `${name}:${value.startsWith('\n') ? '' : ' '}${value}`,
  )
  const paragraphs = paragraphsOf(segmentsOf(note), note.spokenLanguage).map(({ from, text, speaker }) => {
    const page = `${publicUrl}/transcriptions/${note._id}`
    const time = withTimes ? `[${clock(from)}](${page}?t=${Math.floor(from)}) ` : ''
    const name = speaker ? `**${literal(nameOf(speaker))}:** ` : ''
    return `${time}${name}${literal(text)}`
  })
  const below = texts.flatMap(({ name, text }) => [`## ${literal(name)}`, inLines(text)])
  const body = [...(withTimes && remark ? [`*${remark}*`] : []), ...paragraphs, ...below]
  return `---\n${front.join('\n')}\n---\n${body.map(text => `\n${text}\n`).join('')}`
}
