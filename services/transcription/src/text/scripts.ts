import { detectAll, supportedLanguages, toISO2 } from 'tinyld'

/** A text with fewer letters may be a name, or a word that is the same in many languages. */
const LETTERS_MIN = 20
/** At least this share of the letters must be of the language's script; names and terms may be in another. */
const OWN_SHARE = 1 / 4
/** Languages that are written in more than one script. */
const SEVERAL = 'az bs ha jw kk mn ms pa sd sr su tg tk tt uz'.split(' ')
/** CLDR's scripts that are several in Unicode, or have another name there. */
const IN_UNICODE: Record<string, string[]> = {
  Hans: ['Hani'],
  Hant: ['Hani'],
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang', 'Hani'],
}

/** Whether a text may be in a language, judged by its letters and the statistics of its words. */
export const mayBeIn = (language: string, text: string): boolean =>
  mayBeWrittenIn(language, text) && !isInAnother(language, text)

function mayBeWrittenIn(language: string, text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const { script } = new Intl.Locale(language).maximize()
  if (!script || letters < LETTERS_MIN || SEVERAL.includes(language)) return true
  const own = (IN_UNICODE[script] ?? [script]).map(name => `\\p{Script=${name}}`).join('')
  const isOwn = new RegExp(`(?=\\p{L})[${own}]`, 'gu')
  return (text.match(isOwn)?.length ?? 0) >= letters * OWN_SHARE
}

const DETECTED = new Set(supportedLanguages.map(toISO2))
/** With fewer letters, similar languages are often confused; with more, in 1 % of sentences. */
const DETECTED_FROM = 30
/** Another language has to be this many times as likely. */
const CLEARLY = 4

function isInAnother(language: string, text: string): boolean {
  if (!DETECTED.has(language) || (text.match(/\p{L}/gu)?.length ?? 0) < DETECTED_FROM) return false
  const found = detectAll(text)
  const own = found.find(({ lang }) => lang === language)?.accuracy ?? 0
  return (found[0]?.accuracy ?? 0) > CLEARLY * own
}
