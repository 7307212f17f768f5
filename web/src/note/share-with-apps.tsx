import { i18n } from '../language/i18n.ts'
import { Button } from '../ui/action/button.tsx'
import { toastError } from '../ui/feedback/toast.ts'

/** Hands a text or a link to another app, by the system's own sheet; nothing where there is none. */
export const ShareWithApps = ({
  variant = 'secondary',
  ...data
}: ShareData & { variant?: 'secondary' | 'quiet' }) =>
  'share' in navigator && (
    <Button size="small" variant={variant} onClick={() => void share(data)}>
      {i18n.t('Share')}
    </Button>
  )

async function share(data: ShareData): Promise<void> {
  try {
    await navigator.share(data)
  } catch (error) {
    // The person closed the sheet, or pressed twice.
    if (['AbortError', 'InvalidStateError'].includes((error as Error).name)) return
    toastError(error, i18n.t('The text couldn’t be shared'))
  }
}
