import { withoutMarks } from './chat.ts'

/** A timestamp at the beginning of a line, which may begin a message. */
export interface Stamp {
  /** Format, which depends on the phone and its language: `[d/y, t:s x]`. The same for all messages of an export. */
  form: string
  /** Day and month in the order in which they are written; null if the year comes first. */
  pair: [number, number] | null
  /** Whether day and month (in the order written) and the hour have a leading zero; null for two digits without one. */
  padding: (boolean | null)[]
  /** Whether the date has slashes and a two-digit year, and the time has AM or PM in capitals. */
  isAmerican: boolean
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  /** UTF-16 units of the line, direction marks included. */
  length: number
}

/** Code points of the zeros of the scripts that phones use. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]
const OTHER_DIGITS = /[٠-٩۰-۹०-९০-৯๐-๙]/g
function digitOf(digit: string) {
  const code = digit.charCodeAt(0)
  return String(code - ZEROS.find(zero => code >= zero && code < zero + 10)!)
}

/** Longer than any stamp, direction marks included. */
const STAMP_MAX = 80
const FORENOON = 'a\\.?\\s?m\\.?|ص|पूर्वाह्न|上午|午前|오전'
const AFTERNOON = 'p\\.?\\s?m\\.?|م|अपराह्न|下午|午後|오후'
const HALF = `${FORENOON}|${AFTERNOON}`
const IS_AFTERNOON = new RegExp(`^(?:${AFTERNOON})$`, 'i')
const IS_FORENOON = new RegExp(`^(?:${FORENOON})$`, 'i')

const STAMP = new RegExp(
  [
    '^(?<open>\\[?)',
    '(?<a>\\d{1,4})(?<dash>[/.-]\\s?)(?<b>\\d{1,2})\\k<dash>(?<c>\\d{1,4})',
    `(?<between>\\.?[,،]?\\s(?:\\p{L}{1,6}\\s)?)(?<early>(?:${HALF})\\s?)?`,
    '(?<hour>\\d{1,2})(?<colon>[:.])(?<minute>\\d\\d)(?:\\k<colon>(?<second>\\d\\d))?',
    `(?<late>\\s?(?:${HALF}))?`,
    '(?<close>\\]\\s| - )',
  ].join(''),
  'iu',
)

/** Returns the stamp at the beginning of a line, or null. Its date may not exist. */
export function stampOf(line: string): Stamp | null {
  const head = line.slice(0, STAMP_MAX)
  if (!/^[\p{Bidi_Control}[]*\p{Nd}/u.test(head)) return null
  const plain = withoutMarks(head).replace(OTHER_DIGITS, digitOf)
  const found = STAMP.exec(plain)
  if (!found?.groups) return null
  const { open, a, dash, b, c, between, early, hour, colon, minute, second, late, close } = found.groups
  if ((open === '[') !== close!.startsWith(']')) return null
  const isYearFirst = a!.length === 4
  const year = isYearFirst ? a! : c!
  if (!isYearFirst && (a!.length > 2 || (year.length !== 2 && year.length !== 4))) return null
  if (isYearFirst && c!.length > 2) return null
  const half = (early ?? late ?? '').trim()
  const isAfternoon = IS_AFTERNOON.test(half)
  const isForenoon = IS_FORENOON.test(half)
  const [x, y] = isYearFirst ? [b!, c!] : [a!, b!]
  const written = /\p{Nd}/u.exec(head)![0]
  return {
    form: [
      open,
      dash,
      isYearFirst ? 'first' : year.length,
      between,
      colon,
      second === undefined ? '' : 's',
      // The same for AM and PM.
      half &&
        `${early ?? ''}${late ?? ''}`.replace(
          half,
          half
            .replace(/^[ap]/, 'x')
            .replace(/^[AP]/, 'X')
            .replace(/[صم]|^\P{ASCII}+$/u, '½'),
        ),
      written.charCodeAt(0) - Number(written.replace(OTHER_DIGITS, digitOf)),
    ].join('|'),
    pair: isYearFirst ? null : [Number(x), Number(y)],
    padding: [x, y, hour!].map(digits =>
      digits.length === 1 ? false : digits.startsWith('0') ? true : null,
    ),
    isAmerican: dash === '/' && year.length === 2 && /^[AP]M$/.test(half),
    year: calendarYear(Number(year), year.length),
    month: isYearFirst ? Number(x) : 0,
    day: isYearFirst ? Number(y) : 0,
    hour: half
      ? Number(hour) > 12
        ? 24
        : (Number(hour) % 12) + (isAfternoon && !isForenoon ? 12 : 0)
      : Number(hour),
    minute: Number(minute),
    second: Number(second ?? 0),
    length: lengthWithMarks(line, found[0].length),
  }
}

/** Converts Buddhist years, which are 543 ahead. Two digits from 52 on are Buddhist: no messenger existed in 1952. */
function calendarYear(year: number, digits: number): number {
  if (digits === 2) return year >= 52 ? 2500 + year - 543 : 2000 + year
  return year >= 2400 ? year - 543 : year
}

/** Returns the index in a line after this many characters, not counting direction marks. */
function lengthWithMarks(line: string, letters: number): number {
  let at = 0
  for (let left = letters; left > 0; at++) left -= withoutMarks(line[at]!).length
  return at
}

/** Returns a stamp's time as if it were UTC; null if the date or time doesn't exist. */
export function wallTime(stamp: Stamp, dayFirst: boolean): number | null {
  const { pair, year, hour, minute, second } = stamp
  const [day, month] = pair ? (dayFirst ? pair : [pair[1], pair[0]]) : [stamp.day, stamp.month]
  if (hour > 23 || minute > 59 || second > 59) return null
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null
}
