import type { I18n } from '@voxscribe/languages'
import { shortMomentOf } from './wording.ts'

/** File name that ingestion generates for an unnamed file, in English and UTC: `Voice note 2026-11-20 14.05.ogg`. */
const MADE = /^(Voice note|Audio|Video) (\d{4}-\d\d-\d\d) (\d\d)\.(\d\d)(?:\.\w{2,4})?$/

const NAMES = {
  'Voice note': /*i18n*/ 'Voice note of {time}',
  Audio: /*i18n*/ 'Audio of {time}',
  Video: /*i18n*/ 'Video of {time}',
} as const

/** Returns a note's title for people. A generated file name is put into the reader's language and time zone. */
export function localTitle(i18n: I18n, title: string, isSilent = false): string {
  const [, kind, day, hours, minutes] = MADE.exec(title) ?? []
  if (!kind) return title
  const time = shortMomentOf(i18n, `${day}T${hours}:${minutes}:00Z`)
  const shown = i18n.t(NAMES[kind as keyof typeof NAMES], { time })
  return isSilent ? i18n.t('{title} · no speech', { title: shown }) : shown
}
