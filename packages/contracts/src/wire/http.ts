import { z } from 'zod'
import * as answers from './answers.ts'
import type { CallShape } from './endpoint.ts'
import { PATHS } from './paths.ts'
import * as requests from './requests.ts'

export * from './answers.ts'
export * from './endpoint.ts'
export * from './requests.ts'

const Nothing = z.null()
const AuthData = z.object({ user: answers.Profile }).extend(answers.Tokens.shape)
const ProfileData = z.object({ user: answers.Profile })

/** Calls of one service with the same access. */
function callsOf<
  S extends CallShape['service'],
  A extends CallShape['access'],
  const Calls extends Record<string, Omit<CallShape, 'service' | 'access'>>,
>(service: S, access: A, calls: Calls) {
  const all = Object.entries(calls).map(([name, call]) => [name, { ...call, service, access }])
  return Object.fromEntries(all) as { [K in keyof Calls]: Calls[K] & { service: S; access: A } }
}

const calls = {
  ...callsOf('auth', 'open', {
    register: {
      status: 201,
      summary: 'Create an account',
      body: requests.RegisterBody,
      data: AuthData,
    },
    login: {
      summary: 'Sign in',
      body: requests.LoginBody,
      data: AuthData,
    },
    logout: {
      summary: 'Sign out: ends the session of the refresh token',
      body: requests.RefreshBody,
      data: Nothing,
    },
    refresh: {
      summary: 'Exchange a refresh token for new tokens',
      body: requests.RefreshBody,
      data: answers.Tokens,
    },
    forgotPassword: {
      summary: 'Ask for a password reset e-mail',
      body: requests.ForgotPasswordBody,
      data: Nothing,
    },
    resetPassword: {
      summary: 'Set a new password with the token of the e-mail',
      body: requests.ResetPasswordBody,
      data: Nothing,
    },
    undoEmail: {
      summary: 'Take a changed e-mail address back with the token of the e-mail',
      body: requests.UndoEmailBody,
      data: Nothing,
    },
    countries: {
      summary: 'Countries with their phone codes',
      data: z.array(answers.CountryItem),
    },
    languages: {
      summary: 'Languages a transcript may be expected in',
      data: z.array(answers.LanguageItem),
    },
  }),
  ...callsOf('auth', 'user', {
    profile: {
      summary: 'The signed-in user',
      data: ProfileData,
    },
    replaceProfile: {
      summary: 'Change the profile',
      body: requests.UpdateProfileBody,
      data: ProfileData,
    },
    updateProfile: {
      summary: 'Change the profile',
      body: requests.UpdateProfileBody,
      data: ProfileData,
    },
  }),
  ...callsOf('billing', 'user', {
    createCheckoutSession: {
      summary: 'Start the purchase of the paid plan',
      body: requests.CheckoutBody,
      data: z.object({ url: z.string(), sessionId: z.string() }),
    },
    subscriptionStatus: {
      summary: 'Plan and minutes',
      data: answers.SubscriptionStatus,
    },
    subscriptionDetails: {
      summary: 'Plan, minutes, recent payments and usage',
      data: answers.BillingDetails,
    },
    paymentHistory: {
      summary: 'Payments, newest first',
      query: requests.PageQuery,
      data: z.object({ payments: z.array(answers.Payment), pagination: answers.Pagination }),
    },
    usage: {
      summary: 'The ledger of minutes: one entry a note, newest first',
      query: requests.PageQuery,
      data: z.object({ usage: z.array(answers.UsageLine), pagination: answers.Pagination }),
    },
    verifySession: {
      summary: 'What became of a purchase',
      body: requests.VerifySessionBody,
      data: answers.VerifiedSession,
    },
    cancelSubscription: {
      summary: 'Cancel at the end of the period',
      data: answers.SubscriptionStatus,
    },
    reactivateSubscription: {
      summary: 'Take a cancellation back',
      data: answers.SubscriptionStatus,
    },
    openPortal: {
      summary: 'Open Stripe’s page for cards and invoices',
      data: z.object({ url: z.string() }),
    },
  }),
  ...callsOf('ingestion', 'user', {
    upload: {
      status: 201,
      summary: 'Transcribe a file; with `Idempotency-Key`, sending it again gives the same item (200)',
      form: requests.UploadForm,
      data: z.object({ transcription: answers.Transcription }),
    },
  }),
  ...callsOf('transcription', 'user', {
    transcriptions: {
      summary: 'Transcriptions, newest first',
      query: requests.TranscriptionsQuery,
      data: answers.TranscriptionList,
    },
    transcriptionStats: {
      summary: 'Counts, bytes and seconds of the whole account',
      data: answers.TranscriptionStats,
    },
    transcriptionEvents: {
      summary:
        'Server-sent events: `transcription` with `{ id, status, stage, progress }` for each change of the caller’s notes',
      data: Nothing,
      file: 'text/event-stream',
    },
    changeTranscriptions: {
      summary: 'Delete or refresh several transcriptions; those that could not be are named with the reason',
      body: requests.BulkBody,
      data: z.object({
        done: z.array(z.string()),
        failed: z.array(z.object({ id: z.string(), message: z.string() })),
      }),
    },
    exportTranscriptions: {
      summary: 'Several transcripts, or all, as files in a zip',
      body: requests.ExportManyBody,
      data: Nothing,
      file: 'application/zip',
    },
    transcription: {
      summary: 'A transcription with its segments, times and audio',
      params: requests.IdParams,
      data: z.object({ transcription: answers.TranscriptionDocument }),
    },
    editTranscription: {
      summary: 'Correct title or text, or bring the original back; `If-Match` with the version guards it',
      params: requests.IdParams,
      body: requests.EditTranscriptionBody,
      data: z.object({ transcription: answers.TranscriptionDocument }),
    },
    exportTranscription: {
      summary: 'The transcript as a file',
      params: requests.IdParams,
      query: requests.ExportQuery,
      data: Nothing,
      file: '*/*',
    },
    deleteTranscription: {
      summary: 'Delete a transcription and its audio',
      params: requests.IdParams,
      data: Nothing,
    },
    refreshTranscription: {
      summary: 'Transcribe the stored audio again; never charged twice',
      params: requests.IdParams,
      body: requests.RefreshTranscriptionBody,
      data: z.object({ transcription: answers.Transcription }),
    },
  }),
  ...callsOf('transcription', 'link', {
    transcriptionAudio: {
      summary: 'The file as it came, with ranges; `audioUrl` of a transcription needs no header',
      params: requests.IdParams,
      query: requests.AudioQuery,
      data: Nothing,
      file: '*/*',
    },
  }),
  ...callsOf('notification', 'open', {
    contact: {
      summary: 'Write to support',
      body: requests.ContactBody,
      data: Nothing,
    },
  }),
  ...callsOf('gateway', 'open', {
    config: {
      summary: 'What the web app needs to know',
      data: answers.PublicConfig,
    },
  }),
} satisfies { [K in keyof typeof PATHS]: CallShape }

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

const withUser = z.object({ user: answers.User })
const withSession = withUser.extend(answers.Tokens.shape)
/** `data` of the calls whose answer the gateway completes with what another service knows. */
export const composed = {
  register: withSession,
  login: withSession,
  profile: withUser,
  replaceProfile: withUser,
  updateProfile: withUser,
  subscriptionDetails: answers.SubscriptionDetails,
  usage: z.object({ usage: z.array(answers.UsageEntry), pagination: answers.Pagination }),
} satisfies { [K in keyof Api]?: z.ZodType }
export type Composed = { [K in keyof typeof composed]: z.infer<(typeof composed)[K]> }
