import { directionOf, localeOf, type UiLanguage, uiLanguageOf } from './i18n.ts'
import { i18nFor } from './node.ts'

test.each<[UiLanguage, string | undefined, string]>([
  ['es', 'MX', 'es-MX'],
  ['es', '484', 'es-MX'],
  ['pt', 'PT', 'pt-PT'],
  ['pt', undefined, 'pt-BR'],
  ['en', 'GB', 'en-GB'],
  ['ar', 'EG', 'ar-EG'],
  ['hi', 'IN', 'hi-IN'],
  // Unicode has no data on how German is written there.
  ['de', 'US', 'de'],
  ['it', undefined, 'it'],
])('when %s is read in %s, then its numbers and dates are those of %s', (language, country, locale) => {
  expect(localeOf(language, country)).toBe(locale)
  expect(uiLanguageOf(locale)).toBe(language)
})

test('when a country writes numbers in its own way, then the texts of its people do', () => {
  const left = (language: UiLanguage, country: string) =>
    i18nFor(language, country).t('{minutes, plural, one {# minute left} other {# minutes left}}', {
      minutes: 1234.5,
    })
  expect(left('es', 'ES')).toBe('quedan 1234,5 minutos')
  expect(left('es', 'MX')).toBe('quedan 1,234.5 minutos')
  expect(left('ar', 'EG')).toBe('بقيت ١٬٢٣٤٫٥ دقيقة')
  expect(directionOf(i18nFor('ar', 'EG'))).toBe('rtl')
})

test('when one English text has two meanings, then each has its own words, and English shows neither context', () => {
  expect(i18nFor('en').t('Never|used')).toBe('Never')
  expect(i18nFor('de').t('Never|used')).toBe('Noch nie')
  expect(i18nFor('de').t('Never|expires')).toBe('Nie')
  expect(i18nFor('en').t('{days, plural, one {after # day} other {after # days}}|key', { days: 30 })).toBe(
    'after 30 days',
  )
})
