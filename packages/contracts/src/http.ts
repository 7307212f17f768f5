import { z } from 'zod'
import {
  CONTACT_SUBJECTS,
  HISTORY_PAGE_SIZE,
  PAGE_SIZE_MAX,
  PASSWORD_MAX,
  PHONE_DIGITS_MAX,
  RESET_PASSWORD_MIN,
  SIGNUP_PASSWORD_MIN,
} from './business.ts'
import { endpoint } from './endpoint.ts'

export type {
  Answer,
  BodyOf,
  CheckedBodyOf,
  CheckedParamsOf,
  CheckedQueryOf,
  DataOf,
  EndpointShape,
  Failure,
  FieldError,
  QueryOf,
  Success,
} from './endpoint.ts'
export { endpoint } from './endpoint.ts'

// ── What people type ────────────────────────────────────────────────────────────────────────────────────────

const required = (what: string, max: number) =>
  z.string(`${what} is required`).trim().min(1, `${what} is required`).max(max, `${what} is too long`)
const Email = z
  .string('Email is required')
  .trim()
  .toLowerCase()
  .min(1, 'Email is required')
  .max(254, 'Email is too long')
  .pipe(z.email('Please enter a valid email address'))
const password = (min: number) =>
  z
    .string('Password is required')
    .min(min, `Password must be at least ${min} characters long`)
    .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters long`)
const WhatsAppNumber = z
  .string('WhatsApp number is required')
  .trim()
  .min(1, 'WhatsApp number is required')
  .max(40, 'WhatsApp number is too long')
  .refine(text => /^[\d\s()+.\-/]+$/.test(text), 'WhatsApp number may contain digits only')
  .refine(
    text => text.replace(/\D/g, '').length <= PHONE_DIGITS_MAX,
    `WhatsApp number may have at most ${PHONE_DIGITS_MAX} digits`,
  )
/** Ids are strings; a number is understood as well. */
const id = (what: string) =>
  z
    .union([z.string(), z.int().nonnegative().transform(String)], `${what} is required`)
    .pipe(required(what, 20))

export const RegisterBody = z.object({
  first_name: required('First name', 100),
  last_name: required('Last name', 100),
  email: Email,
  wtp_number: WhatsAppNumber,
  password: password(SIGNUP_PASSWORD_MIN),
  country_id: id('Country'),
})
export const LoginBody = z.object({
  email: Email,
  password: z
    .string('Password is required')
    .min(1, 'Password is required')
    .max(PASSWORD_MAX, 'Password is too long'),
})
export const RefreshBody = z.object({ refreshToken: required('Refresh token', 500) })
export const ForgotPasswordBody = z.object({ email: Email })
export const ResetPasswordBody = z.object({
  token: z
    .string('Invalid or missing reset token')
    .trim()
    .min(1, 'Invalid or missing reset token')
    .max(500, 'Invalid reset token'),
  newPassword: password(RESET_PASSWORD_MIN),
})
export const UpdateProfileBody = z
  .object({
    first_name: required('First name', 100),
    last_name: required('Last name', 100),
    email: Email,
    wtp_number: WhatsAppNumber,
    country_code: id('Country'),
    wa_language: id('Language'),
  })
  .partial()
  .refine(
    body => Object.values(body).some(value => value !== undefined),
    'Please make at least one change to update your profile',
  )
export const ContactBody = z.object({
  name: required('Name', 200),
  email: Email,
  subject: z.enum(CONTACT_SUBJECTS, 'Please choose a subject'),
  message: required('Message', 10_000),
})
export const CheckoutBody = z.object({
  priceId: z.string().trim().min(1).max(200).optional(),
  planType: z.literal('monthly', 'planType must be monthly'),
})
export const VerifySessionBody = z.object({ sessionId: required('Session ID', 500) })

const wholeNumber = (what: string) =>
  z.coerce
    .number(`${what} must be a whole number`)
    .pipe(z.int(`${what} must be a whole number`).min(1, `${what} must be at least 1`))
const limit = wholeNumber('limit')
  .transform(value => Math.min(value, PAGE_SIZE_MAX))
  .default(HISTORY_PAGE_SIZE)
export const PageQuery = z.object({ page: wholeNumber('page').default(1), limit })
export const TranscriptionsQuery = PageQuery.extend({
  status: z
    .enum(['all', 'completed', 'processing', 'failed'], 'status must be all, completed, processing or failed')
    .optional(),
  search: z.string('search must be one text').trim().max(200, 'search is too long').optional(),
})
export const IdParams = z.object({ id: z.string().max(100) })

// ── What is answered ────────────────────────────────────────────────────────────────────────────────────────

export const PlanName = z.enum(['free', 'monthly'])
export const SubscriptionState = z.enum(['active', 'canceling', 'canceled'])

/** Minutes to one decimal, floored at 0. */
export const Subscription = z.object({
  plan: PlanName,
  status: SubscriptionState,
  subscription_minutes: z.number(),
  used_minutes: z.number(),
  current_period_end: z.iso.datetime(),
})
export const SubscriptionStatus = Subscription.extend({
  remaining_minutes: z.number(),
  payment_problem: z.boolean(),
})

/** A user as auth knows it; the gateway adds `subscription`. */
export const Profile = z.object({
  id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  name: z.string(),
  email: z.string(),
  /** Digits without the country prefix; empty when the number turned out to be someone else's. */
  wtp_number: z.string(),
  country_code: z.string(),
  wa_language: z.string(),
  /** What a WhatsApp message must contain to bind its sender to this account. */
  link_code: z.string(),
  /** Whether a message with the link code has come from the account's number. */
  linked: z.boolean(),
})
export const User = Profile.extend({ subscription: Subscription })
export const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string() })

export const CountryItem = z.object({
  id: z.string(),
  code: z.string(),
  iso: z.string(),
  label: z.string(),
  phonecode: z.string(),
})
export const LanguageItem = z.object({ id: z.string(), label: z.string() })

export const Pagination = z.object({
  page: z.int(),
  limit: z.int(),
  total: z.int(),
  totalPages: z.int(),
})

export const TranscriptionStatus = z.enum(['processing', 'completed', 'failed'])
export const Transcription = z.object({
  id: z.string(),
  fileName: z.string(),
  /** `2026-11-20`, UTC. */
  date: z.string(),
  /** `14:05`, UTC. */
  time: z.string(),
  createdAt: z.iso.datetime(),
  /** Bytes. */
  fileSize: z.int(),
  /** `1h 2m 3s`; empty while unknown. */
  audioLength: z.string(),
  durationSeconds: z.number().nullable(),
  language: z.string(),
  status: TranscriptionStatus,
  text: z.string(),
  wordCount: z.int(),
  /** 0 to 1; null when the engine gives none. */
  confidenceScore: z.number().nullable(),
  /** `No speech found`, or why a note still waits. */
  notice: z.string().nullable(),
  /** Why it failed and what to do. */
  error: z.string().nullable(),
  /** Whether the audio is still there, so that it can be transcribed again. */
  audioAvailable: z.boolean(),
})
export const Statistics = z.object({
  total: z.int(),
  completed: z.int(),
  processing: z.int(),
  failed: z.int(),
})
export const TranscriptionList = z.object({
  transcriptions: z.array(Transcription),
  statistics: Statistics,
  pagination: Pagination,
})
export const TranscriptionStats = Statistics.extend({
  /** Bytes. */
  totalFileSize: z.int(),
  totalSeconds: z.number(),
})

const Money = { currency: z.string(), amount: z.number() }
export const Payment = z.object({
  id: z.string(),
  ...Money,
  planType: z.string(),
  createdAt: z.iso.datetime(),
  paymentStatus: z.string(),
})
export const UsageStats = z.object({
  totalTranscriptions: z.int(),
  completedTranscriptions: z.int(),
  failedTranscriptions: z.int(),
  /** Bytes. */
  totalFileSize: z.int(),
})
/** What billing answers; the gateway adds `usageStats`. */
export const BillingDetails = z.object({
  subscription: z.object({
    status: SubscriptionState,
    plan: PlanName,
    usedMinutes: z.number(),
    subscriptionMinutes: z.number(),
    minutesLeft: z.number(),
    ...Money,
    interval: z.string(),
    currentPeriodStart: z.iso.datetime(),
    currentPeriodEnd: z.iso.datetime(),
    paymentProblem: z.boolean(),
  }),
  paymentHistory: z.array(Payment),
})
export const SubscriptionDetails = BillingDetails.extend({ usageStats: UsageStats })
export const VerifiedSession = z.object({
  session: z.object({
    id: z.string(),
    paymentStatus: z.string(),
    currency: z.string(),
    amountTotal: z.number(),
    createdAt: z.iso.datetime(),
  }),
  subscription: z
    .object({ currentPeriodStart: z.iso.datetime(), currentPeriodEnd: z.iso.datetime() })
    .nullable(),
})
export const UsageEntry = z.object({
  id: z.string(),
  kind: z.enum(['reserved', 'settled', 'released']),
  transcriptionId: z.string(),
  seconds: z.number(),
  at: z.iso.datetime(),
})
export const PublicConfig = z.object({
  /** E.164 digits without `+`. */
  whatsappNumber: z.string(),
  priceId: z.string(),
  supportEmail: z.string(),
  maxFileBytes: z.int(),
  freeMinutes: z.int(),
  paidMinutes: z.int(),
  price: z.number(),
  currency: z.string(),
})

export type Profile = z.infer<typeof Profile>
export type User = z.infer<typeof User>
export type Subscription = z.infer<typeof Subscription>
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>
export type CountryItem = z.infer<typeof CountryItem>
export type LanguageItem = z.infer<typeof LanguageItem>
export type Pagination = z.infer<typeof Pagination>
export type Transcription = z.infer<typeof Transcription>
export type Statistics = z.infer<typeof Statistics>
export type TranscriptionStats = z.infer<typeof TranscriptionStats>
export type Payment = z.infer<typeof Payment>
export type BillingDetails = z.infer<typeof BillingDetails>
export type SubscriptionDetails = z.infer<typeof SubscriptionDetails>
export type UsageStats = z.infer<typeof UsageStats>
export type VerifiedSession = z.infer<typeof VerifiedSession>
export type UsageEntry = z.infer<typeof UsageEntry>
export type PublicConfig = z.infer<typeof PublicConfig>

// ── The calls ───────────────────────────────────────────────────────────────────────────────────────────────

const Nothing = z.null()
const AuthData = z.object({ user: Profile }).extend(Tokens.shape)
const ProfileData = z.object({ user: Profile })

/** Every call of the product, below `/api`. Services implement these, the web app calls these, OpenAPI shows these. */
export const api = {
  register: endpoint({
    service: 'auth',
    method: 'POST',
    path: '/auth/register',
    access: 'open',
    status: 201,
    summary: 'Create an account',
    body: RegisterBody,
    data: AuthData,
  }),
  login: endpoint({
    service: 'auth',
    method: 'POST',
    path: '/auth/login',
    access: 'open',
    summary: 'Sign in',
    body: LoginBody,
    data: AuthData,
  }),
  logout: endpoint({
    service: 'auth',
    method: 'POST',
    path: '/auth/logout',
    access: 'open',
    summary: 'Sign out: ends the session of the refresh token',
    body: RefreshBody,
    data: Nothing,
  }),
  refresh: endpoint({
    service: 'auth',
    method: 'POST',
    path: '/auth/refresh',
    access: 'open',
    summary: 'Exchange a refresh token for new tokens',
    body: RefreshBody,
    data: Tokens,
  }),
  forgotPassword: endpoint({
    service: 'auth',
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'open',
    summary: 'Ask for a password reset e-mail',
    body: ForgotPasswordBody,
    data: Nothing,
  }),
  resetPassword: endpoint({
    service: 'auth',
    method: 'POST',
    path: '/auth/reset-password',
    access: 'open',
    summary: 'Set a new password with the token of the e-mail',
    body: ResetPasswordBody,
    data: Nothing,
  }),
  profile: endpoint({
    service: 'auth',
    method: 'GET',
    path: '/users/profile',
    access: 'user',
    summary: 'The signed-in user',
    data: ProfileData,
  }),
  replaceProfile: endpoint({
    service: 'auth',
    method: 'PUT',
    path: '/users/profile',
    access: 'user',
    summary: 'Change the profile',
    body: UpdateProfileBody,
    data: ProfileData,
  }),
  updateProfile: endpoint({
    service: 'auth',
    method: 'POST',
    path: '/users/update-profile',
    access: 'user',
    summary: 'Change the profile',
    body: UpdateProfileBody,
    data: ProfileData,
  }),
  countries: endpoint({
    service: 'auth',
    method: 'GET',
    path: '/users/countries',
    access: 'open',
    summary: 'Countries with their phone codes',
    data: z.array(CountryItem),
  }),
  languages: endpoint({
    service: 'auth',
    method: 'GET',
    path: '/users/languages',
    access: 'open',
    summary: 'Languages a transcript may be expected in',
    data: z.array(LanguageItem),
  }),

  createCheckoutSession: endpoint({
    service: 'billing',
    method: 'POST',
    path: '/stripe/create-checkout-session',
    access: 'user',
    summary: 'Start the purchase of the paid plan',
    body: CheckoutBody,
    data: z.object({ url: z.string(), sessionId: z.string() }),
  }),
  subscriptionStatus: endpoint({
    service: 'billing',
    method: 'GET',
    path: '/stripe/subscription-status',
    access: 'user',
    summary: 'Plan and minutes',
    data: SubscriptionStatus,
  }),
  subscriptionDetails: endpoint({
    service: 'billing',
    method: 'GET',
    path: '/stripe/subscription-details',
    access: 'user',
    summary: 'Plan, minutes, recent payments and usage',
    data: BillingDetails,
  }),
  paymentHistory: endpoint({
    service: 'billing',
    method: 'GET',
    path: '/stripe/payment-history',
    access: 'user',
    summary: 'Payments, newest first',
    query: PageQuery,
    data: z.object({ payments: z.array(Payment), pagination: Pagination }),
  }),
  usage: endpoint({
    service: 'billing',
    method: 'GET',
    path: '/stripe/usage',
    access: 'user',
    summary: 'The ledger of minutes, newest first',
    query: PageQuery,
    data: z.object({ usage: z.array(UsageEntry), pagination: Pagination }),
  }),
  verifySession: endpoint({
    service: 'billing',
    method: 'POST',
    path: '/stripe/verify-session',
    access: 'user',
    summary: 'What became of a purchase',
    body: VerifySessionBody,
    data: VerifiedSession,
  }),
  cancelSubscription: endpoint({
    service: 'billing',
    method: 'POST',
    path: '/stripe/cancel-subscription',
    access: 'user',
    summary: 'Cancel at the end of the period',
    data: SubscriptionStatus,
  }),
  reactivateSubscription: endpoint({
    service: 'billing',
    method: 'POST',
    path: '/stripe/reactivate-subscription',
    access: 'user',
    summary: 'Take a cancellation back',
    data: SubscriptionStatus,
  }),

  transcriptions: endpoint({
    service: 'transcription',
    method: 'GET',
    path: '/transcriptions',
    access: 'user',
    summary: 'Transcriptions, newest first',
    query: TranscriptionsQuery,
    data: TranscriptionList,
  }),
  transcriptionStats: endpoint({
    service: 'transcription',
    method: 'GET',
    path: '/transcriptions/stats',
    access: 'user',
    summary: 'Counts, bytes and seconds of the whole account',
    data: TranscriptionStats,
  }),
  deleteTranscription: endpoint({
    service: 'transcription',
    method: 'DELETE',
    path: '/transcriptions/:id',
    access: 'user',
    summary: 'Delete a transcription and its audio',
    params: IdParams,
    data: Nothing,
  }),
  refreshTranscription: endpoint({
    service: 'transcription',
    method: 'POST',
    path: '/transcriptions/:id/refresh',
    access: 'user',
    summary: 'Transcribe the stored audio again; never charged twice',
    params: IdParams,
    data: z.object({ transcription: Transcription }),
  }),

  contact: endpoint({
    service: 'notification',
    method: 'POST',
    path: '/contact',
    access: 'open',
    summary: 'Write to support',
    body: ContactBody,
    data: Nothing,
  }),
  config: endpoint({
    service: 'gateway',
    method: 'GET',
    path: '/config',
    access: 'open',
    summary: 'What the web app needs to know',
    data: PublicConfig,
  }),
} as const

export type Api = typeof api
/** `data` of the calls whose answer the gateway completes with what another service knows. */
export interface Composed {
  register: z.infer<typeof Tokens> & { user: User }
  login: z.infer<typeof Tokens> & { user: User }
  profile: { user: User }
  replaceProfile: { user: User }
  updateProfile: { user: User }
  subscriptionDetails: SubscriptionDetails
}
