export type ToastType = 'success' | 'error' | 'warning' | 'info'
export const TOAST_POSITIONS = [
  'top-right',
  'top-left',
  'bottom-right',
  'bottom-left',
  'top-center',
  'bottom-center',
] as const
export type ToastPosition = (typeof TOAST_POSITIONS)[number]

export interface Toast {
  id: number
  message: string
  type: ToastType
  /** Milliseconds until it slides out. */
  duration: number
  position: ToastPosition
  /** A button in it, which also closes it. */
  action?: { label: string; run(): void }
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function become(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

export const getToasts = (): readonly Toast[] => toasts

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

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
  become([...toasts, { id: lastId, message, type, duration, position, action }])
  return lastId
}

/** Removes it; the toaster has let it slide out before. */
export const removeToast = (id: number) => become(toasts.filter(entry => entry.id !== id))
