import { messageOf } from './error-message.ts'
import { toast } from './toast.ts'

/** Shows why something failed: the error's own words, else the fallback. */
export const toastError = (error: unknown, fallback: string) =>
  toast(messageOf(error, fallback), { type: 'error' })
