import { type I18n as Lingui, setupI18n } from '@lingui/core'
import { compile } from './compile.ts'

/** The product's languages, by ISO 639-1 code, each with its name in that language. */
export const UI_LANGUAGE_NAMES = {
  en: 'English',
  es: 'Español',
  pt: 'Português (Brasil)',
  fr: 'Français',
  de: 'Deutsch',
  it: 'Italiano',
  id: 'Bahasa Indonesia',
  hi: 'हिन्दी',
  ar: 'العربية',
}
export type UiLanguage = keyof typeof UI_LANGUAGE_NAMES

export const UI_LANGUAGES = Object.keys(UI_LANGUAGE_NAMES) as [UiLanguage, ...UiLanguage[]]

/**
 * Returns the locale for Intl and `lang` (BCP 47): the language as written in the person's country (ISO 3166-1, letters
 * or digits), if Intl knows it there: `es-MX`, `pt-PT`.
 */
export function localeOf(language: UiLanguage, country?: string): string {
  if (country) return new Intl.NumberFormat(`${language}-${country}`).resolvedOptions().locale
  return language === 'pt' ? 'pt-BR' : language
}

/** Returns the product's language for a BCP 47 tag (`pt-BR`, `de-AT`), or undefined. */
export function uiLanguageOf(tag: string): UiLanguage | undefined {
  const [base = ''] = tag.toLowerCase().split(/[-_]/)
  return Object.hasOwn(UI_LANGUAGE_NAMES, base) ? (base as UiLanguage) : undefined
}

/** Names in braces in a message. Ignores the branches of plurals, so their values aren't checked. */
type Names<Message extends string> = Message extends `${string}, plural,${string}`
  ? string
  : Message extends `${string}{${infer Name}}${infer Rest}`
    ? Name | Names<Rest>
    : never
/** The values that a message needs, as arguments of `t`. */
export type Values<Message extends string> = string extends Message
  ? [values?: Record<string, string | number>]
  : [Names<Message>] extends [never]
    ? []
    : [values: Record<Names<Message>, string | number>]

/** Texts in one language. The English text is the message's id; placeholders and plurals in ICU syntax. */
export interface I18n extends Pick<Lingui, 'locale'> {
  /** Time zone of the reader's dates; unset: UTC. */
  timeZone?: string | undefined
  t<const Message extends string>(message: Message, ...values: Values<Message>): string
}

/** Returns the direction in which the language is written, for `dir`. */
export const directionOf = ({ locale }: I18n): 'ltr' | 'rtl' =>
  uiLanguageOf(locale) === 'ar' ? 'rtl' : 'ltr'

const compiled = new Map<string, ReturnType<typeof compile>>()

/** Translations by English text; empty for English. */
export type Catalogue = Record<string, string>

/** Returns the same texts, with dates in a time zone. */
export const inTimeZone = (i18n: I18n, timeZone: string | undefined): I18n =>
  Object.assign(Object.create(i18n), { timeZone })

/** Returns Lingui’s object for a locale. */
export function createI18n(locale: string, messages: Catalogue): Lingui & I18n {
  const i18n = setupI18n()
  activate(i18n, locale, messages)
  i18n.setMessagesCompiler(message => {
    const known = compiled.get(message) ?? compile(message)
    compiled.set(message, known)
    return known
  })
  return i18n as Lingui & I18n
}

export const activate = (i18n: Lingui, locale: string, messages: Catalogue): void =>
  i18n.loadAndActivate({ locale, messages })

/** The texts in English, which has no catalogue. */
export const english: I18n = createI18n('en', {})
