import { useQueryClient } from '@tanstack/react-query'
import { configQuery } from '../api/config.ts'
import { ApiError } from '../api/errors.ts'
import { call } from '../session/client.ts'
import { messageOf } from '../ui/error-message.ts'
import { useLeaving } from './use-leaving.ts'

/** The address of the payment page. */
async function createCheckout(priceId: string | undefined): Promise<string> {
  const { data, message } = await call('createCheckoutSession', {
    body: { planType: 'monthly', ...(priceId && { priceId }) },
  })
  if (data?.url) return data.url
  throw new ApiError(message, 200)
}

/** Returns the alert's text; a refusal by the server reads differently from a request that failed. */
function failureText(error: unknown): string {
  const message = messageOf(error, 'Unknown error')
  const refused = error instanceof ApiError && error.status >= 200 && error.status < 300
  return refused ? `Failed to create checkout session: ${message}` : `An error occurred: ${message}`
}

/** Opens the payment page to buy the paid plan. */
export function useCheckout() {
  const queries = useQueryClient()
  const { error, ...checkout } = useLeaving(async () => {
    const config = await queries.ensureQueryData(configQuery).catch(() => undefined)
    return createCheckout(config?.priceId)
  })
  /** The message of an alert; null when nothing went wrong. */
  return { ...checkout, failure: error && failureText(error) }
}
