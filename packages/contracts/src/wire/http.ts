import { z } from 'zod'
import {
  HOOK_DELIVERY_DAYS,
  TODO_NOTES_MAX,
  TRIES_PER_ADDRESS,
  TRIES_PER_BROWSER,
  TRY_SECONDS,
} from '../knowledge/limits.ts'
import * as answers from './answers.ts'
import * as chats from './conversations.ts'
import type { CallShape } from './endpoint.ts'
import { PATHS } from './paths.ts'
import * as requests from './requests.ts'

export * from './answers.ts'
export * from './conversations.ts'
export * from './endpoint.ts'
export * from './requests.ts'

const Nothing = z.null()
/** As the browser's JSON has it; the standard defines the fields. */
const WebAuthnOptions = z.looseObject({ challenge: z.string() })
const AuthData = z.object({ user: answers.Profile }).extend(answers.Tokens.shape)
const ProfileData = z.object({ user: answers.Profile })

const Item = z.object({ transcription: answers.Transcription })
const Document = z.object({ transcription: answers.TranscriptionDocument })
const WithHook = z.object({ hook: answers.Hook })
const WithSecret = WithHook.extend({ secret: z.string() })
const OwnWordsInUse = requests.OwnWords.extend({
  /** The engine that notes go to now; `takes`: the form in which it accepts words, or null. Null without an engine. */
  engine: z
    .object({ name: z.string(), model: z.string(), takes: z.enum(['keywords', 'prompt']).nullable() })
    .nullable(),
})
const WithConversation = z.object({ conversation: chats.Conversation })
const WithForm = z.object({ form: answers.Form })
const WithDelivery = z.object({ delivery: answers.HookDelivery })

/** Declares a call of a service; its method, path and parameters are in `PATHS`. */
const callOf =
  <S extends CallShape['service'], const Shared extends Partial<CallShape>>(service: S, shared: Shared) =>
  <Data extends z.ZodType, const More extends Partial<CallShape> = object>(
    summary: string,
    data: Data,
    more = {} as More,
  ) => ({ service, summary, data, ...shared, ...more })

const authOpen = callOf('auth', { access: 'open' })
const auth = callOf('auth', { access: 'user' })
const billing = callOf('billing', { access: 'user' })
const ofPerson = callOf('transcription', { access: 'user' })
const reading = callOf('transcription', { access: 'user', scope: 'read' })
const writing = callOf('transcription', { access: 'user', scope: 'write' })
const shared = callOf('transcription', { access: 'open' })
const notification = callOf('notification', { access: 'user' })
const internalOfNotes = callOf('transcription', { access: 'internal' })

const calls = {
  register: authOpen('Create an account', AuthData, { status: 201, body: requests.RegisterBody }),
  login: authOpen('Sign in', AuthData, { body: requests.LoginBody }),
  passkeySignInOptions: authOpen(
    'Begin a sign-in with a passkey: options for `navigator.credentials.get`',
    z.object({ options: WebAuthnOptions }),
  ),
  passkeySignIn: authOpen('Sign in with a passkey: the result of `navigator.credentials.get`', AuthData, {
    body: requests.PasskeySignInBody,
  }),
  beginOidc: authOpen(
    'Begin a sign-in with the OpenID provider: the address to send the browser to; it returns to `/signed-in`',
    z.object({ url: z.url() }),
  ),
  oidcSignIn: authOpen(
    'Sign in with the OpenID provider’s answer: a session, or a ticket for `oidcLink` or `register`',
    z.union([AuthData, answers.OidcNext]),
    { body: requests.OidcSignInBody },
  ),
  oidcLink: authOpen(
    'Link a sign-in with the OpenID provider to the account with its address, by password or mailed link',
    AuthData.nullable(),
    { body: requests.OidcLinkBody },
  ),
  logout: authOpen('Sign out: ends the session of the refresh token', Nothing, {
    body: requests.RefreshBody,
  }),
  refresh: authOpen('Exchange a refresh token for new tokens', answers.Tokens, {
    body: requests.RefreshBody,
  }),
  forgotPassword: authOpen('Ask for a password reset e-mail', Nothing, { body: requests.ForgotPasswordBody }),
  resetPassword: authOpen('Set a new password with the token from the e-mail', Nothing, {
    body: requests.ResetPasswordBody,
  }),
  confirmEmail: authOpen('Confirm an e-mail address with the token from the e-mail', Nothing, {
    body: requests.MailedLinkBody,
  }),
  undoEmail: authOpen('Undo a change of e-mail address with the token from the e-mail', Nothing, {
    body: requests.MailedLinkBody,
  }),
  undoNumber: authOpen('Undo a change of number with the token from the e-mail', Nothing, {
    body: requests.MailedLinkBody,
  }),
  countries: authOpen('Countries with their phone codes', z.array(answers.CountryItem)),
  languages: authOpen('Languages to choose from for transcripts', z.array(answers.LanguageItem)),
  profile: auth('The signed-in user', ProfileData, { scope: 'read' }),
  replaceProfile: auth('Change the profile', ProfileData, { body: requests.UpdateProfileBody }),
  updateProfile: auth('Change the profile', ProfileData, { body: requests.UpdateProfileBody }),
  exportAccount: callOf('gateway', { access: 'user' })(
    'Everything kept about the account, as a ZIP; `x-expected-bytes` is its approximate size',
    Nothing,
    { file: 'application/zip' },
  ),
  eraseAccount: auth('Delete the account and everything in it', Nothing, {
    body: requests.EraseAccountBody,
  }),
  sessions: auth(
    'The devices on which the caller is signed in, most recently used first',
    z.object({ sessions: z.array(answers.SignedInDevice) }),
  ),
  endSession: auth('Sign out on one device', Nothing),
  endOtherSessions: auth(
    'Sign out on all devices but this one, which gets new tokens; also replaces the link code',
    answers.Tokens,
  ),
  changePassword: auth(
    'Change the password; ends all other sessions and all API keys, and gives new tokens to this session',
    answers.Tokens,
    { body: requests.ChangePasswordBody },
  ),
  removePassword: auth('Remove the password, if there is another way to sign in', Nothing, {
    body: requests.ProvePasswordBody,
  }),
  passkeys: auth('The caller’s passkeys', z.object({ passkeys: z.array(answers.Passkey) })),
  passkeyOptions: auth(
    'Begin adding a passkey: options for `navigator.credentials.create`',
    z.object({ options: WebAuthnOptions }),
  ),
  addPasskey: auth(
    'Add the passkey made by `navigator.credentials.create`',
    z.object({ passkey: answers.Passkey }),
    { status: 201, body: requests.AddPasskeyBody },
  ),
  renamePasskey: auth('Rename a passkey', z.object({ passkey: answers.Passkey }), {
    body: requests.RenamePasskeyBody,
  }),
  removePasskey: auth('Remove a passkey', Nothing),
  invitations: auth(
    'The caller’s open invitations, if accounts need one',
    z.object({ invitations: z.array(answers.Invitation) }),
  ),
  invite: auth(
    'Invite someone by mail; replaces an earlier invitation to that address',
    z.object({ invitation: answers.Invitation }),
    { status: 201, body: requests.InviteBody },
  ),
  deleteInvitation: auth('Withdraw an invitation', Nothing),
  keys: auth('The caller’s API keys', z.object({ keys: z.array(answers.ApiKey) })),
  createKey: auth(
    'Make an API key; its secret is only returned here',
    z.object({ key: answers.ApiKey, secret: z.string() }),
    { status: 201, body: requests.CreateKeyBody },
  ),
  deleteKey: auth('Revoke an API key', Nothing),
  connectRequest: auth(
    'What a program asks for by OAuth, in the browser that it sent here',
    answers.ConnectRequest,
  ),
  answerConnectRequest: auth(
    'Allow or refuse a program; the browser continues to `redirectTo`',
    z.object({ redirectTo: z.string() }),
    { body: requests.AnswerConnectRequestBody },
  ),
  grants: auth(
    'The programs that the caller has connected by OAuth, newest first',
    z.object({ grants: z.array(answers.OAuthGrant) }),
  ),
  endGrant: auth('End a connection', Nothing),
  createCheckoutSession: billing(
    'Start the purchase of the paid plan',
    z.object({ url: z.string(), sessionId: z.string() }),
    { body: requests.CheckoutBody },
  ),
  subscriptionStatus: billing('Plan and minutes', answers.SubscriptionStatus),
  subscriptionDetails: billing('Plan, minutes, recent payments and usage', answers.BillingDetails),
  paymentHistory: billing(
    'Payments, newest first',
    z.object({ payments: z.array(answers.Payment), pagination: answers.Pagination }),
    { query: requests.PageQuery },
  ),
  usage: billing(
    'The ledger of minutes: one entry per note, newest first',
    z.object({ usage: z.array(answers.UsageLine), pagination: answers.Pagination }),
    { query: requests.PageQuery },
  ),
  verifySession: billing('The outcome of a purchase', answers.VerifiedSession, {
    body: requests.VerifySessionBody,
  }),
  cancelSubscription: billing('Cancel at the end of the period', answers.SubscriptionStatus, {
    whileBlocked: true,
  }),
  reactivateSubscription: billing('Undo a cancellation', answers.SubscriptionStatus),
  openPortal: billing('Open Stripe’s page for cards and invoices', z.object({ url: z.string() })),
  upload: callOf('ingestion', { access: 'user' })(
    'Transcribe a file; with `Idempotency-Key`, a repeat returns the same item (200)',
    Item,
    {
      scope: 'write',
      status: 201,
      repeatStatus: 200,
      headers: requests.UploadHeaders,
      form: requests.UploadForm,
    },
  ),
  transcriptions: reading('Transcriptions, newest first', answers.TranscriptionList, {
    query: requests.TranscriptionsQuery,
  }),
  transcriptionStats: reading('Counts, bytes and seconds of the whole account', answers.TranscriptionStats),
  transcriptionEvents: reading(
    'Server-sent events: `transcription` with `{ id, status, stage, progress }` for each change of the caller’s notes',
    Nothing,
    { file: 'text/event-stream' },
  ),
  changeTranscriptions: writing(
    'Delete, refresh or tag several transcriptions; failures are listed with the reason',
    z.object({
      done: z.array(z.string()),
      failed: z.array(z.object({ id: z.string(), message: z.string() })),
      /** Number of deleted notes whose minutes were charged. */
      charged: z.int(),
      /** Number of deleted notes of which only the transcribed part was charged, less a minute. */
      chargedInPart: z.int(),
    }),
    { body: requests.BulkBody },
  ),
  exportTranscriptions: reading('Several transcripts, or all, as files in a ZIP', Nothing, {
    body: requests.ExportManyBody,
    file: 'application/zip',
  }),
  previewText: callOf('transcription', { access: 'user' })(
    'The words of a piece of a recording in progress; nothing is kept',
    z.object({ text: z.string(), language: z.string() }),
    { query: requests.PreviewQuery, bodyFile: 'audio/*' },
  ),
  tryNote: shared(
    `The words of one note of at most ${TRY_SECONDS} s, without an account; nothing is kept. ${TRIES_PER_BROWSER} a day per browser, ${TRIES_PER_ADDRESS} per address, and only while no note is being worked on`,
    z.object({ text: z.string(), language: z.string(), seconds: z.number() }),
    { form: requests.TryForm },
  ),
  transcription: reading(
    'A transcription with its segments, times and audio; `wait` waits up to that many seconds for its end, `heard` for more text',
    Document,
    { query: requests.WaitQuery },
  ),
  editTranscription: writing(
    'Correct title or text, or restore the original; `If-Match` with the version prevents overwriting',
    Document,
    { headers: requests.EditHeaders, body: requests.EditTranscriptionBody },
  ),
  exportTranscription: reading('The transcript as a file', Nothing, {
    query: requests.ExportQuery,
    file: '*/*',
  }),
  quoteTranscription: reading(
    'A passage as a ZIP: its sound, its text, and the SHA-256 of the file that it was cut from',
    Nothing,
    { query: requests.QuoteQuery, file: 'application/zip' },
  ),
  deleteTranscription: writing('Delete a transcription and its audio', Nothing),
  refreshTranscription: writing('Transcribe the stored audio again; never charged twice', Item, {
    body: requests.RefreshTranscriptionBody,
  }),
  findSpeakers: writing(
    'Tell the speakers of a note apart, in the background; `speakersProgress` of the note shows the progress',
    Document,
    { status: 202, body: requests.SpeakersBody },
  ),
  cancelSpeakers: writing('Cancel telling the speakers of a note apart', Document),
  translate: writing(
    'Translate a note, passage by passage; an existing translation is returned again',
    Document,
    {
      body: requests.TranslateBody,
    },
  ),
  makeGist: writing(
    'Make the gist and to-dos of a note, in the language of `Accept-Language`; existing ones are returned again',
    Document,
    { headers: requests.GistHeaders },
  ),
  makeText: writing(
    'Write a note in one of the caller’s forms; an existing text is returned again until the note or the form changes',
    Document,
    { headers: requests.GistHeaders, body: requests.MakeTextBody },
  ),
  forms: ofPerson(
    'The caller’s forms, and examples to begin with, in the language of `Accept-Language`',
    z.object({
      forms: z.array(answers.Form),
      examples: z.array(answers.Form.pick({ name: true, instruction: true })),
    }),
    { headers: requests.GistHeaders },
  ),
  createForm: ofPerson('Add a form', WithForm, { status: 201, body: requests.FormBody }),
  changeForm: ofPerson('Change a form', WithForm, { body: requests.ChangeFormBody }),
  deleteForm: ofPerson('Delete a form; its texts stay', Nothing),
  todos: reading(
    `To-dos of the newest ${TODO_NOTES_MAX} notes that have any: the open ones, or all with \`done=all\`; those with a due date first, then the newest`,
    z.object({ todos: z.array(answers.Todo) }),
    { query: requests.TodosQuery },
  ),
  tickTodo: writing('Mark a to-do as done or open', z.object({ todo: answers.Todo }), {
    body: requests.TodoBody,
  }),
  ask: ofPerson(
    'Answer a question from the notes, in claims with quotes; without an answer, `passages` are the nearest ones',
    answers.Answered,
    { body: requests.AskBody },
  ),
  shareTranscription: writing(
    'Share a note; the new link is only returned here and replaces the last one',
    z.object({ url: z.url(), expiresAt: z.iso.datetime() }),
    { body: requests.ShareBody },
  ),
  createConversation: writing(
    'Bring in a chat export; the same text returns the same conversation (200), a longer one adds what is new',
    WithConversation,
    { status: 201, repeatStatus: 200, body: chats.ConversationBody, bodyFile: 'application/json' },
  ),
  conversations: reading(
    'Conversations, latest first',
    z.object({ conversations: z.array(chats.ConversationRow), pagination: answers.Pagination }),
    { query: requests.PageQuery },
  ),
  conversation: reading('A conversation, with its notes and what its export lacks', WithConversation),
  changeConversation: writing(
    'Rename a conversation or its people, join two people, say who you are, or read its dates the other way',
    WithConversation,
    { body: chats.ChangeConversationBody },
  ),
  deleteConversation: writing('Delete a conversation, with its notes or without', Nothing, {
    query: chats.DeleteConversationQuery,
  }),
  exportConversation: reading(
    'A whole conversation as a file; `zip` has its text, recordings and digests',
    Nothing,
    {
      query: chats.ConversationExportQuery,
      file: '*/*',
    },
  ),
  shareConversation: writing(
    'Share a conversation; the new link is only returned here and replaces the last one',
    z.object({ url: z.url(), expiresAt: z.iso.datetime() }),
    { body: chats.ShareConversationBody },
  ),
  endConversationShare: writing('End the link of a conversation at once', Nothing),
  sharedMessages: shared('Messages of a shared conversation', chats.MessagePage, {
    query: chats.MessagesQuery,
  }),
  conversationMessages: reading('Messages of a conversation, in order', chats.MessagePage, {
    query: chats.MessagesQuery,
  }),
  words: ofPerson('The caller’s own words and replacements', OwnWordsInUse),
  replaceWords: ofPerson('Set own words and replacements, for future texts', OwnWordsInUse, {
    body: requests.OwnWords,
  }),
  endShare: writing('End the link of a note at once', Nothing),
  sharedNote: shared(
    'A shared note or conversation, without an account',
    z.union([answers.SharedNote, WithConversation]),
  ),
  sharedAudio: shared('The audio of a shared note, if it was shared, too', Nothing, {
    file: '*/*',
    ranges: true,
  }),
  transcriptionAudio: callOf('transcription', { access: 'link' })(
    'The original file, with ranges; `audioUrl` of a transcription needs no header',
    Nothing,
    { scope: 'read', query: requests.AudioQuery, file: '*/*', ranges: true },
  ),
  hooks: notification('The caller’s hooks', z.object({ hooks: z.array(answers.Hook) })),
  createHook: notification(
    'Make a hook, an address that is told what happens to your notes; its signing secret is only returned here',
    WithSecret,
    { status: 201, body: requests.CreateHookBody },
  ),
  changeHook: notification('Change a hook, or turn it on or off', WithHook, {
    body: requests.ChangeHookBody,
  }),
  deleteHook: notification('Delete a hook, with its deliveries', Nothing),
  rotateHook: notification(
    'Replace a hook’s secret, which is only returned here; for a day messages are signed with the old one, too',
    WithSecret,
  ),
  testHook: notification('Send a message of type `test` to a hook, on or off, once', WithDelivery),
  hookDeliveries: notification(
    `Messages to a hook in the last ${HOOK_DELIVERY_DAYS} days, newest first, at most 100`,
    z.object({ deliveries: z.array(answers.HookDelivery) }),
  ),
  deliverAgain: notification('Send a message to a hook again, with the same `webhook-id`', WithDelivery),
  contact: callOf('notification', { access: 'open' })('Write to support', Nothing, {
    body: requests.ContactBody,
  }),
  config: callOf('gateway', { access: 'open' })('What the web app needs to know', answers.PublicConfig),
  useKey: callOf('auth', { access: 'internal' })(
    'Exchange an API key, or an access token of OAuth, for an access token of its owner; counts the call',
    answers.Admitted,
    { body: requests.UseKeyBody },
  ),
  noteRenewalUse: callOf('auth', { access: 'internal' })(
    'Note that an access token of a renewal was used: the refresh token before it renews no more',
    Nothing,
    { body: requests.NoteRenewalUseBody },
  ),
  priceOnOffer: callOf('billing', { access: 'internal' })(
    'The price of the paid plan; empty: it is not sold',
    z.object({ priceId: z.string() }),
  ),
  balance: callOf('billing', { access: 'internal' })(
    'The minutes of an account, as if this note had been charged `seconds` already',
    answers.Balance,
    { query: z.object({ userId: z.string(), note: z.string(), seconds: z.coerce.number().nonnegative() }) },
  ),
  numberOnOffer: callOf('notification', { access: 'internal' })(
    'The WhatsApp number for new people, in digits',
    z.object({ number: z.string() }),
  ),
  telegramBot: callOf('notification', { access: 'internal' })(
    'Where the Telegram bot is opened; null: there is none, or Telegram has not named it yet',
    z.object({ url: z.string().nullable() }),
  ),
  exportOfBilling: callOf('billing', { access: 'internal' })(
    'All payments of a person and the whole ledger',
    z.object({ payments: z.array(answers.Payment), minutes: z.array(answers.UsageLine) }),
    { query: z.object({ userId: z.string() }) },
  ),
  conversationFile: internalOfNotes(
    'Where a recording belongs that is about to come; refuses an unknown conversation or file',
    answers.Transcription.pick({ conversation: true, sender: true }).extend({
      /** Time of its message; absent if no message names the file, whose time is that of its upload. */
      createdAt: z.iso.datetime().optional(),
      language: z.string().nullable(),
    }),
    { query: z.object({ userId: z.string(), conversation: z.string(), file: z.string() }) },
  ),
  noteReceived: internalOfNotes(
    'Lists a note before its `media-received` comes: what was answered can be read at once',
    Nothing,
    { body: z.unknown() },
  ),
  exportOfAuth: callOf('auth', { access: 'internal' })(
    'Addresses that a person has left and can take back, whom they have invited, and what they sign in by',
    z.object({
      formerEmails: z.array(z.object({ email: z.string(), until: z.iso.datetime() })),
      invitations: z.array(answers.Invitation),
      passkeys: z.array(answers.Passkey),
      providers: z.array(z.object({ issuer: z.string(), subject: z.string() })),
    }),
    { query: z.object({ userId: z.string() }) },
  ),
  exportOfIngestion: callOf('ingestion', { access: 'internal' })(
    'Numbers and ids of a person at the messengers',
    z.object({ senders: z.array(z.string()) }),
    { query: z.object({ userId: z.string() }) },
  ),
  exportOfNotification: callOf('notification', { access: 'internal' })(
    'What the hooks of a person were sent, newest first',
    z.object({
      deliveries: z.array(answers.HookDelivery.omit({ answer: true }).extend({ url: z.string() })),
    }),
    { query: z.object({ userId: z.string() }) },
  ),
  titles: internalOfNotes('Titles by id, without deleted notes', z.record(z.string(), z.string()), {
    query: z.object({ ids: z.string().transform(ids => ids.split(',')) }),
  }),
  speech: internalOfNotes('What this installation recognizes now', answers.SpeechHere),
  exportOfNotes: internalOfNotes('A zip of the files sent, and of every note with its audio', Nothing, {
    body: requests.ExportOfNotesBody,
    bodyMax: requests.KNOWN_MAX_BYTES,
    file: 'application/zip',
  }),
}

const PARAMS = {
  id: z.string().max(100),
  deliveryId: z.string().max(100),
  /** A credential's id has at most 1,023 bytes. */
  passkeyId: z.string().max(requests.CREDENTIAL_ID_MAX),
  transcriptionId: z.string().max(100),
  /** Not checked here: anything that isn't a number is not found. */
  n: z.string(),
  /** Of any length: a mistyped token is not found. */
  token: z.string(),
}
type ParamsIn<Path extends string> = {
  [K in keyof typeof PARAMS as Path extends `${string}/:${K}${string}` ? K : never]: (typeof PARAMS)[K]
}

/** Returns the schema of a path's parameters, if it has any. */
function paramsIn(path: string): Pick<CallShape, 'params'> {
  const found = Object.entries(PARAMS).filter(([name]) => path.includes(`/:${name}`))
  return found.length ? { params: z.object(Object.fromEntries(found)) } : {}
}

export type Api = {
  [K in keyof typeof PATHS]: (typeof calls)[K] & {
    method: (typeof PATHS)[K][0]
    path: (typeof PATHS)[K][1]
  } & ((typeof PATHS)[K][1] extends `${string}:${string}`
      ? { params: z.ZodObject<ParamsIn<(typeof PATHS)[K][1]>> }
      : object)
}

/** Every call: services implement them; web app, gateway and programs make them; OpenAPI describes the public ones. */
export const api = Object.fromEntries(
  (Object.keys(PATHS) as (keyof typeof PATHS)[]).map(name => {
    const [method, path] = PATHS[name]
    return [name, { ...calls[name], method, path, ...paramsIn(path) }]
  }),
) as unknown as Api

const withUser = z.object({ user: answers.User })
const withSession = withUser.extend(answers.Tokens.shape)
/** `data` of the calls whose answer the gateway completes with data of another service. */
export const composed = {
  register: withSession,
  login: withSession,
  passkeySignIn: withSession,
  oidcSignIn: z.union([withSession, answers.OidcNext]),
  oidcLink: withSession.nullable(),
  profile: withUser,
  replaceProfile: withUser,
  updateProfile: withUser,
  subscriptionDetails: answers.SubscriptionDetails,
  usage: z.object({ usage: z.array(answers.UsageEntry), pagination: answers.Pagination }),
} satisfies { [K in keyof Api]?: z.ZodType }
export type Composed = { [K in keyof typeof composed]: z.infer<(typeof composed)[K]> }
