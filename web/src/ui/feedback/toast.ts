import { observable } from '../../observable.ts'

/** The class names of each position, and of the way a toast leaves it. */
export const TOAST_PLACES = {
  'top-right': ['top-20 end-4 items-end', 'translate-x-8 rtl:-translate-x-8'],
  'top-left': ['top-20 start-4 items-start', '-translate-x-8 rtl:translate-x-8'],
  'bottom-right': ['bottom-4 end-4 items-end', 'translate-x-8 rtl:-translate-x-8'],
  'bottom-left': ['bottom-4 start-4 items-start', '-translate-x-8 rtl:translate-x-8'],
  'top-center': ['top-20 left-1/2 -translate-x-1/2 items-center', '-translate-y-6'],
  'bottom-center': ['bottom-4 left-1/2 -translate-x-1/2 items-center', 'translate-y-6'],
} as const
export type ToastPosition = keyof typeof TOAST_PLACES

export interface Toast {
  id: number
  message: string
  type: 'success' | 'error' | 'warning' | 'info'
  /** Milliseconds until the toast slides out. */
  duration: number
  position: ToastPosition
  /** A button in the toast, which also closes it. */
  action?: { label: string; run(): void }
}

const toasts = observable<readonly Toast[]>([])
export const { get: getToasts, subscribe: subscribeToToasts } = toasts
let lastId = 0

/** Shows a message above the page, from anywhere in the app. Returns its id. */
export function toast(
  message: string,
  {
    type = 'info',
    duration = 5000,
    position = 'bottom-right',
    action,
  }: Partial<Omit<Toast, 'id' | 'message'>> = {},
): number {
  lastId += 1
  toasts.set([...toasts.get(), { id: lastId, message, type, duration, position, action }])
  return lastId
}

/** Removes a toast after it has slid out. */
export const removeToast = (id: number) => toasts.set(toasts.get().filter(entry => entry.id !== id))

/** Shows why something failed: the error's own message, else the fallback. */
export const toastError = (error: unknown, fallback: string) =>
  toast(messageOf(error, fallback), { type: 'error' })

/** Names of our own errors; the browser's have others, and messages for programmers. */
const OURS = ['Error', 'ApiError']

/** Returns the message for a person: the error's own unless it's the browser's, else the screen's fallback. */
export const messageOf = (error: unknown, fallback: string): string =>
  (error instanceof Error && OURS.includes(error.name) && error.message) || fallback
