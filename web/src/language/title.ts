import { localTitle } from '@voxscribe/contracts/local-title'
import { whereReaderIs } from './i18n.ts'

/** A note's title in the reader's language and time zone. */
export const titleForReader = (title: string, notices?: readonly { code: string }[]): string =>
  localTitle(
    whereReaderIs(),
    title,
    notices?.some(({ code }) => code === 'no_speech'),
  )
