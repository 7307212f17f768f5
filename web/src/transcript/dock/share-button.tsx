import { Button } from '../../ui/button.tsx'
import { messageOf } from '../../ui/error-message.ts'
import { toast } from '../../ui/toast.ts'

async function share(data: ShareData): Promise<void> {
  try {
    await navigator.share(data)
  } catch (error) {
    // The person closed the sheet.
    if ((error as Error).name === 'AbortError') return
    toast(messageOf(error, 'The text couldn’t be shared'), { type: 'error' })
  }
}

/** Hands the text to another app, where the browser can. */
export const ShareButton = (data: { title: string; text: string }) =>
  'share' in navigator && (
    <Button size="small" variant="secondary" onClick={() => share(data)}>
      Share
    </Button>
  )
