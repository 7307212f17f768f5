import { localTitle } from '@voxscribe/contracts/local-title'
import { inTimeZone } from '@voxscribe/languages'
import { i18n } from './i18n.ts'

/** A note's title in the words and the time of the reader. */
export const titleForReader = (title: string, notices?: readonly { code: string }[]): string =>
  localTitle(
    inTimeZone(i18n, new Intl.DateTimeFormat().resolvedOptions().timeZone),
    title,
    notices?.some(({ code }) => code === 'no_speech'),
  )
