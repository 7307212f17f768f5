import { act } from '@testing-library/react'
import { activate, type Catalogue, type UiLanguage } from '@voxscribe/languages'
import { i18n } from '../language/i18n.ts'

/** Shows the app in a language with these texts; a test that uses it must switch back to English. */
export const speak = (language: UiLanguage, texts: Catalogue = {}) =>
  act(() => activate(i18n, language, texts))
