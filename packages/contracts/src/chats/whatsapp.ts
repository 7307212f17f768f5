import {
  type ChatExport,
  ChatUnreadable,
  createFileNames,
  createPeople,
  isRecording,
  MESSAGE_MAX,
  MESSAGES_MAX,
  type ReadChat,
  type ReadMessage,
  withoutMarks,
} from './chat.ts'
import { createClock } from './clock.ts'
import { isAttached, isDeleted, isEdited, isKindOmitted, isMediaOmitted } from './phrases.ts'
import { type Stamp, stampOf, wallTime } from './stamps.ts'

type Content = Omit<ReadMessage, 'at' | 'person'>

/** U+200E (U+200F in Arabic): an iPhone puts it before everything that WhatsApp itself writes. */
const MARK = /^[\u200e\u200f]/
const CLOSING: Record<string, string> = { '"': '"', '“': '”', '„': '“”', '«': '»' }
/** Characters of a line in which a stamp is looked for. */
const HEAD = 100

interface Line {
  stamp: Stamp
  /** From 1. */
  number: number
  /** Offset of the line in the text. */
  from: number
}

interface Entry {
  wall: number
  /** The line without its stamp, and the lines below it. */
  content: string
  isMarked: boolean
}

/** Reads WhatsApp's "Export chat", from Android or an iPhone. Throws ChatUnreadable. */
export function readWhatsapp({ text, files, dayFirst, timeZone }: ChatExport): ReadChat {
  const lines = stampedLines(text)
  const order = orderOf(lines, dayFirst)
  const entries = entriesOf(text, lines, order.dayFirst ?? true)
  const isIos = lines[0]!.stamp.form.startsWith('[')
  const nameOf = createNames(entries)
  const instant = createClock(timeZone)
  const fileOf = createFileNames(files)
  const { people, of } = createPeople()
  const contentOf = isIos ? iosContent : androidContent
  const messages = entries.map(({ wall, content, isMarked }): ReadMessage => {
    const at = instant(wall)
    const name = (isIos && isMarked && nameBeforeMark(content)) || nameOf(content)
    const rest = name ? content.slice(name.length + 2) : content
    const known = name ? contentOf(rest, fileOf) : null
    if (!name || !known) return { at, person: null, ...noticeOf(rest) }
    const key = withoutMarks(name).replace(/\s+/g, ' ').trim()
    return { at, person: of(key, key.replace(/^~ ?(?=.)/, '')), ...known }
  })
  return { people, messages, ...order }
}

/** Returns the lines whose stamp has the same form as the first line's. */
function stampedLines(text: string): Line[] {
  const lines: Line[] = []
  let number = 0
  for (let from = 0; from < text.length; ) {
    number += 1
    const end = text.indexOf('\n', from)
    const next = end < 0 ? text.length : end + 1
    const stamp = stampOf(text.slice(from, Math.min(next, from + HEAD)))
    if (stamp && (!lines.length || stamp.form === lines[0]!.stamp.form)) lines.push({ stamp, number, from })
    else if (!lines.length && text.slice(from, next).trim()) throw new ChatUnreadable('chat_unknown', number)
    from = next
  }
  if (!lines.length) throw new ChatUnreadable('chat_empty')
  return withUsualPadding(lines)
}

/** Drops lines that pad day, month or hour with zeros differently from most lines. */
function withUsualPadding(lines: Line[]): Line[] {
  const isPadded = [0, 1, 2].map(part => {
    const written = lines.flatMap(({ stamp: { padding } }) => padding[part] ?? [])
    const padded = written.filter(Boolean).length
    return padded * 2 === written.length ? written[0] : padded * 2 > written.length
  })
  return lines.filter(({ stamp: { padding } }) =>
    padding.every((zero, part) => zero === null || zero === isPadded[part]),
  )
}

/** Decides by the dates whether the day comes first. If they allow both, uses `told`, or else the likelier order. */
function orderOf(lines: Line[], told: boolean | undefined): Pick<ReadChat, 'dayFirst' | 'ambiguous'> {
  const pairs = lines.flatMap(({ stamp: { pair } }) => (pair ? [pair] : []))
  if (!pairs.length) return { dayFirst: null, ambiguous: false }
  const days = pairs.filter(([a, b]) => a > 12 && a <= 31 && b <= 12).length
  const months = pairs.filter(([a, b]) => b > 12 && b <= 31 && a <= 12).length
  if (days || months) return { dayFirst: days >= months, ambiguous: false }
  return { dayFirst: told ?? isLikelierDayFirst(lines), ambiguous: true }
}

/** Messages are in order: the reading with fewer steps back is likelier. In a tie, short dates with PM are American. */
function isLikelierDayFirst(lines: Line[]): boolean {
  const turns = (dayFirst: boolean) => {
    const walls = lines.map(({ stamp }) => wallTime(stamp, dayFirst) ?? 0)
    return walls.filter((wall, index) => wall < (walls[index - 1] ?? 0)).length
  }
  const [byDay, byMonth] = [turns(true), turns(false)]
  return byDay === byMonth ? !lines[0]!.stamp.isAmerican : byDay < byMonth
}

function entriesOf(text: string, lines: Line[], dayFirst: boolean): Entry[] {
  const dated = lines.flatMap(line => {
    const wall = wallTime(line.stamp, dayFirst)
    return wall === null ? [] : [{ ...line, wall }]
  })
  if (dated[0]?.from !== lines[0]!.from) throw new ChatUnreadable('chat_unknown', lines[0]!.number)
  if (dated.length > MESSAGES_MAX) throw new ChatUnreadable('messages_many', dated[MESSAGES_MAX]!.number)
  return dated.map(({ stamp, wall, from, number }, index) => {
    const end = dated[index + 1]?.from ?? text.length
    if (end - from > MESSAGE_MAX) throw new ChatUnreadable('message_long', number)
    const content = text
      .slice(from + stamp.length, end)
      .replaceAll('\r', '')
      .replace(/(?<!\n)\n+$/, '')
    return { wall, content, isMarked: MARK.test(text[from]!) }
  })
}

/**
 * Returns a function that finds the name before a line's text. A name extends beyond its first colon if the person has
 * three or more lines and all of them continue with the same word and another colon.
 */
function createNames(entries: Entry[]): (content: string) => string | undefined {
  const known = new Map<string, { lines: number; word: string | null }>()
  for (const { content } of entries) {
    const name = nameIn(content)
    if (!name) continue
    const word = /^([^\s:]+): /.exec(content.slice(name.length + 2))?.[1] ?? null
    const before = known.get(name) ?? { lines: 0, word }
    known.set(name, { lines: before.lines + 1, word: before.word === word ? word : null })
  }
  return content => {
    const name = nameIn(content)
    const { lines, word } = known.get(name ?? '') ?? { lines: 0, word: null }
    return word && lines >= 3 ? `${name}: ${word}` : name
  }
}

/** The name before a line's first colon; undefined if that colon is inside a quotation, such as a group's name. */
function nameIn(content: string): string | undefined {
  const name = /^[^\n]{1,200}?(?=: )/.exec(content)?.[0]
  return name === undefined || isInQuotation(name, content) ? undefined : name
}

/** Whether `beginning` ends inside a quotation that the rest of the line closes. */
function isInQuotation(beginning: string, content: string): boolean {
  let open = ''
  for (const letter of beginning.match(/["“”„«»]/g) ?? []) {
    if (open) open = CLOSING[open]!.includes(letter) ? '' : open
    else if (CLOSING[letter]) open = letter
  }
  return [...(CLOSING[open] ?? '')].some(closing => content.includes(closing, beginning.length))
}

/** The name in an iPhone's line if only WhatsApp's own words follow it. */
function nameBeforeMark(content: string): string | undefined {
  const [, name, own] = /^([^\n]+?): [\u200e\u200f]([^<\n][^\n]*)/.exec(content) ?? []
  return name && own && !isKindOmitted(own) ? name : undefined
}

const noticeOf = (text: string): Content => ({
  kind: 'system',
  text: withoutMarks(text).trim(),
  edited: false,
  file: null,
})

type FileOf = ReturnType<typeof createFileNames>

/** Returns the content that a person sent from an iPhone; null for a notice. */
function iosContent(written: string, fileOf: FileOf): Content | null {
  const { text, edited } = withoutEdited(written, /\s*[\u200e\u200f]<([^<>\n]+)>$/)
  const [tail, name] = /[\u200e\u200f]<[^<>:\n]{1,40}:\s?([^\n]+)>$/.exec(text) ?? []
  if (tail && name) return withFile(text.slice(0, -tail.length), withoutMarks(name), edited, fileOf)
  const [omitted, kind] = /[\u200e\u200f]([^\u200e\u200f\n]{1,80})$/.exec(text) ?? []
  if (omitted && isKindOmitted(kind!)) return leftOut(text.slice(0, -omitted.length), edited)
  if (MARK.test(text)) {
    const own = withoutMarks(text)
    if (isDeleted(own)) return { kind: 'deleted', text: '', edited: false, file: null }
    // WhatsApp marks a shared location as its own text, but a person sent it.
    if (!/^[^\n:]{1,30}: https:\/\/\S+$/.test(own)) return null
  }
  return { kind: 'text', text: text.replace(MARK, ''), edited, file: null }
}

/** Returns the content that a person sent from Android, where notices have no name before them. */
function androidContent(written: string, fileOf: FileOf): Content {
  const { text, edited } = withoutEdited(written.replace(MARK, ''), /(?<!\s)\s*<([^<>\n]+)>$/)
  const [line, ...below] = text.split('\n')
  const caption = below.join('\n')
  const [, name, word] = /^(.+?) \(([^()]+)\)$/.exec(line!) ?? []
  if (
    name &&
    (isAttached(word!) ? /\.\w{1,8}$/.test(name) || fileOf(name) : isByWhatsapp(name) && fileOf(name))
  )
    return withFile(caption, withoutMarks(name), edited, fileOf)
  if (/^<[^<>]+>$/.test(line!) && isMediaOmitted(line!.slice(1, -1))) return leftOut(caption, edited)
  if (isDeleted(text)) return { kind: 'deleted', text: '', edited: false, file: null }
  return { kind: 'text', text, edited, file: null }
}

/** Matches WhatsApp's names for files on Android: `isAttached` may lack the language of the word after them. */
const isByWhatsapp = (name: string) => /^[A-Z]{3}-\d{8}-WA\d+\.\w+$/.test(name)

function withoutEdited(text: string, ending: RegExp): { text: string; edited: boolean } {
  const [tail, words] = ending.exec(text.slice(-200)) ?? []
  return tail && isEdited(words!)
    ? { text: text.slice(0, -tail.length), edited: true }
    : { text, edited: false }
}

function withFile(caption: string, written: string, edited: boolean, fileOf: FileOf): Content {
  const name = fileOf(written) ?? written
  const text = caption.trim()
  return {
    kind: isRecording(name) ? 'note' : 'file',
    text: isOwnName(text, written) ? '' : text,
    edited,
    file: { name, omitted: false },
  }
}

/** Whether a caption is the "Plan.pdf • 2 pages" or "Plan.docx" that an iPhone itself writes before a document. */
function isOwnName(caption: string, file: string): boolean {
  const name = withoutMarks(caption).replace(/ • \p{Nd}+ [^\n]{1,20}$/u, '')
  return name.includes('.') && file.normalize('NFC').endsWith(`-${name.normalize('NFC')}`)
}

const leftOut = (caption: string, edited: boolean): Content => ({
  kind: 'file',
  text: caption.trim(),
  edited,
  file: { name: null, omitted: true },
})
