import { MESSENGERS } from '@voxscribe/contracts/channels'
import { i18n } from '../language/i18n.ts'

/** The page and the API. */
const OTHERS: Record<string, string> = { web: /*i18n*/ 'Upload', api: 'API' }
const MESSENGERS_BY_NAME: Record<string, { label: string }> = MESSENGERS

/** Returns the name of a channel by which notes come. */
export const sourceLabel = (source: string): string =>
  MESSENGERS_BY_NAME[source]?.label ?? i18n.t(OTHERS[source] ?? source)
