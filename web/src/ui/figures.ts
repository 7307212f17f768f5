import { i18n } from '../language/i18n.ts'

/** Formats numbers, money and times in the language of the app. */

function dated(time: string | number, format: Intl.DateTimeFormatOptions): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? '–' : i18n.date(date, format)
}

/** `27.5`, `1,000`. */
export const figure = (value: number): string => i18n.number(value, { maximumFractionDigits: 1 })

/** `93%` from 0.934; null for null. */
export const percent = (share: number | null): string | null =>
  share === null ? null : i18n.number(share, { style: 'percent' })

/** `$4.99` from 4.99 and `usd`. */
export const money = (amount: number, currency: string, format?: Intl.NumberFormatOptions): string =>
  i18n
    .number(amount, { style: 'currency', currency, ...format })
    // In right-to-left text the sign would move to the other side of its letters.
    .replace('US$', 'US$\u200e')

/** `Nov 20, 2026`, in the reader's time zone. */
export const day = (time: string | number): string => dated(time, { dateStyle: 'medium' })

/** `Nov 20, 2026, 2:05 PM`, in the reader's time zone. */
export const moment = (iso: string): string => dated(iso, { dateStyle: 'medium', timeStyle: 'short' })

/** `2:05 PM`, in the reader's time zone. */
export const hour = (iso: string): string => dated(iso, { hour: 'numeric', minute: '2-digit' })

/** `Today`, `Yesterday`, `Friday, November 20`, with the year if it's another one; in the reader's time zone. */
export function dayName(iso: string): string {
  const [date, now] = [new Date(iso), new Date()]
  const daysAgo = Math.round((midnight(now) - midnight(date)) / 86_400_000)
  if (daysAgo === 0 || daysAgo === 1) {
    const named = new Intl.RelativeTimeFormat(i18n.locale, { numeric: 'auto' }).format(-daysAgo, 'day')
    return named.charAt(0).toLocaleUpperCase(i18n.locale) + named.slice(1)
  }
  const isThisYear = date.getFullYear() === now.getFullYear()
  const written = {
    month: 'long',
    day: 'numeric',
    ...(isThisYear ? { weekday: 'long' } : { year: 'numeric' }),
  }
  return dated(iso, written as Intl.DateTimeFormatOptions)
}
const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())

/** `Nov 20, 2:05 PM` in the current year, else with the year. */
export const shortMoment = (iso: string): string =>
  iso.slice(0, 4) === new Date().toISOString().slice(0, 4)
    ? dated(iso, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
    : moment(iso)

const sized = (amount: number, unit: string, digits: number) =>
  i18n.number(amount, {
    style: 'unit',
    unit,
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })

/** Formats bytes in MB of 1024 × 1024, like the file size limit. */
export const megabytes = (bytes: number): string => sized(bytes / 1024 / 1024, 'megabyte', 2)

/** Formats the bytes of a file: `840 kB`, `1.20 MB`. */
export const fileSize = (bytes: number): string =>
  bytes < 1024 * 1024 ? sized(Math.ceil(bytes / 1024), 'kilobyte', 0) : megabytes(bytes)
