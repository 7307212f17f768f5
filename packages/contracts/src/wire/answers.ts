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
  /** A stable code, for input whose sentence has facts or which only we can judge. */
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

// Answers, as in `data` of the envelope.

export const PlanName = z.enum(PLAN_NAMES)
export const SubscriptionState = z.enum(['active', 'paused', 'canceling', 'canceled'])

/** Minutes to one decimal, floored at 0. */
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
  /** Of the dates in chat and mail: their browser's, else the one where most people of their country live. */
  time_zone: z.string(),
  /** Whether a text that WhatsApp does not take any more comes by mail too, or only with the person's next message. */
  late_answers: z.enum(LATE_ANSWERS),
  /** The notes whose gist is made by itself, where there is a text model. */
  gist: z.enum(GIST_CHOICES),
  /** Whether audio is kept after its text is there. */
  keep_audio: z.boolean(),
  /** Days until stored audio is deleted; at most the installation's. */
  retention_days: z.int(),
  /** A message must contain this to bind its sender to the account. Absent for a caller by API key: it moves the account. */
  link_code: z.string().optional(),
  /** Whether a message with the link code has come from the account's number. */
  linked: z.boolean(),
  /** A Telegram chat is linked, too; absent without one. Another number ends that. */
  telegram_linked: z.boolean().optional(),
  /** Its person has removed the password, and signs in by other means; absent with one. */
  without_password: z.boolean().optional(),
})
export const User = Profile.extend({ subscription: Subscription })
export const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string() })

/** A person whom the provider knows and no account does: one is there for the address, to be linked, or a new one opens. */
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
  /** When its tokens were renewed last. */
  lastUsedAt: z.iso.datetime(),
  /** Whether the call was made by it. */
  current: z.boolean(),
})
export type SignedInDevice = z.infer<typeof SignedInDevice>

/** An open invitation of a person's: its token is only in the mail. */
export const Invitation = z.object({ id: z.string(), email: z.string(), expiresAt: z.iso.datetime() })
export type Invitation = z.infer<typeof Invitation>

/** A key of a person's device by which they sign in; the id is the credential's. */
export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

/** The scope of a key; none contains another. */
export const KeyScope = z.enum(['read', 'write'])
export type KeyScope = z.infer<typeof KeyScope>

/** The key of a person's own program, as `Authorization: Bearer vox_…`. The secret itself is only in the answer that makes it. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(KeyScope),
  /** The secret's beginning, by which its owner knows it. */
  prefix: z.string(),
  createdAt: z.iso.datetime(),
  /** Null: never. */
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  lastAddress: z.string().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

/** A program that wants to be connected. Anybody can take any name: only the host is sure. */
export const ConnectRequest = z.object({
  client: z.object({
    name: z.string(),
    /** The host of its document; of the address that gets the code where it has registered. */
    host: z.string(),
    /** The host of the address that gets the code. */
    redirectHost: z.string(),
    verified: z.literal(false),
  }),
  scopes: z.array(KeyScope),
  resource: z.string(),
  /** When the connection ends if it is not used. */
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

/** An address of a person's own that is sent what happens to their notes. Its secret is only in the answer that makes it. */
export const Hook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(HookEvent),
  /** Empty when its person gave none. */
  description: z.string(),
  /** Turned off by its person, by an answer 410, or after five days in which every delivery failed. */
  enabled: z.boolean(),
  /** `password_changed`: it was made before the last password, perhaps by someone else, and can be turned on again. */
  disabledReason: z.enum(['password_changed']).nullable(),
  createdAt: z.iso.datetime(),
  /** When its address took a message last; null before the first. */
  lastUsedAt: z.iso.datetime().nullable(),
})
export type Hook = z.infer<typeof Hook>

export const HookDelivery = z.object({
  /** `webhook-id` of the message; the same at every try. */
  id: z.string(),
  type: z.enum([...HOOK_EVENTS, 'test']),
  /** `waiting`: for its first or next try. `failed`: it is not tried any more. */
  status: z.enum(['waiting', 'delivered', 'failed']),
  createdAt: z.iso.datetime(),
  tries: z.int(),
  lastTriedAt: z.iso.datetime().nullable(),
  nextTryAt: z.iso.datetime().nullable(),
  /**
   * Why the last try failed; null if it did not. `status`: another one than 2xx. `redirect`: these are not followed.
   * `gone`: 410, which turned the hook off. `connection`: none, or one that broke off. `hook_off`: it was off by then.
   */
  failure: z
    .enum(['status', 'redirect', 'gone', 'timeout', 'connection', 'private_address', 'hook_off'])
    .nullable(),
  /** Of the last answer; null when there was none. */
  statusCode: z.int().nullable(),
  /** The first 1,000 characters of the last answer's body; without a connection, the error's code. */
  answer: z.string(),
})
export type HookDelivery = z.infer<typeof HookDelivery>

export const LanguageItem = z.object({ id: z.string(), label: z.string() })

export const Pagination = z.object({
  page: z.int(),
  limit: z.int(),
  total: z.int(),
  totalPages: z.int(),
  /** There may be more than `total`, and than `totalPages`: ask for pages until one is not full. */
  totalIsMinimum: z.literal(true).optional(),
})

export const TranscriptionStatus = z.enum(['processing', 'completed', 'failed'])
export const Transcription = z.object({
  id: z.string(),
  /** The sample of a new account: an example of ours, which is in no count, export or search. */
  sample: z.boolean().optional(),
  fileName: z.string(),
  /** As the person typed it or named the file, else the gist's line or the text's first sentence, at most 60 characters. */
  title: z.string(),
  titleFrom: z.enum(['person', 'file', 'gist', 'text', 'none']),
  /** As the person wrote them, without `#`. */
  tags: z.array(z.string()),
  /** `whatsapp`, `twilio`, `telegram`, `web` or `api`. */
  source: z.string(),
  /** The engine that recognised it, and why none before it did; null until then. */
  engine: z
    .object({
      name: z.string(),
      model: z.string().nullable(),
      instead: z.array(z.object({ name: z.string(), reason: z.string() })),
    })
    .nullable(),
  edited: z.boolean(),
  /** Counts the changes; `If-Match` is compared with it. */
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
  /** The same as stable codes with their facts, for programs and other languages. */
  notices: z.array(ReasonSchema),
  /** Why it failed and what to do, in English. */
  error: z.string().nullable(),
  /** The same as a stable code with its facts. */
  failure: ReasonSchema.nullable(),
  /** Whether the audio is still there, so that it can be transcribed again. */
  audioAvailable: z.boolean(),
  /** The note whose text this one got because the audio is the same. */
  sameAs: z.string().nullable(),
  /** Those that are told apart, by the ids in segments and paragraphs; `name`: null until somebody names them. */
  speakers: z.array(z.object({ id: z.string(), name: z.string().nullable() })).default([]),
  /** How many voices were found; null while nobody has looked for them. */
  voices: z.int().nullable().default(null),
  /** The conversation that it came with, and its message's place there; null where no message names its file. */
  conversation: z
    .object({ id: z.string(), name: z.string(), n: z.int().nullable() })
    .nullable()
    .default(null),
  /** The person of that conversation who sent it. */
  sender: z.object({ id: z.string(), name: z.string() }).nullable().default(null),
})
const Word = z.object({
  from: z.number(),
  to: z.number(),
  text: z.string(),
  /** 0 to 1; null when the engine gives none. */
  confidence: z.number().nullable(),
})
/** A stretch of a transcript, with its times in seconds of the note. */
export const Segment = Word.extend({
  id: z.string(),
  words: z.array(Word).optional(),
  /** Id of who says it, where speakers are told apart. */
  speaker: z.string().optional(),
})
const MadeByModel = {
  language: z.string(),
  model: z.string(),
  at: z.iso.datetime(),
  /** Whether the text has changed since. */
  stale: z.boolean(),
}
const Task = z.object({ text: z.string(), due: z.iso.date().nullable(), done: z.boolean() })
/** A to-do of a note; `n` is its place in the gist's tasks, from 1. */
export const Todo = Task.extend({
  transcriptionId: z.string(),
  n: z.int().positive(),
  /** The note's title, and when the note came. */
  title: z.string(),
  createdAt: z.iso.datetime(),
})
/** Words of a note as they stand there. */
export const Passage = z.object({
  transcriptionId: z.string(),
  /** The note's title, and when the note came. */
  title: z.string(),
  at: z.iso.datetime(),
  /** Id of the segment where it begins, and the second. */
  segment: z.string(),
  start: z.number(),
  text: z.string(),
})
/** The answer to a question: claims, each with the quotes that show it. */
export const Answered = z.object({
  found: z.boolean(),
  answer: z.array(z.object({ text: z.string(), quotes: z.array(Passage).min(1) })),
  /** The nearest passages, where there is no answer. */
  passages: z.array(Passage),
  /** Words that a text model chose to search by, besides those of the question. */
  searched: z.array(z.string()),
  /** Texts of a text model that are left to the person today; null without a limit or a model. */
  left: z.int().nullable(),
})
/** The gist of a note, in the language of the reader who asked for it. */
export const Gist = z.object({
  lines: z.array(z.string()).min(1).max(GIST_LINES_MAX),
  /** Something to do; `due` is a day, null when none was named. */
  tasks: z.array(Task),
  ...MadeByModel,
})
/** A form of a person, in which a text model writes what a note says. */
export const Form = z.object({
  id: z.string(),
  name: z.string(),
  instruction: z.string(),
  /** The new notes of which its text is made by itself; null: none. */
  auto: z
    .object({
      tags: z.array(z.string()).optional(),
      minSeconds: z.number().optional(),
      sources: z.array(z.enum(NOTE_SOURCES)).optional(),
    })
    .nullable(),
})
/** The text of a note in a form of its person; `name`: the form's, when it was made. */
export const FormText = z.object({
  formId: z.string(),
  name: z.string(),
  status: z.enum(['working', 'done', 'failed']),
  /** Empty unless it is done. */
  text: z.string(),
  at: z.iso.datetime(),
  stale: z.boolean(),
})
/** The passages of a note in another language, by the ids of its segments. */
export const Translation = z.object({
  segments: z.array(z.object({ id: z.string(), text: z.string() })),
  ...MadeByModel,
})
/** A note as its own page shows it. */
export const TranscriptionDocument = Transcription.extend({
  /** The engine that recognised it; null until then. */
  engine: z.object({ name: z.string(), model: z.string().nullable() }).nullable(),
  /** The engines that did not recognise it before the one that did, and why: a code. */
  passedOver: z.array(z.object({ name: z.string(), reason: z.string() })),
  segments: z.array(Segment),
  /** The text of the segments, joined until another speaker, a pause of 1.5 s or, from 80 words on, the end of a sentence. */
  paragraphs: z.array(
    z.object({ from: z.number(), to: z.number(), text: z.string(), speaker: z.string().optional() }),
  ),
  /** While its speakers are being told apart: how far that is, 0 to 1; else null. */
  speakersProgress: z.number().nullable(),
  /** While it is processing: the text that is finished from the beginning on, and up to which second; else null. */
  partial: z
    .object({
      text: z.string(),
      seconds: z.number(),
      /** An estimate of how long the rest takes; null while there is none. */
      secondsLeft: z.number().nullable(),
    })
    .nullable(),
  /** False when times were estimated from the text, not measured by the engine. */
  timesExact: z.boolean(),
  /** Steps in the note's life; `ms` is how long each took, where that is known. */
  timeline: z.array(
    z.object({
      step: z.string(),
      at: z.iso.datetime(),
      ms: z.int().nullable(),
      /** Why, in English, or the engine. */
      detail: z.string().nullable(),
      /** Why, as a stable code with its facts. */
      reason: ReasonSchema.nullable(),
    }),
  ),
  /** The text as it was recognised; null unless edited. */
  original: z.object({ text: z.string(), segments: z.array(Segment) }).nullable(),
  /** Valid for 10 minutes without a header, and supports ranges; null when the audio has been deleted. */
  audioUrl: z.string().nullable(),
  /** How loud the note is over its length, 0 to 1, in about 400 values; empty when unknown. */
  levels: z.array(z.number()),
  /** Made by a text model; null until it is asked for, or made by itself. */
  gist: Gist.nullable(),
  translations: z.array(Translation),
  /** Texts in the person's own forms. */
  texts: z.array(FormText),
  /** The link by which anyone reads the note; null when there is none. */
  share: z
    .object({
      url: z.string(),
      expiresAt: z.iso.datetime(),
      views: z.int(),
      audio: z.boolean(),
    })
    .nullable(),
})
/** A note as the people see it who have its link. */
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
  /** When a search finds nothing: the same search with one slip corrected that does; else null. */
  suggestion: z.string().nullable(),
})
export const TranscriptionStats = Statistics.extend({
  /** Bytes. */
  totalFileSize: z.int(),
  totalSeconds: z.number(),
  /** Ids of the languages that the account's notes are in; `auto` while one is unknown. */
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
/** A note's line of the ledger, as billing knows it; the gateway adds the title. */
export const UsageLine = z.object({
  transcriptionId: z.string(),
  /** Seconds that the note has cost, or holds while it is under way. */
  seconds: z.number(),
  at: z.iso.datetime(),
  /** Seconds left in the account at that time, null without a limit; a line that is set aside counts all that is. */
  balanceSeconds: z.number().nullable(),
  /** Set aside for a note under way; absent otherwise. */
  reserved: z.literal(true).optional(),
})
/** The title is null when the note is gone. */
export const UsageEntry = UsageLine.extend({ title: z.string().nullable() })
const Speech = z.object({
  /** Engines that can recognise speech now, best first; none: notes wait. */
  engines: z.array(
    z.object({
      name: z.string(),
      /** Unset: its name is its kind. */ kind: z.string().optional(),
      model: z.string(),
    }),
  ),
  /** Ids of the languages that they know together. */
  languages: z.union([z.literal('all'), z.array(z.string())]),
  /** Whether speakers can be told apart by their voices. */
  speakers: z.boolean(),
  /** Average seconds of work on a minute of audio since the start. Unset: no note yet. */
  secondsPerMinute: z.number().optional(),
})
/**
 * `textModel`: whether gists and translations can be made. `preview`: whether words can be shown while somebody records.
 * `try`: whether a visitor may record a note.
 */
export const SpeechHere = Speech.extend({ textModel: z.boolean(), preview: z.boolean(), try: z.boolean() })
export const PublicConfig = z.object({
  /** E.164 digits without `+`. */
  whatsappNumber: z.string(),
  /** Opens the chat, with a typed text: the link code goes in the place of `{code}`, URL-encoded. */
  chatUrl: z.string(),
  /** The address of the Telegram bot, which takes `?start=` and the link code; null without one. */
  telegramUrl: z.string().nullable(),
  /** Whether the sandbox stands in for WhatsApp. */
  sandbox: z.boolean(),
  priceId: z.string(),
  supportEmail: z.string(),
  maxFileBytes: z.int(),
  /** Days until stored audio is deleted, unless its person has chosen fewer. */
  retentionDays: z.int(),
  /** Days until a message that could not be processed is deleted, at the latest. */
  deadLetterDays: z.int(),
  /** Minutes of a month without paying; null: no limit. */
  freeMinutes: z.int().nullable(),
  plans: z.boolean(),
  paidMinutes: z.int(),
  price: z.number(),
  currency: z.string(),
  /**
   * `passwords`: whether one can sign in by them. `oidc`: the name of the own provider, if there is one. `signUp`: the rule
   * for new accounts: for anyone, by invitation, or none. `passkeys`: whether one can sign in by them.
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

/** An account's minutes in its current period; null where they have no limit. */
export const Balance = z.object({
  remainingSeconds: z.number().nullable(),
  usedSeconds: z.number(),
  totalSeconds: z.number().nullable(),
  plan: z.string(),
  periodStart: z.iso.datetime(),
  periodEnd: z.iso.datetime(),
})
export type Balance = z.infer<typeof Balance>

/** A program that an API key admits. */
export const Admitted = z.object({
  userId: z.string(),
  accessToken: z.string(),
  scopes: z.array(KeyScope),
  /** `points`: the calls that a person may make with all keys in the window. */
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
