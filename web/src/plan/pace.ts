import { i18n } from '../language/i18n.ts'

/** `A minute of speech takes about 5 seconds here.` */
export const paceInWords = (seconds: number) =>
  i18n.t(
    '{seconds, plural, one {A minute of speech takes about # second here.} other {A minute of speech takes about # seconds here.}}',
    { seconds: Math.max(1, Math.round(seconds)) },
  )
