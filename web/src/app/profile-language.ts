import type { UiLanguage } from '@voxscribe/languages'
import { i18n, showLanguage } from '../language/i18n.ts'
import { getSession, replaceUser, subscribeToSession } from '../session/store.ts'
import { toastError } from '../ui/feedback/toast.ts'

/** Shows the app in the language; a signed-in person's chat and mails follow. */
export async function chooseLanguage(language: UiLanguage): Promise<void> {
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

/** Follows the language of the signed-in person's profile, which may be changed in the chat, too. */
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
