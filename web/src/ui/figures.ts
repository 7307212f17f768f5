/** Formats numbers, money and times in English, the language of the app. */

const decimal = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const shortFormat = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const momentFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

function dated(format: Intl.DateTimeFormat, iso: string) {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? '–' : format.format(date)
}

/** `27.5`, `1,000`. */
export const figure = (value: number): string => decimal.format(value)

/** `93%` from 0.934; null when there is no number. */
export const percent = (share: number | null): string | null =>
  share === null ? null : `${Math.round(share * 100)}%`

/** `$4.99` from 4.99 and `usd`. */
export function money(amount: number, currency: string): string {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)
  } catch {
    return `${amount.toFixed(2)} ${currency.toUpperCase()}`.trim()
  }
}

/** `Nov 20, 2026`, where the reader is. */
export const day = (iso: string): string => dated(dayFormat, iso)

/** `Nov 20, 2026, 2:05 PM`, where the reader is. */
export const moment = (iso: string): string => dated(momentFormat, iso)

/** `Nov 20, 2:05 PM` in the running year, else with the year. */
export const shortMoment = (iso: string): string =>
  iso.slice(0, 4) === new Date().toISOString().slice(0, 4) ? dated(shortFormat, iso) : moment(iso)

/** Bytes in MB of 1024 × 1024, as the file size limit counts them. */
export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(2)} MB`

/** Bytes of one file: `840 kB`, `1.20 MB`. */
export const fileSize = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : megabytes(bytes)

const two = (value: number) => String(value).padStart(2, '0')

/** `0:07`, `12:30`, `1:02:03` from seconds. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** `7 seconds`, `12 minutes 30 seconds`, for screen readers. */
export function spokenTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ] as const
  const said = parts
    .filter(([amount]) => amount)
    .map(([amount, unit]) => `${amount} ${unit}${amount === 1 ? '' : 's'}`)
  return said.join(' ') || '0 seconds'
}
