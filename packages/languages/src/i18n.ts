import { type I18n as Lingui, setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'

/** The languages of the product, by ISO 639-1 code, each with its locale for Intl (BCP 47). */
const LOCALES = {
  en: 'en',
  es: 'es',
  pt: 'pt-BR',
  fr: 'fr',
  de: 'de',
  it: 'it',
  id: 'id',
  hi: 'hi',
  ar: 'ar',
} as const
export type UiLanguage = keyof typeof LOCALES

export const UI_LANGUAGES = Object.keys(LOCALES) as [UiLanguage, ...UiLanguage[]]

/** Returns the product's language for a BCP 47 tag (`pt-BR`, `de-AT`); undefined when it speaks none of that name. */
export function uiLanguageOf(tag: string): UiLanguage | undefined {
  const [base = ''] = tag.toLowerCase().split(/[-_]/)
  return Object.hasOwn(LOCALES, base) ? (base as UiLanguage) : undefined
}

/** The names in braces of a message. Branches of plurals are not looked into: their values are not checked. */
type Names<Message extends string> = Message extends `${string}, plural,${string}`
  ? string
  : Message extends `${string}{${infer Name}}${infer Rest}`
    ? Name | Names<Rest>
    : never
type Values<Message extends string> = string extends Message
  ? [values?: Record<string, string | number>]
  : [Names<Message>] extends [never]
    ? []
    : [values: Record<Names<Message>, string | number>]

/** Texts in one language. The English text is the message's id; placeholders and plurals in ICU syntax. */
export interface I18n extends Pick<Lingui, 'locale'> {
  t<const Message extends string>(message: Message, ...values: Values<Message>): string
}

/** The direction in which the language is written, for `dir`. */
export const directionOf = ({ locale }: I18n): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')

const compiled = new Map<string, ReturnType<typeof compileMessage>>()

/** Lingui's object for the language; `messages`: translations by English text, none for English. */
export function createI18n(language: UiLanguage, messages: Record<string, string>): Lingui & I18n {
  const locale = LOCALES[language]
  const i18n = setupI18n({ locale, messages: { [locale]: messages } })
  i18n.setMessagesCompiler(message => {
    const known = compiled.get(message) ?? compileMessage(message)
    compiled.set(message, known)
    return known
  })
  return i18n as Lingui & I18n
}

/** The texts in English, which has no catalogue. */
export const english: I18n = createI18n('en', {})
