import { UI_LANGUAGE_NAMES, type UiLanguage } from '@voxscribe/languages'
import { useEffect, useEffectEvent, useRef } from 'react'
import { currentLanguage, i18n, showLanguage } from '../language/i18n.ts'
import { getSession, replaceUser, subscribeToSession } from '../session/session.ts'
import { classes } from '../ui/classes.ts'
import { toastError } from '../ui/feedback/toast.ts'
import { Icon } from '../ui/icon.tsx'

const GLOBE =
  'M12 3a9 9 0 0 1 0 18 9 9 0 0 1 0-18zM3 12h18M12 3c4.500 5 4.500 13 0 18M12 3c-4.500 5-4.500 13 0 18'

interface LanguageSwitchProps {
  /** Distinguishes the switches of a page. */
  place: 'footer' | 'menu' | 'user-menu' | 'settings'
  /** Moves the focus after a choice, instead of back to the switch. */
  onChosen?(): void
  className?: string
}

/** The switch in use: a new language re-renders the whole page, and the focus must return to this switch. */
let used: LanguageSwitchProps['place'] | undefined

/** Chooses the language of the app and, for a signed-in person, of chat and mails. */
export function LanguageSwitch({ place, onChosen, className }: LanguageSwitchProps) {
  const select = useRef<HTMLSelectElement>(null)
  const refocus = useEffectEvent(() => (onChosen ? onChosen() : select.current?.focus()))
  useEffect(() => {
    if (used === place) refocus()
  }, [place])
  return (
    <label className={classes('flex flex-wrap items-center gap-x-2 hover:text-accent', className)}>
      <Icon of={GLOBE} width={1.75} className="size-5 shrink-0" />
      {i18n.t('Language')}
      <select
        ref={select}
        className="field-sizing-content min-h-press rounded-md bg-transparent px-1"
        value={currentLanguage()}
        onChange={async event => {
          used = place
          await chooseLanguage(event.currentTarget.value as UiLanguage)
          used = undefined
        }}
      >
        {Object.entries(UI_LANGUAGE_NAMES).map(([id, name]) => (
          <option key={id} value={id} lang={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

async function chooseLanguage(language: UiLanguage): Promise<void> {
  await showLanguage(language)
  if (!getSession().user) return
  try {
    const { call } = await import('../session/client.ts')
    const { data } = await call('updateProfile', { body: { ui_language: language } })
    replaceUser(data.user)
  } catch (error) {
    toastError(error, i18n.t('Your chat and mails keep their language'))
  }
}

/** Follows the language in the signed-in person's profile, which can also be changed in the chat. */
export function followProfile(): void {
  let last: string | undefined
  const follow = () => {
    const { ui_language: language, country_code: country } = getSession().user ?? {}
    const place = language && `${language}-${country}`
    if (language && place !== last) void showLanguage(language, country)
    last = place
  }
  subscribeToSession(follow)
  follow()
}
