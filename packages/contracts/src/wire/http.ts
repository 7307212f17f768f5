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
  TranscriptionDocument,
  TranscriptionList,
  TranscriptionStats,
  UsageEntry,
  type User,
  VerifiedSession,
} from './answers.ts'
import type { CallShape } from './endpoint.ts'
import { PATHS } from './paths.ts'
import {
  AudioQuery,
  BulkBody,
  CheckoutBody,
  ContactBody,
  EditTranscriptionBody,
  ExportManyBody,
  ExportQuery,
  ForgotPasswordBody,
  IdParams,
  LoginBody,
  PageQuery,
  RefreshBody,
  RefreshTranscriptionBody,
  RegisterBody,
  ResetPasswordBody,
  TranscriptionsQuery,
  UndoEmailBody,
  UpdateProfileBody,
  UploadForm,
  VerifySessionBody,
} from './requests.ts'

export * from './answers.ts'
export * from './endpoint.ts'
export * from './requests.ts'

const Nothing = z.null()
const AuthData = z.object({ user: Profile }).extend(Tokens.shape)
const ProfileData = z.object({ user: Profile })

const calls = {
  register: {
    service: 'auth',
    access: 'open',
    status: 201,
    summary: 'Create an account',
    body: RegisterBody,
    data: AuthData,
  },
  login: {
    service: 'auth',
    access: 'open',
    summary: 'Sign in',
    body: LoginBody,
    data: AuthData,
  },
  logout: {
    service: 'auth',
    access: 'open',
    summary: 'Sign out: ends the session of the refresh token',
    body: RefreshBody,
    data: Nothing,
  },
  refresh: {
    service: 'auth',
    access: 'open',
    summary: 'Exchange a refresh token for new tokens',
    body: RefreshBody,
    data: Tokens,
  },
  forgotPassword: {
    service: 'auth',
    access: 'open',
    summary: 'Ask for a password reset e-mail',
    body: ForgotPasswordBody,
    data: Nothing,
  },
  resetPassword: {
    service: 'auth',
    access: 'open',
    summary: 'Set a new password with the token of the e-mail',
    body: ResetPasswordBody,
    data: Nothing,
  },
  undoEmail: {
    service: 'auth',
    access: 'open',
    summary: 'Take a changed e-mail address back with the token of the e-mail',
    body: UndoEmailBody,
    data: Nothing,
  },
  profile: {
    service: 'auth',
    access: 'user',
    summary: 'The signed-in user',
    data: ProfileData,
  },
  replaceProfile: {
    service: 'auth',
    access: 'user',
    summary: 'Change the profile',
    body: UpdateProfileBody,
    data: ProfileData,
  },
  updateProfile: {
    service: 'auth',
    access: 'user',
    summary: 'Change the profile',
    body: UpdateProfileBody,
    data: ProfileData,
  },
  countries: {
    service: 'auth',
    access: 'open',
    summary: 'Countries with their phone codes',
    data: z.array(CountryItem),
  },
  languages: {
    service: 'auth',
    access: 'open',
    summary: 'Languages a transcript may be expected in',
    data: z.array(LanguageItem),
  },

  createCheckoutSession: {
    service: 'billing',
    access: 'user',
    summary: 'Start the purchase of the paid plan',
    body: CheckoutBody,
    data: z.object({ url: z.string(), sessionId: z.string() }),
  },
  subscriptionStatus: {
    service: 'billing',
    access: 'user',
    summary: 'Plan and minutes',
    data: SubscriptionStatus,
  },
  subscriptionDetails: {
    service: 'billing',
    access: 'user',
    summary: 'Plan, minutes, recent payments and usage',
    data: BillingDetails,
  },
  paymentHistory: {
    service: 'billing',
    access: 'user',
    summary: 'Payments, newest first',
    query: PageQuery,
    data: z.object({ payments: z.array(Payment), pagination: Pagination }),
  },
  usage: {
    service: 'billing',
    access: 'user',
    summary: 'The ledger of minutes, newest first',
    query: PageQuery,
    data: z.object({ usage: z.array(UsageEntry), pagination: Pagination }),
  },
  verifySession: {
    service: 'billing',
    access: 'user',
    summary: 'What became of a purchase',
    body: VerifySessionBody,
    data: VerifiedSession,
  },
  cancelSubscription: {
    service: 'billing',
    access: 'user',
    summary: 'Cancel at the end of the period',
    data: SubscriptionStatus,
  },
  reactivateSubscription: {
    service: 'billing',
    access: 'user',
    summary: 'Take a cancellation back',
    data: SubscriptionStatus,
  },
  openPortal: {
    service: 'billing',
    access: 'user',
    summary: 'Open Stripe’s page for cards and invoices',
    data: z.object({ url: z.string() }),
  },

  transcriptions: {
    service: 'transcription',
    access: 'user',
    summary: 'Transcriptions, newest first',
    query: TranscriptionsQuery,
    data: TranscriptionList,
  },
  upload: {
    service: 'ingestion',
    access: 'user',
    status: 201,
    summary: 'Transcribe a file; with `Idempotency-Key`, sending it again gives the same item (200)',
    form: UploadForm,
    data: z.object({ transcription: Transcription }),
  },
  transcriptionStats: {
    service: 'transcription',
    access: 'user',
    summary: 'Counts, bytes and seconds of the whole account',
    data: TranscriptionStats,
  },
  transcriptionEvents: {
    service: 'transcription',
    access: 'user',
    summary:
      'Server-sent events: `transcription` with `{ id, status, stage, progress }` for each change of the caller’s notes',
    data: Nothing,
    file: 'text/event-stream',
  },
  changeTranscriptions: {
    service: 'transcription',
    access: 'user',
    summary: 'Delete or refresh several transcriptions; those that could not be are named with the reason',
    body: BulkBody,
    data: z.object({
      done: z.array(z.string()),
      failed: z.array(z.object({ id: z.string(), message: z.string() })),
    }),
  },
  exportTranscriptions: {
    service: 'transcription',
    access: 'user',
    summary: 'Several transcripts, or all, as files in a zip',
    body: ExportManyBody,
    data: Nothing,
    file: 'application/zip',
  },
  transcription: {
    service: 'transcription',
    access: 'user',
    summary: 'A transcription with its segments, times and audio',
    params: IdParams,
    data: z.object({ transcription: TranscriptionDocument }),
  },
  editTranscription: {
    service: 'transcription',
    access: 'user',
    summary: 'Correct title or text, or bring the original back; `If-Match` with the version guards it',
    params: IdParams,
    body: EditTranscriptionBody,
    data: z.object({ transcription: TranscriptionDocument }),
  },
  transcriptionAudio: {
    service: 'transcription',
    access: 'link',
    summary: 'The file as it came, with ranges; `audioUrl` of a transcription needs no header',
    params: IdParams,
    query: AudioQuery,
    data: Nothing,
    file: '*/*',
  },
  exportTranscription: {
    service: 'transcription',
    access: 'user',
    summary: 'The transcript as a file',
    params: IdParams,
    query: ExportQuery,
    data: Nothing,
    file: '*/*',
  },
  deleteTranscription: {
    service: 'transcription',
    access: 'user',
    summary: 'Delete a transcription and its audio',
    params: IdParams,
    data: Nothing,
  },
  refreshTranscription: {
    service: 'transcription',
    access: 'user',
    summary: 'Transcribe the stored audio again; never charged twice',
    params: IdParams,
    body: RefreshTranscriptionBody,
    data: z.object({ transcription: Transcription }),
  },

  contact: {
    service: 'notification',
    access: 'open',
    summary: 'Write to support',
    body: ContactBody,
    data: Nothing,
  },
  config: {
    service: 'gateway',
    access: 'open',
    summary: 'What the web app needs to know',
    data: PublicConfig,
  },
} as const satisfies { [K in keyof typeof PATHS]: CallShape }

export type Api = {
  [K in keyof typeof PATHS]: (typeof calls)[K] & {
    method: (typeof PATHS)[K][0]
    path: (typeof PATHS)[K][1]
  }
}

/** Every call of the product, below `/api`: services implement them, the web app calls them, OpenAPI describes them. */
export const api = Object.fromEntries(
  (Object.keys(PATHS) as (keyof typeof PATHS)[]).map(name => {
    const [method, path] = PATHS[name]
    return [name, { ...calls[name], method, path }]
  }),
) as unknown as Api

/** `data` of the calls whose answer the gateway completes with what another service knows. */
export interface Composed {
  register: z.infer<typeof Tokens> & { user: User }
  login: z.infer<typeof Tokens> & { user: User }
  profile: { user: User }
  replaceProfile: { user: User }
  updateProfile: { user: User }
  subscriptionDetails: SubscriptionDetails
}
