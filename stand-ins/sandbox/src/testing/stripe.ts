import Stripe from 'stripe'

export const stripeSettings = { secretKey: 'sk_test_secret', webhookSecret: 'whsec_test' }

/** The official library, configured for the sandbox. */
export function stripeClient(
  url: string,
  more: { maxNetworkRetries?: number; timeout?: number; key?: string } = {},
) {
  const { hostname, port } = new URL(url)
  const { key = stripeSettings.secretKey, ...options } = { maxNetworkRetries: 0, timeout: 60_000, ...more }
  return new Stripe(key, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    telemetry: false,
    ...options,
  })
}
