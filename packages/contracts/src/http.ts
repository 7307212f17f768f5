import { z } from 'zod'
import {
  BillingDetails,
  CountryItem,
  LanguageItem,
  Pagination,
  Payment,
  Profile,
  PublicConfig,
  type SubscriptionDetails,
  SubscriptionStatus,
  Tokens,
  Transcription,
  TranscriptionList,
  TranscriptionStats,
  UsageEntry,
  type User,
  VerifiedSession,
} from './answers.ts'
import { endpoint } from './endpoint.ts'
import {
  CheckoutBody,
  ContactBody,
  ForgotPasswordBody,
  IdParams,
  LoginBody,
  PageQuery,
  RefreshBody,
  RegisterBody,
  ResetPasswordBody,
  TranscriptionsQuery,
  UndoEmailBody,
  UpdateProfileBody,
  VerifySessionBody,
} from './requests.ts'

export * from './answers.ts'
export * from './endpoint.ts'
export * from './requests.ts'

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
  undoEmail: endpoint({
    service: 'auth',
    method: 'POST',
    path: '/auth/undo-email',
    access: 'open',
    summary: 'Take a changed e-mail address back with the token of the e-mail',
    body: UndoEmailBody,
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
  openPortal: endpoint({
    service: 'billing',
    method: 'POST',
    path: '/stripe/portal',
    access: 'user',
    summary: 'Open Stripe’s page for cards and invoices',
    data: z.object({ url: z.string() }),
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
