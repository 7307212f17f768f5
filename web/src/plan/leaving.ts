import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PaidPlan } from '@voxscribe/contracts/plans'
import { configQuery } from '../api/config.ts'
import { ApiError } from '../api/errors.ts'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { useListener } from '../ui/action/use-listener.ts'
import { messageOf } from '../ui/feedback/toast.ts'

/** Sends the browser to a page of the payment provider; `busy` stays true until it has left. */
function useLeaving(addressOf: () => Promise<string>) {
  const leaving = useMutation({
    mutationFn: async () => window.location.assign(await addressOf()),
    retry: false,
  })
  const { reset } = leaving
  // After Back, the browser shows the page in the state in which it was left.
  useListener(window, ['pageshow'], event => event.persisted && reset())
  return {
    start: () => leaving.mutate(),
    busy: leaving.isPending || leaving.isSuccess,
    error: leaving.error,
    dismiss: reset,
  }
}

/** Opens the payment provider's page to replace the card. */
export const usePortal = () => useLeaving(async () => (await call('openPortal')).data.url)

/** Opens the payment page to buy a plan. */
export function useCheckout(planType: PaidPlan) {
  const queries = useQueryClient()
  const { error, ...checkout } = useLeaving(async () => {
    const config = await queries.ensureQueryData(configQuery).catch(() => undefined)
    const { data, message } = await call('createCheckoutSession', {
      body: { planType, ...(config?.priceId && { priceId: config.priceId }) },
    })
    if (data?.url) return data.url
    throw new ApiError(message, 200)
  })
  const refused = error instanceof ApiError && error.status >= 200 && error.status < 300
  const reason = messageOf(error, i18n.t('Unknown error'))
  const failure = refused
    ? i18n.t('Failed to create checkout session: {reason}', { reason })
    : i18n.t('An error occurred: {reason}', { reason })
  /** Text of an alert, or null if nothing went wrong. */
  return { ...checkout, failure: error && failure }
}
