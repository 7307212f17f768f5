import type { PublicConfig, Subscription, SubscriptionStatus, User } from '@voxscribe/contracts/http'
import { ada } from './people.ts'

export const pro: Subscription = {
  plan: 'monthly',
  status: 'active',
  subscription_minutes: 1000,
  used_minutes: 212.4,
  current_period_end: '2026-12-20T12:00:00.000Z',
}
export const canceling: Subscription = { ...pro, status: 'canceling' }

export const adaWith = (subscription: Subscription): User => ({ ...ada, subscription })

export const statusOf = (subscription: Subscription, payment_problem = false): SubscriptionStatus => ({
  ...subscription,
  remaining_minutes:
    subscription.subscription_minutes === null
      ? null
      : subscription.subscription_minutes - subscription.used_minutes,
  payment_problem,
})

export const config: PublicConfig = {
  whatsappNumber: '15550104477',
  telegramUrl: null,
  chatUrl: 'https://wa.me/15550104477?text={code}',
  sandbox: false,
  priceId: 'price_1',
  supportEmail: 'support@example.org',
  maxFileBytes: 16 * 1024 * 1024,
  retentionDays: 30,
  deadLetterDays: 30,
  freeMinutes: 30,
  plans: true,
  paidMinutes: 1000,
  price: 4.99,
  currency: 'usd',
  signIn: { passwords: true, oidc: null, signUp: 'open', passkeys: false },
  legal: { privacy: null, terms: null, cookies: null },
  textModel: false,
  preview: false,
  try: true,
  speech: { engines: [{ name: 'local', model: 'whisper-base' }], languages: 'all', speakers: false },
}
