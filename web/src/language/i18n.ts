import {
  activate,
  type Catalogue,
  createI18n,
  directionOf,
  type I18n,
  inTimeZone,
  localeOf,
  type UiLanguage,
  uiLanguageOf,
} from '@voxscribe/languages'
import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../storage.ts'

/** The app's texts, in its current language. */
export const i18n = createI18n('en', {})

/** The app's texts, with days and times in the reader's time zone. */
export const whereReaderIs = (): I18n =>
  inTimeZone(i18n, new Intl.DateTimeFormat().resolvedOptions().timeZone)

const STORED = 'voxscribe.language'

export const currentLanguage = (): UiLanguage => uiLanguageOf(i18n.locale) ?? 'en'

/** Shows the app in the language chosen in this browser, else in the first of the browser's that we support. */
export async function showStoredLanguage(): Promise<void> {
  const known = [readStored(STORED) ?? '', ...navigator.languages]
  await show(known.map(uiLanguageOf).find(Boolean) ?? 'en')
}

/** Shows the app in a language, with a country's numbers and dates. No change if its catalogue can't be loaded. */
export async function showLanguage(language: UiLanguage, country = livesIn): Promise<void> {
  livesIn = country
  if (await show(language)) writeStored(STORED, language)
}

/** The person's country, ISO 3166-1. */
let livesIn: string | undefined
/** The language requested last: catalogues of earlier requests may arrive later. */
let wanted: UiLanguage = 'en'

/** Returns whether the app now has that language. */
async function show(language: UiLanguage): Promise<boolean> {
  wanted = language
  const locale = localeOf(language, livesIn)
  if (locale === i18n.locale) return true
  const messages = language === 'en' ? {} : await catalogueOf(language).catch(() => undefined)
  if (!messages || wanted !== language) return false
  activate(i18n, locale, messages)
  document.documentElement.lang = i18n.locale
  document.documentElement.dir = directionOf(i18n)
  return true
}

async function catalogueOf(language: UiLanguage): Promise<Catalogue> {
  const url = new URL(`../../../packages/languages/catalogues/${language}.json`, import.meta.url)
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The texts in ${language} could not be loaded: ${response.status}`)
  return response.json()
}

/** Returns the app's locale, and re-renders when it changes. */
export const useLanguage = (): string =>
  useSyncExternalStore(
    changed => i18n.on('change', changed),
    () => i18n.locale,
  )
