import { detectAll, supportedLanguages, toISO2 } from 'tinyld'

/** Below that many letters a text may be a name, or a word that is the same everywhere. */
const LETTERS_MIN = 20
/** Names and terms may stand in another script. */
const OWN_SHARE = 1 / 4
/** Languages that are written in more than one script. */
const SEVERAL = 'az bs ha jw kk mn ms pa sd sr su tg tk tt uz'.split(' ')
/** Scripts of CLDR that are several, or have another name, in Unicode. */
const IN_UNICODE: Record<string, string[]> = {
  Hans: ['Hani'],
  Hant: ['Hani'],
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang', 'Hani'],
}

/** Whether a text can be in a language, as far as its letters and the statistics of its words tell. */
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
/** Below that many letters neighbours are often taken for each other: 1 % of sentences with more. */
const DETECTED_FROM = 30
/** So many times as likely is another language. */
const CLEARLY = 4

function isInAnother(language: string, text: string): boolean {
  if (!DETECTED.has(language) || (text.match(/\p{L}/gu)?.length ?? 0) < DETECTED_FROM) return false
  const found = detectAll(text)
  const own = found.find(({ lang }) => lang === language)?.accuracy ?? 0
  return (found[0]?.accuracy ?? 0) > CLEARLY * own
}
