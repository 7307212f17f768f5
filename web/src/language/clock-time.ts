import { clock } from '@voxscribe/contracts/wording'
import { i18n } from './i18n.ts'

/** `2:05`, `1:02:05` in the reader's digits. Files and copied text use `clock`, which programs can read. */
export const clockTime = (seconds: number): string =>
  clock(seconds).replace(/\d+/g, part => i18n.number(+part, { minimumIntegerDigits: part.length }))
