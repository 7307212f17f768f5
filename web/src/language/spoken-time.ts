import { timeInWords } from '@voxscribe/contracts/wording'
import { i18n } from './i18n.ts'

/** `7 seconds`, `12 minutes, 30 seconds`, for screen readers. */
export const spokenTime = (seconds: number): string => timeInWords(i18n, Math.max(0, Math.floor(seconds)))
