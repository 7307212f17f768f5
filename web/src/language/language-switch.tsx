import { UI_LANGUAGE_NAMES, type UiLanguage } from '@voxscribe/languages'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { i18n, shownLanguage } from './i18n.ts'
import { chooseLanguage } from './profile-language.ts'

const GLOBE =
  'M12 3a9 9 0 0 1 0 18 9 9 0 0 1 0-18zM3 12h18M12 3c4.500 5 4.500 13 0 18M12 3c-4.500 5-4.500 13 0 18'

/** Chooses the language of the app; for a signed-in person also that of chat and mails. */
export const LanguageSwitch = ({ className }: { className?: string }) => (
  <label className={classes('flex flex-wrap items-center gap-x-2 hover:text-accent', className)}>
    <Icon of={GLOBE} width={1.75} className="size-5 shrink-0" />
    {i18n.t('Language')}
    <select
      className="field-sizing-content min-h-9 rounded-md bg-transparent px-1"
      value={shownLanguage()}
      onChange={event => void chooseLanguage(event.currentTarget.value as UiLanguage)}
    >
      {Object.entries(UI_LANGUAGE_NAMES).map(([id, name]) => (
        <option key={id} value={id} lang={id}>
          {name}
        </option>
      ))}
    </select>
  </label>
)
