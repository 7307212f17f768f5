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

/** Whether a text can be in a language, as far as its letters tell. */
export function mayBeIn(language: string, text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const { script } = new Intl.Locale(language).maximize()
  if (!script || letters < LETTERS_MIN || SEVERAL.includes(language)) return true
  const own = (IN_UNICODE[script] ?? [script]).map(name => `\\p{Script=${name}}`).join('')
  const isOwn = new RegExp(`(?=\\p{L})[${own}]`, 'gu')
  return (text.match(isOwn)?.length ?? 0) >= letters * OWN_SHARE
}
