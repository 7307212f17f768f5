import { i18n } from '../language/i18n.ts'

/** Formats numbers, money and times in the language of the app. */

/** A format for each language, made when it is first used. */
function perLanguage<Format>(make: (locale: string) => Format): () => Format {
  const made = new Map<string, Format>()
  return () => {
    const format = made.get(i18n.locale) ?? make(i18n.locale)
    made.set(i18n.locale, format)
    return format
  }
}

const decimal = perLanguage(locale => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }))
const dayFormat = perLanguage(locale => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
const shortFormat = perLanguage(
  locale =>
    new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }),
)
const momentFormat = perLanguage(
  locale => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
)

function dated(format: () => Intl.DateTimeFormat, time: string | number) {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? '–' : format().format(date)
}

/** `27.5`, `1,000`. */
export const figure = (value: number): string => decimal().format(value)

/** `93%` from 0.934; null when there is no number. */
export const percent = (share: number | null): string | null =>
  share === null ? null : new Intl.NumberFormat(i18n.locale, { style: 'percent' }).format(share)

/** `$4.99` from 4.99 and `usd`. */
export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat(i18n.locale, { style: 'currency', currency }).format(amount)

/** `Nov 20, 2026`, where the reader is. */
export const day = (time: string | number): string => dated(dayFormat, time)

/** `Nov 20, 2026, 2:05 PM`, where the reader is. */
export const moment = (iso: string): string => dated(momentFormat, iso)

/** `Nov 20, 2:05 PM` in the running year, else with the year. */
export const shortMoment = (iso: string): string =>
  iso.slice(0, 4) === new Date().toISOString().slice(0, 4) ? dated(shortFormat, iso) : moment(iso)

const sized = (amount: number, unit: string, digits: number) =>
  new Intl.NumberFormat(i18n.locale, {
    style: 'unit',
    unit,
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount)

/** Bytes in MB of 1024 × 1024, as the file size limit counts them. */
export const megabytes = (bytes: number): string => sized(bytes / 1024 / 1024, 'megabyte', 2)

/** Bytes of one file: `840 kB`, `1.20 MB`. */
export const fileSize = (bytes: number): string =>
  bytes < 1024 * 1024 ? sized(Math.ceil(bytes / 1024), 'kilobyte', 0) : megabytes(bytes)

/** Whole hours, minutes and seconds of a time in seconds. */
function partsOf(time: number) {
  const whole = Math.max(0, Math.floor(time))
  return { hours: Math.floor(whole / 3600), minutes: Math.floor(whole / 60) % 60, seconds: whole % 60 }
}

/** `7 seconds`, `12 minutes, 30 seconds`, for screen readers. */
export const spokenTime = (seconds: number): string =>
  new Intl.DurationFormat(i18n.locale, {
    style: 'long',
    secondsDisplay: seconds < 1 ? 'always' : 'auto',
  }).format(partsOf(seconds))
