import { clock, timeInWords } from '@voxscribe/contracts/wording'
import { i18n } from './i18n.ts'

/** `2:05`, `1:02:05` in the reader's digits. Files and copied text use `clock`, which programs can read. */
export const clockTime = (seconds: number): string =>
  clock(seconds).replace(/\d+/g, part => i18n.number(+part, { minimumIntegerDigits: part.length }))

/** `7 seconds`, `12 minutes, 30 seconds`, for screen readers. */
export const spokenTime = (seconds: number): string => timeInWords(i18n, Math.max(0, Math.floor(seconds)))
