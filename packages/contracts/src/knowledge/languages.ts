import { type I18n, uiLanguageOf } from '@voxscribe/languages'
import { perLocale } from './wording.ts'

/** Whisper's languages. The first 57 are the ones that it officially supports well, ordered by label. */
const OFFICIAL =
  'af Afrikaans, ar Arabic, hy Armenian, az Azerbaijani, be Belarusian, bs Bosnian, bg Bulgarian, ca Catalan, ' +
  'zh Chinese, hr Croatian, cs Czech, da Danish, nl Dutch, en English, et Estonian, fi Finnish, fr French, ' +
  'gl Galician, de German, el Greek, he Hebrew, hi Hindi, hu Hungarian, is Icelandic, id Indonesian, it Italian, ' +
  'ja Japanese, kn Kannada, kk Kazakh, ko Korean, lv Latvian, lt Lithuanian, mk Macedonian, ms Malay, mr Marathi, ' +
  'mi Maori, ne Nepali, no Norwegian, fa Persian, pl Polish, pt Portuguese, ro Romanian, ru Russian, sr Serbian, ' +
  'sk Slovak, sl Slovenian, es Spanish, sw Swahili, sv Swedish, tl Tagalog, ta Tamil, th Thai, tr Turkish, ' +
  'uk Ukrainian, ur Urdu, vi Vietnamese, cy Welsh'
const OTHERS =
  'am Amharic, as Assamese, ba Bashkir, eu Basque, bn Bengali, br Breton, yue Cantonese, fo Faroese, ka Georgian, ' +
  'gu Gujarati, ht Haitian Creole, ha Hausa, haw Hawaiian, jw Javanese, km Khmer, lo Lao, la Latin, ln Lingala, ' +
  'lb Luxembourgish, mg Malagasy, ml Malayalam, mt Maltese, mn Mongolian, my Myanmar, nn Nynorsk, oc Occitan, ' +
  'ps Pashto, pa Punjabi, sa Sanskrit, sn Shona, sd Sindhi, si Sinhala, so Somali, sq Albanian, su Sundanese, ' +
  'tg Tajik, tt Tatar, te Telugu, bo Tibetan, tk Turkmen, uz Uzbek, yi Yiddish, yo Yoruba'

export interface Language {
  /** ISO 639-1 code if there is one, in Whisper's spelling; `auto`: the engine detects the language. */
  id: string
  label: string
}

/** Ids that OpenAI accepts as a hint; it answers 400 to any other. */
export const officialLanguages: readonly string[] = OFFICIAL.split(', ').map(entry => entry.slice(0, 2))

const named = `${OFFICIAL}, ${OTHERS}`.split(', ').map(entry => {
  const [id = '', ...label] = entry.split(' ')
  return { id, label: label.join(' ') }
})

/** Auto-detect first, then by label. */
export const languages: Language[] = [
  { id: 'auto', label: 'Auto-detect' },
  ...named.sort((a, b) => a.label.localeCompare(b.label, 'en')),
]

const byId = new Map(languages.map(language => [language.id, language]))
const byName = new Map(languages.map(language => [language.label.toLowerCase(), language]))

export const isLanguage = (id: string): boolean => byId.has(id)

/** Returns the label of an id; the id itself when it is unknown. */
export const languageLabel = (id: string): string => byId.get(id)?.label ?? id

/** Returns the language with this id, English name (as in Whisper's `verbose_json`) or tag (`en-US`). */
export const languageIdOf = (name: string): string | undefined =>
  byId.get(name)?.id ?? byName.get(name.toLowerCase())?.id ?? languageOfTag(name)

/** Unicode's codes of languages that have a different id here. */
const OURS: Record<string, string> = { nb: 'no', fil: 'tl', jv: 'jw' }

/** Returns the language of a BCP 47 tag, which may use `_` as a separator. */
function languageOfTag(tag: string): string | undefined {
  if (!/^[a-z]{2,3}([-_][a-z\d]{1,8})*$/i.test(tag)) return undefined
  try {
    const { language } = new Intl.Locale(tag.replaceAll('_', '-'))
    return byId.get(OURS[language] ?? language)?.id
  } catch {
    return undefined
  }
}

/** Returns the language that most people of a country (ISO 3166-1 alpha-2) speak, by Unicode's likely subtags. */
export function languageOfCountry(country: string | null | undefined): string | undefined {
  if (!country) return undefined
  const { language } = new Intl.Locale(`und-${country}`).maximize()
  const id = OURS[language] ?? language
  return isLanguage(id) ? id : undefined
}

/** Returns the ISO 639 code of a language id; Whisper's for Javanese differs. */
export const isoCodeOf = (id: string): string => (id === 'jw' ? 'jv' : id)

const displayNames = perLocale(
  locale => new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' }),
)

/** Returns a language's name in the reader's language, or else its English label; the id itself if it is unknown. */
export function languageName(i18n: I18n, id: string): string {
  if (id === 'auto') return i18n.t('Auto-detect')
  if (!isLanguage(id) || uiLanguageOf(i18n.locale) === 'en') return languageLabel(id)
  return displayNames(i18n.locale).of(isoCodeOf(id)) ?? languageLabel(id)
}
