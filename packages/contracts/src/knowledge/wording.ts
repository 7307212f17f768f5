import type { I18n } from '@voxscribe/languages'

// Formats figures and texts for people, in the same way in every answer, mail and chat message.

/** Replaces characters that XML and text files can't hold: controls (not \n), lone surrogates, U+FFFE and U+FFFF. */
export const printableText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD')

/** Bidirectional controls. They also affect later text, so a name with one would turn the sentence around it. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g

/** Returns a printable text on one line; empty if it has only invisible characters, such as zero-width spaces. */
export function oneLine(text: string): string {
  const line = printableText(text).replace(TURNING, '').replace(/\s+/g, ' ').trim()
  return /[^\s\p{Default_Ignorable_Code_Point}]/u.test(line) ? line : ''
}

/** Caches a format per locale: creating one takes longer than formatting a hundred texts. */
export function perLocale<Format>(make: (locale: string) => Format): (locale: string) => Format {
  const made = new Map<string, Format>()
  return locale => {
    const format = made.get(locale) ?? make(locale)
    made.set(locale, format)
    return format
  }
}

/** Formats whole seconds as `Intl.DurationFormat` does, which browsers before 2025 lack; `place`: locale and style. */
const lengths = perLocale(place => {
  const [locale, style] = place.split(' ') as [string, 'long' | 'short' | 'narrow']
  const list = new Intl.ListFormat(locale, { type: 'unit', style })
  const [hour, minute, second] = (['hour', 'minute', 'second'] as const).map(
    unit => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: style }),
  )
  return (whole: number) => {
    const { hours, minutes, seconds } = partsOf(whole)
    return list.format([
      ...(hours ? [hour!.format(hours)] : []),
      ...(minutes ? [minute!.format(minutes)] : []),
      ...(seconds || !whole ? [second!.format(seconds)] : []),
    ])
  }
})
const dated = (format: Intl.DateTimeFormatOptions) =>
  perLocale(place => {
    const [locale, timeZone] = place.split(' ')
    return new Intl.DateTimeFormat(locale, { ...format, timeZone })
  })
const longDate = dated({ dateStyle: 'long' })
const longMoment = dated({ dateStyle: 'long', timeStyle: 'short' })
const shortMoment = dated({ dateStyle: 'medium', timeStyle: 'short' })
const thisYearsMoment = dated({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })

const partsOf = (whole: number) => ({
  hours: Math.floor(whole / 3600),
  minutes: Math.floor(whole / 60) % 60,
  seconds: whole % 60,
})

/** Formats seconds for people: `1h 2m 3s`. Any length above zero is at least a second. */
export function audioLength({ locale }: I18n, seconds: number): string {
  // The narrowest readable style: Hindi's narrow sign for seconds is its word for "from".
  const style = locale.startsWith('hi') ? 'short' : 'narrow'
  return lengths(`${locale} ${style}`)(Math.max(seconds > 0 ? 1 : 0, Math.round(seconds)))
}

const shortLists = perLocale(locale => new Intl.ListFormat(locale, { type: 'unit', style: 'short' }))

/** Joins entries into a list with the commas of the language. */
export const listIn = ({ locale }: I18n, entries: string[]): string => shortLists(locale).format(entries)

/** Formats seconds as `0:07`, `12:30` or `1:02:03`. */
export function clock(time: number): string {
  const { hours, minutes, seconds } = partsOf(Math.max(0, Math.floor(time)))
  const two = (value: number) => String(value).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
}

/** Formats whole seconds in words: `0 seconds`, `1 minute, 5 seconds`. */
export const timeInWords = ({ locale }: I18n, whole: number): string => lengths(`${locale} long`)(whole)

/** Formats seconds in words, at least one: `12 seconds`, `1 minute, 5 seconds`. */
export const lengthInWords = (i18n: I18n, time: number): string =>
  timeInWords(i18n, Math.max(1, Math.round(time)))

/** Returns a function from a speaker's id to a name, or a numbered one in the reader's language; '' for no speaker. */
export const speakerNames =
  (i18n: I18n, speakers: readonly { id: string; name: string | null }[] = []) =>
  (id: string | undefined): string =>
    id === undefined
      ? ''
      : (speakers.find(speaker => speaker.id === id)?.name ??
        i18n.t('Speaker {number}', { number: new Intl.NumberFormat(i18n.locale).format(Number(id)) }))

/** Converts seconds to minutes, to one decimal and at least 0. */
export const minutesOf = (seconds: number): number => Math.max(0, Math.round(seconds / 6) / 10)

/** Formats a value with the sign of its unit (ECMA-402): `16 MB`, `30 sec`. */
export const quantity = ({ locale }: I18n, value: number, unit: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value)

/** Formats a share: `80%` from 0.8. */
export const percentOf = ({ locale }: I18n, share: number): string =>
  new Intl.NumberFormat(locale, { style: 'percent' }).format(share)

/** Formats an estimated time: `about half a minute`, `about 3 minutes`, `about 2 hours`, `about 6 days`. */
export function roughly(i18n: I18n, seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (seconds < 45) return i18n.t('about half a minute')
  if (minutes < 2) return i18n.t('about a minute')
  const hours = Math.round(minutes / 60)
  if (hours < 2) return i18n.t('{minutes, plural, one {about # minute} other {about # minutes}}', { minutes })
  const days = Math.round(hours / 24)
  return days < 2
    ? i18n.t('{hours, plural, one {about # hour} other {about # hours}}', { hours })
    : i18n.t('{days, plural, one {about # day} other {about # days}}', { days })
}

/** A date without a time (`2026-11-20`) is the same in every time zone. */
const placeOf = ({ locale, timeZone = 'UTC' }: I18n, iso: string) =>
  `${locale} ${/^\d{4}-\d\d-\d\d$/.test(iso) ? 'UTC' : timeZone}`

/** Formats an ISO 8601 time as a date in the reader's time zone: `November 20, 2026`. */
export const dateOf = (i18n: I18n, iso: string): string => longDate(placeOf(i18n, iso)).format(new Date(iso))

/** Formats an ISO 8601 time with the time of day: `November 20, 2026 at 2:05 PM`. */
export const momentOf = (i18n: I18n, iso: string): string =>
  longMoment(placeOf(i18n, iso)).format(new Date(iso))

/** Formats a time in short, without the current year: `Nov 20, 2:05 PM`. */
export function shortMomentOf(i18n: I18n, iso: string): string {
  const thisYear = iso.slice(0, 4) === new Date().toISOString().slice(0, 4)
  return (thisYear ? thisYearsMoment : shortMoment)(placeOf(i18n, iso)).format(new Date(iso))
}
