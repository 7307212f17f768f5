import { UI_LANGUAGES } from '@voxscribe/languages'
import { z } from 'zod'
import { GIST_CHOICES, HOOK_EVENTS, LATE_ANSWERS, SIGN_UP } from '../knowledge/business.ts'
import { NOTE_SOURCES } from '../knowledge/channels.ts'
import { GIST_LINES_MAX } from '../knowledge/limits.ts'
import { PLAN_NAMES } from '../knowledge/plans.ts'
import { ReasonSchema } from './reason.ts'

export { CountryItem } from '../knowledge/country-item.ts'

export const FieldError = z.object({
  /** Dotted path; `""` for the whole body. */
  field: z.string(),
  message: z.string(),
  /** Stable code, if the message has facts or if only the service can judge the input. */
  code: z.string().optional(),
})
export const Failure = z
  .object({
    success: z.literal(false),
    message: z.string(),
    code: z.string(),
    errors: z.array(FieldError).optional(),
  })
  .meta({
    id: 'Failure',
    description: 'What went wrong, in one sentence; `errors` names the fields of bad input.',
  })

// Answers, which are the `data` of the envelope.

export const PlanName = z.enum(PLAN_NAMES)
export const SubscriptionState = z.enum(['active', 'paused', 'canceling', 'canceled'])

/** Minutes have one decimal and are at least 0. */
export const Subscription = z.object({
  plan: PlanName,
  status: SubscriptionState,
  /** Null: no limit. */
  subscription_minutes: z.number().nullable(),
  used_minutes: z.number(),
  current_period_end: z.iso.datetime(),
})
export const SubscriptionStatus = Subscription.extend({
  remaining_minutes: z.number().nullable(),
  payment_problem: z.boolean(),
})

/** A user as auth knows it; the gateway adds `subscription`. */
export const Profile = z.object({
  id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  name: z.string(),
  email: z.string(),
  /** Digits without the country prefix; empty once another account has proved the number. */
  wtp_number: z.string(),
  country_code: z.string(),
  wa_language: z.string(),
  /** Language of page, chat and mails. */
  ui_language: z.enum(UI_LANGUAGES),
  /** Time zone of dates in chat and mail: the browser's, else that of most people in the person's country. */
  time_zone: z.string(),
  /** Whether a text that WhatsApp no longer accepts is also mailed, or only sent with the person's next message. */
  late_answers: z.enum(LATE_ANSWERS),
  /** Notes that get a gist automatically, if there is a text model. */
  gist: z.enum(GIST_CHOICES),
  /** Whether audio is kept after its text is ready. */
  keep_audio: z.boolean(),
  /** Days until stored audio is deleted; at most the installation's limit. */
  retention_days: z.int(),
  /** Code that binds a message's sender to the account. Absent for callers by API key, as it can move the account. */
  link_code: z.string().optional(),
  /** Whether the account's number has sent the link code. */
  linked: z.boolean(),
  /** True if a Telegram chat is linked, too; absent otherwise. A new number ends that link. */
  telegram_linked: z.boolean().optional(),
  /** True if the person has removed the password and signs in by other means; absent otherwise. */
  without_password: z.boolean().optional(),
})
export const User = Profile.extend({ subscription: Subscription })
export const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string() })

/** Next step if the provider knows a person but no account does: link that address's account, or open a new one. */
export const OidcNext = z.discriminatedUnion('next', [
  z.object({
    next: z.literal('link'),
    ticket: z.string(),
    /** The account's address, masked. */
    email: z.string(),
  }),
  z.object({
    next: z.literal('register'),
    ticket: z.string(),
    /** Null unless the provider has verified it. */
    email: z.string().nullable(),
    first_name: z.string(),
    last_name: z.string(),
  }),
])
export type OidcNext = z.infer<typeof OidcNext>

export const SignedInDevice = z.object({
  id: z.string(),
  /** `Firefox on Windows`, or `Unknown device`. */
  device: z.string(),
  createdAt: z.iso.datetime(),
  /** Time of the last renewal of its tokens. */
  lastUsedAt: z.iso.datetime(),
  /** Whether this session made the call. */
  current: z.boolean(),
})
export type SignedInDevice = z.infer<typeof SignedInDevice>

/** A person's open invitation. Its token is only in the mail. */
export const Invitation = z.object({ id: z.string(), email: z.string(), expiresAt: z.iso.datetime() })
export type Invitation = z.infer<typeof Invitation>

/** A key on a person's device for signing in; `id` is the credential's. */
export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

/** Scope of a key; neither includes the other. */
export const KeyScope = z.enum(['read', 'write'])
export type KeyScope = z.infer<typeof KeyScope>

/** A person's key for a program, sent as `Authorization: Bearer vox_…`. Only the creating answer has the secret. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(KeyScope),
  /** Beginning of the secret, by which the owner recognizes the key. */
  prefix: z.string(),
  createdAt: z.iso.datetime(),
  /** Null: never. */
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  lastAddress: z.string().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

/** A program that asks to be connected. Its name isn't verified; only the host is certain. */
export const ConnectRequest = z.object({
  client: z.object({
    name: z.string(),
    /** Host of the program's metadata document; for a registered program, of the address that receives the code. */
    host: z.string(),
    /** Host of the address that receives the code. */
    redirectHost: z.string(),
    verified: z.literal(false),
  }),
  scopes: z.array(KeyScope),
  resource: z.string(),
  /** Time at which the connection ends if it is not used. */
  expires: z.iso.datetime(),
})
export type ConnectRequest = z.infer<typeof ConnectRequest>

/** A program that a person has connected by OAuth. */
export const OAuthGrant = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  scopes: z.array(KeyScope),
  resource: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
})
export type OAuthGrant = z.infer<typeof OAuthGrant>

export const HookEvent = z.enum(HOOK_EVENTS)
export type HookEvent = z.infer<typeof HookEvent>

/** A person's own address that receives what happens to their notes. Only the answer that creates it has the secret. */
export const Hook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(HookEvent),
  /** Empty if the person gave none. */
  description: z.string(),
  /** False once turned off: by the person, by an answer 410, or after five days in which every delivery failed. */
  enabled: z.boolean(),
  /** `password_changed`: older than the password, so someone else may have made it. It can be turned on again. */
  disabledReason: z.enum(['password_changed']).nullable(),
  createdAt: z.iso.datetime(),
  /** Time of the last successful delivery; null before the first. */
  lastUsedAt: z.iso.datetime().nullable(),
})
export type Hook = z.infer<typeof Hook>

export const HookDelivery = z.object({
  /** `webhook-id` of the message; the same for every try. */
  id: z.string(),
  type: z.enum([...HOOK_EVENTS, 'test']),
  /** `waiting`: for the first or next try. `failed`: there are no more tries. */
  status: z.enum(['waiting', 'delivered', 'failed']),
  createdAt: z.iso.datetime(),
  tries: z.int(),
  lastTriedAt: z.iso.datetime().nullable(),
  nextTryAt: z.iso.datetime().nullable(),
  /**
   * Reason why the last try failed; null if it didn't. `status`: not 2xx. `redirect`: redirects aren't followed.
   * `gone`: 410, which turned the hook off. `connection`: no connection, or a broken one. `hook_off`: the hook was
   * turned off before the try.
   */
  failure: z
    .enum(['status', 'redirect', 'gone', 'timeout', 'connection', 'private_address', 'hook_off'])
    .nullable(),
  /** Status code of the last answer; null if there was none. */
  statusCode: z.int().nullable(),
  /** The first 1,000 characters of the last answer's body, or the error's code if there was no connection. */
  answer: z.string(),
})
export type HookDelivery = z.infer<typeof HookDelivery>

export const LanguageItem = z.object({ id: z.string(), label: z.string() })

export const Pagination = z.object({
  page: z.int(),
  limit: z.int(),
  total: z.int(),
  totalPages: z.int(),
  /** `total` and `totalPages` are lower bounds: request pages until one is not full. */
  totalIsMinimum: z.literal(true).optional(),
})

export const TranscriptionStatus = z.enum(['processing', 'completed', 'failed'])
export const Transcription = z.object({
  id: z.string(),
  /** True for the sample note of a new account, which is in no count, export or search. */
  sample: z.boolean().optional(),
  fileName: z.string(),
  /** Title from the person or the file name, else the gist's line or the text's first sentence, up to 60 characters. */
  title: z.string(),
  titleFrom: z.enum(['person', 'file', 'gist', 'text', 'none']),
  /** As the person wrote them, without `#`. */
  tags: z.array(z.string()),
  /** `whatsapp`, `twilio`, `telegram`, `web` or `api`. */
  source: z.string(),
  /** The engine that recognized the note, and why each engine before it didn't; null until then. */
  engine: z
    .object({
      name: z.string(),
      model: z.string().nullable(),
      instead: z.array(z.object({ name: z.string(), reason: z.string() })),
    })
    .nullable(),
  edited: z.boolean(),
  /** Number of changes; `If-Match` is compared with it. */
  version: z.int(),
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
  /** `No speech found`, or why a note still waits, in English. */
  notice: z.string().nullable(),
  /** The notices as stable codes with their facts, for programs and other languages. */
  notices: z.array(ReasonSchema),
  /** Reason for the failure and what to do, in English. */
  error: z.string().nullable(),
  /** The error as a stable code with its facts. */
  failure: ReasonSchema.nullable(),
  /** Whether the audio still exists, so that the note can be transcribed again. */
  audioAvailable: z.boolean(),
  /** Id of the note with the same audio whose text this one got. */
  sameAs: z.string().nullable(),
  /** Speakers, by the ids in segments and paragraphs; `name` is null until someone names them. */
  speakers: z.array(z.object({ id: z.string(), name: z.string().nullable() })).default([]),
  /** Number of voices found; null until they have been looked for. */
  voices: z.int().nullable().default(null),
  /** Conversation that the note came with, and its message's number there; null if no message names its file. */
  conversation: z
    .object({ id: z.string(), name: z.string(), n: z.int().nullable() })
    .nullable()
    .default(null),
  /** The person in that conversation who sent it. */
  sender: z.object({ id: z.string(), name: z.string() }).nullable().default(null),
})
const Word = z.object({
  from: z.number(),
  to: z.number(),
  text: z.string(),
  /** 0 to 1; null when the engine gives none. */
  confidence: z.number().nullable(),
})
/** A stretch of a transcript; times in seconds of the note. */
export const Segment = Word.extend({
  id: z.string(),
  words: z.array(Word).optional(),
  /** Id of the speaker, if speakers are told apart. */
  speaker: z.string().optional(),
})
const MadeByModel = {
  language: z.string(),
  model: z.string(),
  at: z.iso.datetime(),
  /** Whether the text has changed since then. */
  stale: z.boolean(),
}
const Task = z.object({ text: z.string(), due: z.iso.date().nullable(), done: z.boolean() })
/** A to-do of a note; `n` is its place in the gist's tasks, from 1. */
export const Todo = Task.extend({
  transcriptionId: z.string(),
  n: z.int().positive(),
  /** The note's title, and the time at which the note came. */
  title: z.string(),
  createdAt: z.iso.datetime(),
})
/** A verbatim passage of a note. */
export const Passage = z.object({
  transcriptionId: z.string(),
  /** The note's title, and the time at which the note came. */
  title: z.string(),
  at: z.iso.datetime(),
  /** Id of its first segment, and the second at which it begins. */
  segment: z.string(),
  start: z.number(),
  text: z.string(),
})
/** The answer to a question: claims, each with the quotes that support it. */
export const Answered = z.object({
  found: z.boolean(),
  answer: z.array(z.object({ text: z.string(), quotes: z.array(Passage).min(1) })),
  /** The nearest passages, if there is no answer. */
  passages: z.array(Passage),
  /** Words that a text model chose for the search, in addition to the question's. */
  searched: z.array(z.string()),
  /** Texts of a text model that the person has left today; null without a limit or a model. */
  left: z.int().nullable(),
})
/** The gist of a note, in the language of the reader who asked for it. */
export const Gist = z.object({
  lines: z.array(z.string()).min(1).max(GIST_LINES_MAX),
  /** Things to do; `due` is a day, or null if none was named. */
  tasks: z.array(Task),
  ...MadeByModel,
})
/** A person's form, in which a text model writes what a note says. */
export const Form = z.object({
  id: z.string(),
  name: z.string(),
  instruction: z.string(),
  /** New notes that get the text automatically; null: no notes. */
  auto: z
    .object({
      tags: z.array(z.string()).optional(),
      minSeconds: z.number().optional(),
      sources: z.array(z.enum(NOTE_SOURCES)).optional(),
    })
    .nullable(),
})
/** The text of a note in one of the person's forms; `name` is the form's name when the text was made. */
export const FormText = z.object({
  formId: z.string(),
  name: z.string(),
  status: z.enum(['working', 'done', 'failed']),
  /** Empty unless `done`. */
  text: z.string(),
  at: z.iso.datetime(),
  stale: z.boolean(),
})
/** A note's passages in another language, by segment id. */
export const Translation = z.object({
  segments: z.array(z.object({ id: z.string(), text: z.string() })),
  ...MadeByModel,
})
/** A note as its own page shows it. */
export const TranscriptionDocument = Transcription.extend({
  /** The engine that recognized it; null until then. */
  engine: z.object({ name: z.string(), model: z.string().nullable() }).nullable(),
  /** The engines before it, each with a code for why it didn't recognize the note. */
  passedOver: z.array(z.object({ name: z.string(), reason: z.string() })),
  segments: z.array(Segment),
  /** The segments, joined until another speaker, a pause of 1.5 s or, after 80 words, the end of a sentence. */
  paragraphs: z.array(
    z.object({ from: z.number(), to: z.number(), text: z.string(), speaker: z.string().optional() }),
  ),
  /** Progress of telling the speakers apart, 0 to 1; null when that isn't under way. */
  speakersProgress: z.number().nullable(),
  /** While processing: the text that is finished so far, and up to which second; otherwise null. */
  partial: z
    .object({
      text: z.string(),
      seconds: z.number(),
      /** Estimated seconds for the rest; null if unknown. */
      secondsLeft: z.number().nullable(),
    })
    .nullable(),
  /** False if times were estimated from the text instead of measured by the engine. */
  timesExact: z.boolean(),
  /** Steps in the note's life; `ms` is how long each took, if known. */
  timeline: z.array(
    z.object({
      step: z.string(),
      at: z.iso.datetime(),
      ms: z.int().nullable(),
      /** Reason in English, or the engine. */
      detail: z.string().nullable(),
      /** Reason as a stable code with its facts. */
      reason: ReasonSchema.nullable(),
    }),
  ),
  /** The text as recognized; null unless edited. */
  original: z.object({ text: z.string(), segments: z.array(Segment) }).nullable(),
  /** Works without a header for 10 minutes, and supports ranges; null once the audio has been deleted. */
  audioUrl: z.string().nullable(),
  /** Loudness over the note's length, 0 to 1, in about 400 values; empty if unknown. */
  levels: z.array(z.number()),
  /** Null until it is requested, or made automatically. */
  gist: Gist.nullable(),
  translations: z.array(Translation),
  /** Texts in the person's own forms. */
  texts: z.array(FormText),
  /** Link by which anyone can read the note; null if there is none. */
  share: z
    .object({
      url: z.string(),
      expiresAt: z.iso.datetime(),
      views: z.int(),
      audio: z.boolean(),
    })
    .nullable(),
})
/** A note as people with its link see it. */
export const SharedNote = TranscriptionDocument.pick({
  title: true,
  titleFrom: true,
  source: true,
  date: true,
  text: true,
  paragraphs: true,
  segments: true,
  speakers: true,
  audioUrl: true,
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
  /** If a search finds nothing: the same search with one typo corrected that does; otherwise null. */
  suggestion: z.string().nullable(),
})
export const TranscriptionStats = Statistics.extend({
  /** Bytes. */
  totalFileSize: z.int(),
  totalSeconds: z.number(),
  /** Ids of the languages of the account's notes, with `auto` while one is unknown. */
  languages: z.array(z.string()),
  /** Tags of all notes, in alphabetical order. */
  tags: z.array(z.string()),
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
/** Billing's part of the answer; the gateway adds `usageStats`. */
export const BillingDetails = z.object({
  subscription: z.object({
    status: SubscriptionState,
    plan: PlanName,
    usedMinutes: z.number(),
    subscriptionMinutes: z.number().nullable(),
    minutesLeft: z.number().nullable(),
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
/** A note's line in the ledger, as billing knows it; the gateway adds the title. */
export const UsageLine = z.object({
  transcriptionId: z.string(),
  /** Seconds that the note has cost, or that are reserved while it is under way. */
  seconds: z.number(),
  at: z.iso.datetime(),
  /** Seconds left in the account at that time, null without a limit; for a reserved line, less all reservations. */
  balanceSeconds: z.number().nullable(),
  /** True for the reservation of a note under way; absent otherwise. */
  reserved: z.literal(true).optional(),
})
/** The title is null if the note is gone. */
export const UsageEntry = UsageLine.extend({ title: z.string().nullable() })
const Speech = z.object({
  /** Engines that can recognize speech now, best first; if empty, notes wait. */
  engines: z.array(
    z.object({
      name: z.string(),
      /** Unset: the same as its name. */ kind: z.string().optional(),
      model: z.string(),
    }),
  ),
  /** Ids of the languages that these engines cover together. */
  languages: z.union([z.literal('all'), z.array(z.string())]),
  /** Whether speakers can be told apart by their voices. */
  speakers: z.boolean(),
  /** Average seconds of work per minute of audio since the start; unset before the first note. */
  secondsPerMinute: z.number().optional(),
})
/**
 * `textModel`: whether gists and translations can be made. `preview`: whether words can be shown during a recording.
 * `try`: whether a visitor may record a note.
 */
export const SpeechHere = Speech.extend({ textModel: z.boolean(), preview: z.boolean(), try: z.boolean() })
export const PublicConfig = z.object({
  /** E.164 digits without `+`. */
  whatsappNumber: z.string(),
  /** Opens the chat with a prefilled text, in which `{code}` stands for the URL-encoded link code. */
  chatUrl: z.string(),
  /** Address of the Telegram bot, which takes the link code as `?start=`; null without a bot. */
  telegramUrl: z.string().nullable(),
  /** Whether the sandbox replaces WhatsApp. */
  sandbox: z.boolean(),
  priceId: z.string(),
  supportEmail: z.string(),
  maxFileBytes: z.int(),
  /** Days until stored audio is deleted, unless the person has chosen fewer. */
  retentionDays: z.int(),
  /** Days until a message that couldn't be processed is deleted, at the latest. */
  deadLetterDays: z.int(),
  /** Free minutes per month; null: no limit. */
  freeMinutes: z.int().nullable(),
  plans: z.boolean(),
  paidMinutes: z.int(),
  price: z.number(),
  currency: z.string(),
  /**
   * `passwords`: whether people can sign in with them. `oidc`: name of the installation's own provider, if any.
   * `signUp`: rule for new accounts: open, by invitation, or closed. `passkeys`: whether people can sign in with them.
   */
  signIn: z.object({
    passwords: z.boolean(),
    oidc: z.string().nullable(),
    signUp: z.enum(SIGN_UP),
    passkeys: z.boolean(),
  }),
  /** The operator's own texts; null: the app's. */
  legal: z.object({
    privacy: z.string().nullable(),
    terms: z.string().nullable(),
    cookies: z.string().nullable(),
  }),
  speech: Speech,
  textModel: SpeechHere.shape.textModel,
  preview: SpeechHere.shape.preview,
  try: SpeechHere.shape.try,
})

/** An account's minutes in its current period; null without a limit. */
export const Balance = z.object({
  remainingSeconds: z.number().nullable(),
  usedSeconds: z.number(),
  totalSeconds: z.number().nullable(),
  plan: z.string(),
  periodStart: z.iso.datetime(),
  periodEnd: z.iso.datetime(),
})
export type Balance = z.infer<typeof Balance>

/** A program that was admitted by its API key. */
export const Admitted = z.object({
  userId: z.string(),
  accessToken: z.string(),
  scopes: z.array(KeyScope),
  /** `points`: calls per window that a person may make with all keys together. */
  limit: z.object({ points: z.number(), left: z.number(), resetSeconds: z.number() }),
})

export type FieldError = z.infer<typeof FieldError>
export type Failure = z.infer<typeof Failure>
export type Profile = z.infer<typeof Profile>
export type User = z.infer<typeof User>
export type Subscription = z.infer<typeof Subscription>
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>
export type LanguageItem = z.infer<typeof LanguageItem>
export type Pagination = z.infer<typeof Pagination>
export type Transcription = z.infer<typeof Transcription>
export type Segment = z.infer<typeof Segment>
export type Gist = z.infer<typeof Gist>
export type Todo = z.infer<typeof Todo>
export type Passage = z.infer<typeof Passage>
export type Answered = z.infer<typeof Answered>
export type Form = z.infer<typeof Form>
export type FormText = z.infer<typeof FormText>
export type Translation = z.infer<typeof Translation>
export type TranscriptionDocument = z.infer<typeof TranscriptionDocument>
export type SharedNote = z.infer<typeof SharedNote>
export type Statistics = z.infer<typeof Statistics>
export type TranscriptionStats = z.infer<typeof TranscriptionStats>
export type Payment = z.infer<typeof Payment>
export type BillingDetails = z.infer<typeof BillingDetails>
export type SubscriptionDetails = z.infer<typeof SubscriptionDetails>
export type VerifiedSession = z.infer<typeof VerifiedSession>
export type UsageLine = z.infer<typeof UsageLine>
export type UsageEntry = z.infer<typeof UsageEntry>
export type PublicConfig = z.infer<typeof PublicConfig>
