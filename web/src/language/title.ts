import { localTitle } from '@voxscribe/contracts/local-title'
import { type I18n, inTimeZone } from '@voxscribe/languages'
import { i18n } from './i18n.ts'

/** The texts of the app, with the days and times of where the reader is. */
export const whereReaderIs = (): I18n =>
  inTimeZone(i18n, new Intl.DateTimeFormat().resolvedOptions().timeZone)

/** A note's title in the words and the time of the reader. */
export const titleForReader = (title: string, notices?: readonly { code: string }[]): string =>
  localTitle(
    whereReaderIs(),
    title,
    notices?.some(({ code }) => code === 'no_speech'),
  )
