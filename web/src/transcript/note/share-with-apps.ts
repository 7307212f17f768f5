import { i18n } from '../../language/i18n.ts'
import { messageOf } from '../../ui/error-message.ts'
import { toast } from '../../ui/toast.ts'

/** Hands a text or a link to another app, by the system's own sheet. */
export async function shareWithApps(data: ShareData): Promise<void> {
  try {
    await navigator.share(data)
  } catch (error) {
    // The person closed the sheet.
    if ((error as Error).name === 'AbortError') return
    toast(messageOf(error, i18n.t('The text couldn’t be shared')), { type: 'error' })
  }
}
