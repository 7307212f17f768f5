import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Sends the browser to a page of the payment provider; `busy` stays until it has left. */
export function useLeaving(addressOf: () => Promise<string>) {
  const leaving = useMutation({
    mutationFn: async () => window.location.assign(await addressOf()),
    retry: false,
  })
  const { reset } = leaving
  useEffect(() => {
    // After Back, the browser shows this page as it was left.
    const wake = (event: PageTransitionEvent) => event.persisted && reset()
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [reset])
  return {
    start: () => leaving.mutate(),
    busy: leaving.isPending || leaving.isSuccess,
    error: leaving.error,
    dismiss: reset,
  }
}
