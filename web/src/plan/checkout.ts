import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { configQuery } from '../api/config.ts'
import { ApiError } from '../api/errors.ts'
import { call } from '../session/client.ts'
import { messageOf } from '../ui/error-message.ts'

/** The address of the payment page. */
async function createCheckout(priceId: string | undefined): Promise<string> {
  const { data, message } = await call('createCheckoutSession', {
    body: { planType: 'monthly', ...(priceId && { priceId }) },
  })
  if (data?.url) return data.url
  throw new ApiError(message, 200)
}

/** A refusal is told from a request that went wrong. */
function failureText(error: unknown): string {
  const message = messageOf(error, 'Unknown error')
  const refused = error instanceof ApiError && error.status >= 200 && error.status < 300
  return refused ? `Failed to create checkout session: ${message}` : `An error occurred: ${message}`
}

/** Buying the paid plan: `start` sends the browser to the payment page; `busy` stays until it has left. */
export function useCheckout() {
  const queries = useQueryClient()
  const checkout = useMutation({
    mutationFn: async () => {
      const config = await queries.ensureQueryData(configQuery).catch(() => undefined)
      const url = await createCheckout(config?.priceId)
      window.location.assign(url)
    },
    retry: false,
  })
  const { reset } = checkout
  useEffect(() => {
    // Back from the payment page: the browser shows this page as it was left.
    const wake = (event: PageTransitionEvent) => event.persisted && reset()
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [reset])
  return {
    start: () => checkout.mutate(),
    busy: checkout.isPending || checkout.isSuccess,
    /** What went wrong, for an alert; null when nothing did. */
    failure: checkout.isError ? failureText(checkout.error) : null,
    dismiss: reset,
  }
}
