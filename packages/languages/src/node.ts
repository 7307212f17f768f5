import { readFileSync } from 'node:fs'
import { createI18n, type I18n, type UiLanguage } from './i18n.ts'

const known = new Map<UiLanguage, I18n>()

/** Returns the texts in that language; reads its catalogue once. */
export function i18nFor(language: UiLanguage): I18n {
  const catalogue = () => readFileSync(new URL(`../catalogues/${language}.json`, import.meta.url), 'utf8')
  const i18n = known.get(language) ?? createI18n(language, language === 'en' ? {} : JSON.parse(catalogue()))
  known.set(language, i18n)
  return i18n
}
