import { readFileSync } from 'node:fs'
import { type Catalogue, createI18n, type I18n, localeOf, type UiLanguage } from './i18n.ts'

const catalogues = new Map<UiLanguage, Catalogue>([['en', {}]])
const known = new Map<string, I18n>()

/** Returns the texts in a language, with the country's format of numbers and dates. Reads each catalogue once. */
export function i18nFor(language: UiLanguage, country?: string): I18n {
  const locale = localeOf(language, country)
  const i18n = known.get(locale) ?? createI18n(locale, catalogueOf(language))
  known.set(locale, i18n)
  return i18n
}

function catalogueOf(language: UiLanguage): Catalogue {
  const path = new URL(`../catalogues/${language}.json`, import.meta.url)
  const catalogue = catalogues.get(language) ?? JSON.parse(readFileSync(path, 'utf8'))
  catalogues.set(language, catalogue)
  return catalogue
}
