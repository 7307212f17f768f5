import { clock } from '@voxscribe/contracts/wording'
import { i18n } from './i18n.ts'

/** `2:05`, `1:02:05`; files and what is copied have `clock`, which programs read. */
export const clockTime = (seconds: number): string =>
  clock(seconds).replace(/\d+/g, part => i18n.number(+part, { minimumIntegerDigits: part.length }))
