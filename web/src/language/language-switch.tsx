import { UI_LANGUAGE_NAMES, type UiLanguage } from '@voxscribe/languages'
import { i18n, shownLanguage } from './i18n.ts'
import { chooseLanguage } from './profile-language.ts'

/** Chooses the language of the app; for a signed-in person also that of chat and mails. */
export const LanguageSwitch = () => (
  <select
    aria-label={i18n.t('Language')}
    className="min-h-9 rounded-md bg-transparent px-2 text-soft hover:text-accent"
    value={shownLanguage()}
    onChange={event => void chooseLanguage(event.currentTarget.value as UiLanguage)}
  >
    {Object.entries(UI_LANGUAGE_NAMES).map(([id, name]) => (
      <option key={id} value={id} lang={id}>
        {name}
      </option>
    ))}
  </select>
)
