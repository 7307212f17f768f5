import { UI_LANGUAGES, uiLanguageOf } from '@voxscribe/languages'
import { z } from 'zod'
import { CONTACT_SUBJECTS, GIST_CHOICES, LATE_ANSWERS } from '../knowledge/business.ts'
import { NOTE_SOURCES } from '../knowledge/channels.ts'
import { isLanguage, languageIdOf, languages } from '../knowledge/languages.ts'
import {
  ARCHIVE_MAX,
  BULK_MAX,
  EARLIER_QUESTIONS,
  FORM_NAME_MAX,
  HISTORY_PAGE_SIZE,
  INSTRUCTION_MAX,
  MAX_FILE_MB,
  OWN_WORD_LENGTH,
  OWN_WORDS_MAX,
  PAGE_SIZE_MAX,
  PASSKEY_NAME_MAX,
  PASSWORD_MAX,
  PHONE_DIGITS_MAX,
  QUESTION_MAX,
  RESET_PASSWORD_MIN,
  RETENTION_DAYS_MAX,
  SEARCH_MAX,
  SHARE_DAYS,
  SIGNUP_PASSWORD_MIN,
  SPEAKER_NAME_MAX,
  SPEAKERS_MAX,
  TAGS_MAX,
  TITLE_MAX,
  TRY_SECONDS,
} from '../knowledge/limits.ts'
import { PAID_PLANS } from '../knowledge/plans.ts'
import { type RefusalName, refusalText as say } from '../knowledge/refusals.ts'
import { distinctTags, isTag, tagIn } from '../knowledge/tags.ts'
import { normalized } from '../knowledge/text.ts'
import { isTimeZone } from '../knowledge/time-zones.ts'
import { oneLine, printableText } from '../knowledge/wording.ts'
import { HookEvent, KeyScope } from './answers.ts'

// Input from people and programs. The sentences about wrong input are in `refusals`.

type FieldsWith<Ending extends string> = {
  [Name in RefusalName]: Name extends `${infer Field}${Ending}` ? Field : never
}[RefusalName]
/** Fields that have both a `_missing` and a `_too_long` sentence. */
type FieldOfText = FieldsWith<'_missing'> & FieldsWith<'_too_long'>
/** The sentence for an absent field; a value of another type gets one that says which type is expected. */
const ifAbsent = (name: RefusalName) => ({
  error: ({ input }: { input?: unknown }) => ((input ?? null) === null ? say(name) : undefined),
})
const required = (field: FieldOfText, max: number, shaped = (text: string) => text.trim()) =>
  z
    .string(ifAbsent(`${field}_missing`))
    .overwrite(shaped)
    .min(1, say(`${field}_missing`))
    .max(max, say(`${field}_too_long`))
/** Names go into the headers and greetings of mails, so they are one line without control characters. */
const name = (field: FieldOfText, max: number) => required(field, max, oneLine)
const FirstName = name('first_name', 100)
const LastName = name('last_name', 100)
const Title = name('title', TITLE_MAX)
/** Checked before it is lower-cased: the Kelvin sign would become the k of somebody else's address. */
const Email = required('email', 254).pipe(z.email(say('email_invalid')).toLowerCase())
const password = (min: number, tooShort: RefusalName) =>
  z
    .string(ifAbsent('password_missing'))
    .min(min, say(tooShort))
    .max(PASSWORD_MAX, say('new_password_too_long'))
const ChosenPassword = password(SIGNUP_PASSWORD_MIN, 'new_password_too_short')
const WhatsAppNumber = required('wtp_number', 40)
  .refine(text => /^[\d\s()+.\-/]+$/.test(text), say('wtp_number_not_digits'))
  .refine(text => text.replace(/\D/g, '').length <= PHONE_DIGITS_MAX, say('wtp_number_too_many_digits'))
/** A list in which each choice appears once. */
const chosen = <T extends z.ZodType>(choice: T, missing: string) =>
  z
    .array(choice, missing)
    .min(1, missing)
    .overwrite(choices => [...new Set(choices)])
/** Whether a body of optional fields sets any. */
const hasAny = (body: object) => Object.values(body).some(value => value !== undefined)
const linkToken = z
  .string(say('link_expired'))
  .trim()
  .min(1, say('link_expired'))
  .max(500, say('link_expired'))
/** Ids are strings; numbers are accepted as well. */
const id = (field: FieldOfText) =>
  z
    .union([z.string(), z.int().nonnegative().transform(String)], ifAbsent(`${field}_missing`))
    .pipe(required(field, 20))
const CountryId = id('country')
const LanguageId = id('language')

/** One of the product's languages; tags such as `pt-BR` are accepted, too. */
const uiLanguage = z
  .string(say('language_not_chosen'))
  .overwrite(tag => uiLanguageOf(tag) ?? tag)
  .pipe(z.enum(UI_LANGUAGES, say('language_not_chosen')))

/** Fields for opening an account with a password. */
export const PasswordAccount = z.object({
  first_name: FirstName,
  last_name: LastName,
  email: Email,
  wtp_number: WhatsAppNumber,
  password: ChosenPassword,
  country_id: CountryId,
  /** Unset: from the request's Accept-Language, else English. */
  ui_language: uiLanguage.optional(),
  /** Token of an invitation, if accounts need one. */
  invite: linkToken.optional(),
})
const unlessTicket = (field: 'email' | 'password') =>
  z.refine<{ [name: string]: unknown }>(body => Boolean(body.ticket) || body[field] !== undefined, {
    path: [field],
    error: say(`${field}_missing`),
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
export const RegisterBody = PasswordAccount.partial({ email: true, password: true })
  .extend({
    /** Ticket of a sign-in by the provider, instead of the password, and of the address if the provider verified it. */
    ticket: linkToken.optional(),
  })
  .check(unlessTicket('email'), unlessTicket('password'))
export const InviteBody = z.object({ email: Email })
const GivenPassword = required('password', PASSWORD_MAX, text => text)
export const LoginBody = z.object({ email: Email, password: GivenPassword })
/** base64url letters of 1,023 bytes. */
export const CREDENTIAL_ID_MAX = 1_364
const base64url = (max: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, 'must be base64url')
    .max(max)
/** A browser's WebAuthn answer, as its `toJSON` gives it; unknown fields are dropped. */
const credential = <Answer extends z.ZodRawShape>(answer: Answer) =>
  z.object({
    id: base64url(CREDENTIAL_ID_MAX),
    rawId: base64url(CREDENTIAL_ID_MAX),
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: base64url(10_000), ...answer }),
    clientExtensionResults: z.object({}).default({}),
  })
const PasskeyName = name('name', PASSKEY_NAME_MAX)
export const AddPasskeyBody = z.object({
  name: PasskeyName,
  response: credential({
    attestationObject: base64url(50_000),
    transports: z.array(z.string().max(30)).max(10).optional(),
  }),
})
export const RenamePasskeyBody = z.object({ name: PasskeyName })
export const PasskeySignInBody = z.object({
  response: credential({
    authenticatorData: base64url(10_000),
    signature: base64url(10_000),
    /** The account. Without it, the passkey is not a discoverable one. */
    userHandle: base64url(100),
  }),
})
/** The query with which the provider called `/signed-in`. */
export const OidcSignInBody = z.object({
  state: z.string().min(1).max(500),
  code: z.string().max(5_000).optional(),
  iss: z.string().max(500).optional(),
  error: z.string().max(500).optional(),
})
/** A ticket of `oidcSignIn` with the account's password, or with `mail` to get a link by mail; or that link's token. */
export const OidcLinkBody = z
  .object({
    ticket: linkToken.optional(),
    password: GivenPassword.optional(),
    mail: z.literal(true).optional(),
    token: linkToken.optional(),
  })
  .refine(({ ticket, token }) => ticket ?? token, { path: ['ticket'], error: say('link_expired') })
  .refine(({ token, password, mail }) => token ?? password ?? mail, {
    path: ['password'],
    error: say('password_missing'),
  })
export const ProvePasswordBody = z.object({ password: GivenPassword })
/** The password is left out if the account has none. */
export const EraseAccountBody = ProvePasswordBody.partial()
export const RefreshBody = z.object({ refreshToken: required('refresh_token', 500) })
export const ForgotPasswordBody = z.object({ email: Email })
export const ResetPasswordBody = z.object({
  token: required('reset_token', 500),
  newPassword: password(RESET_PASSWORD_MIN, 'reset_password_too_short'),
})
export const ChangePasswordBody = z.object({ password: GivenPassword, newPassword: ChosenPassword })
export const MailedLinkBody = z.object({ token: linkToken })
const RETENTION_RANGE = say('retention_days_beyond', { max: RETENTION_DAYS_MAX })
export const UpdateProfileBody = z
  .object({
    first_name: FirstName,
    last_name: LastName,
    email: Email,
    wtp_number: WhatsAppNumber,
    country_code: CountryId,
    wa_language: LanguageId,
    ui_language: uiLanguage,
    late_answers: z.enum(LATE_ANSWERS, say('late_answers_not_chosen')),
    time_zone: z.string(say('time_zone_unknown')).refine(isTimeZone, say('time_zone_unknown')),
    gist: z.enum(GIST_CHOICES, say('gist_not_chosen')),
    keep_audio: z.boolean(),
    /** At most the installation's limit. */
    retention_days: z.int().min(1, RETENTION_RANGE).max(RETENTION_DAYS_MAX, RETENTION_RANGE),
    /** Applies the choice about audio to stored audio, too: deleted or kept for a shorter time, never longer. */
    apply_to_existing: z.boolean(),
  })
  .partial()
  .refine(hasAny, say('profile_unchanged'))
export const CreateKeyBody = z.object({
  name: name('name', 100),
  scopes: chosen(KeyScope, say('scopes_missing')),
  expiresAt: z.iso
    .datetime({ offset: true, error: 'expiresAt must be an ISO time' })
    .pipe(z.string().refine(time => Date.parse(time) > Date.now(), 'expiresAt must be in the future'))
    .optional(),
})
const HookUrl = required('address', 2_000)
  .refine(text => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), say('address_invalid'))
  .refine(text => {
    const { username, password } = URL.parse(text) ?? {}
    return !username && !password
  }, say('address_with_password'))
export const CreateHookBody = z.object({
  url: HookUrl,
  events: chosen(HookEvent, say('events_missing')),
  description: z.string().overwrite(oneLine).max(200, say('description_too_long')).optional(),
})
export const ChangeHookBody = CreateHookBody.extend({ enabled: z.boolean() })
  .partial()
  .refine(hasAny, say('nothing_changed'))
/** Speech engines reject a whole request because of these characters. */
const ownWord = required('word', OWN_WORD_LENGTH, text => normalized(text, 'NFC').trim()).regex(
  /^[^<>\p{Cc}\u2028\u2029]*$/u,
  say('word_with_signs'),
)
const replacement = z.object({ heard: ownWord, write: ownWord })
export const OwnWords = z.object({
  /** Names and terms passed to speech engines. */
  words: z.array(ownWord).max(OWN_WORDS_MAX, say('too_many_words')),
  /** Texts to write in place of what an engine heard. */
  replacements: z.array(replacement).max(OWN_WORDS_MAX, say('too_many_replacements')),
})
export type OwnWords = z.output<typeof OwnWords>
export const ContactBody = z.object({
  name: name('name', 200),
  email: Email,
  subject: z.enum(CONTACT_SUBJECTS, say('subject_not_chosen')),
  message: required('message', 10_000),
})
export const CheckoutBody = z.object({
  priceId: z.string().trim().min(1).max(200).optional(),
  planType: z.enum(PAID_PLANS),
})
export const VerifySessionBody = z.object({ sessionId: required('session', 500) })

/** A whole number in a query; default minimum: 1. `what`: the field, for the message. */
export const wholeNumber = (what: string, { min = 1, max = Number.MAX_SAFE_INTEGER } = {}) =>
  z.coerce
    .number(`${what} must be a whole number`)
    .int({ error: `${what} must be a whole number`, abort: true })
    .min(min, `${what} must be at least ${min}`)
    .max(max, `${what} must be at most ${max}`)
const limit = wholeNumber('limit')
  .overwrite(value => Math.min(value, PAGE_SIZE_MAX))
  .default(HISTORY_PAGE_SIZE)
export const PageQuery = z.object({ page: wholeNumber('page').default(1), limit })
const LANGUAGE_UNKNOWN = `Language must be one of ${languages.map(({ id }) => id).join(', ')}`
const language = z.string().refine(text => isLanguage(text), LANGUAGE_UNKNOWN)
const tag = z.string().overwrite(tagIn).refine(isTag, say('tag_bad'))
const DAY_MS = 86_400_000
/** A day or an ISO time, in UTC by default. Becomes its first moment, or (`isEnd`) the first moment after it. */
const moment = (what: string, isEnd: boolean) =>
  z
    .union(
      [z.iso.date(), z.iso.datetime({ offset: true, local: true })],
      `${what} must be a day such as 2026-11-20 or an ISO time`,
    )
    .transform(text => {
      const isDay = !text.includes('T')
      const hasZone = isDay || /Z$|[+-]\d\d:\d\d$/.test(text)
      const after = isDay ? DAY_MS : 1
      return new Date(Date.parse(hasZone ? text : `${text}Z`) + (isEnd ? after : 0))
    })
const IN_TURN = {
  path: ['to'],
  message: 'to must not be before from',
}
const isInTurn = ({ from, to }: { from?: Date | undefined; to?: Date | undefined }) =>
  !from || !to || from < to
export const TranscriptionsQuery = PageQuery.extend({
  status: z.enum(['all', 'completed', 'processing', 'failed']).optional(),
  search: z.string('search must be one text').trim().max(SEARCH_MAX).optional(),
  language: language.optional(),
  source: z.enum(NOTE_SOURCES).optional(),
  tag: tag.optional(),
  /** A conversation's id, or `all` to include all conversations' notes. Unset: included only in a search. */
  conversation: z.string('conversation must be one id').max(100).optional(),
  from: moment('from', false).optional(),
  /** Inclusive; a day counts as a whole. */
  to: moment('to', true).optional(),
}).refine(isInTurn, IN_TURN)
const question = z.string().overwrite(oneLine).min(1).max(QUESTION_MAX)
export const AskBody = z
  .object({
    question,
    /** Previous questions of the same person, oldest first, which say what a word such as “he” refers to. */
    earlier: z
      .array(question)
      .max(EARLIER_QUESTIONS, `At most ${EARLIER_QUESTIONS} earlier questions`)
      .optional(),
    tag: tag.optional(),
    from: moment('from', false).optional(),
    to: moment('to', true).optional(),
    /** Id of a conversation, and of a person in it. */
    conversation: z.string().min(1).max(100).optional(),
    sender: z.string().min(1).max(100).optional(),
    /** Returns the nearest passages at once, without the text model, and doesn't count as a text of the day. */
    passagesOnly: z.boolean().optional(),
  })
  .refine(isInTurn, IN_TURN)
/** The body may be omitted. */
export const RefreshTranscriptionBody = z
  .object({
    language: LanguageId.refine(text => isLanguage(text), LANGUAGE_UNKNOWN).optional(),
    engine: z.string().trim().min(1).max(40).optional(),
  })
  .optional()
export const TranslateBody = z.object({
  language: LanguageId.refine(text => isLanguage(text) && text !== 'auto', LANGUAGE_UNKNOWN),
})
const speakerId = z.string().min(1).max(10)
/** The body may be omitted. */
export const SpeakersBody = z
  .object({
    /** Number of speakers; unset: detected. */
    count: z
      .int(say('speakers_count'))
      .min(1, say('speakers_count'))
      .max(SPEAKERS_MAX, say('speakers_count'))
      .optional(),
  })
  .optional()
const tags = z.array(tag).overwrite(distinctTags).max(TAGS_MAX, say('tags_too_many'))
/** New notes for which a form's text is made automatically: a note must match all given criteria. */
const AutoForm = z.object({
  /** The note has at least one of these. */
  tags: tags.min(1, 'Please name a tag').optional(),
  minSeconds: z.number().min(0).max(86_400).optional(),
  sources: chosen(z.enum(NOTE_SOURCES), 'Please name a source').optional(),
})
export const FormBody = z.object({
  name: name('name', FORM_NAME_MAX),
  instruction: required('instruction', INSTRUCTION_MAX, text => printableText(text).trim()),
  /** Null or unset: only on request. */
  auto: AutoForm.nullish(),
})
export const ChangeFormBody = FormBody.partial().refine(hasAny, say('nothing_changed'))
export const MakeTextBody = z.object({
  formId: z.string().min(1).max(100),
})
export const EditTranscriptionBody = z
  .object({
    title: Title.optional(),
    /** Replaces the whole list. */
    tags: tags.optional(),
    segments: z
      .array(
        z.object({
          id: z.string().min(1).max(40),
          text: z.string().overwrite(printableText).trim().max(5_000, say('passage_too_long')).optional(),
          /** Assigns the passage to another speaker. */
          speaker: speakerId.optional(),
        }),
      )
      .min(1)
      .max(1_000, say('too_many_passages'))
      .optional(),
    /** Names speakers; an empty or null name removes it. */
    speakers: z
      .array(
        z.object({
          id: speakerId,
          name: z.string().overwrite(oneLine).max(SPEAKER_NAME_MAX, say('name_too_long')).nullable(),
        }),
      )
      .min(1)
      .max(SPEAKERS_MAX)
      .optional(),
    /** Restores the text as recognized. */
    restore: z.literal(true).optional(),
  })
  .refine(hasAny, say('nothing_changed'))
  .refine(body => !(body.restore && body.segments), 'Either bring the original back or change the text')
export const UploadForm = z.object({
  file: z.string().meta({ format: 'binary', description: `Audio or video of at most ${MAX_FILE_MB} MB` }),
  /** A tag such as `en-US` is accepted, too, as clients of OpenAI's API send it. */
  language: z
    .string()
    .overwrite(text => languageIdOf(text.trim()) ?? text.trim())
    .refine(text => !text || isLanguage(text), LANGUAGE_UNKNOWN)
    .transform(text => text || undefined)
    .optional()
    .meta({
      description: 'A language id, or a tag such as `en-US`; empty or without one: as in the profile',
    }),
  title: Title.optional(),
  conversation: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'The conversation that the file came with' }),
  conversationFile: z
    .string()
    .max(1_000)
    .optional()
    .meta({ description: 'Its name among the `files` of that conversation' }),
})
export const TryForm = z.object({
  file: z
    .string()
    .meta({ format: 'binary', description: `A recording of at most ${TRY_SECONDS} s and 1 MB` }),
})
export const UploadHeaders = z.object({ 'Idempotency-Key': z.string().max(255).optional() })
/** A header from the gateway: without a key, the same file in the same language within a day is one note. */
export const ONCE_HEADER = 'x-voxscribe-once'
export const EditHeaders = z.object({
  'If-Match': z.string().optional().meta({ description: 'The `version` that is changed' }),
})
export const GistHeaders = z.object({ 'Accept-Language': z.string().optional() })
export const PreviewQuery = z.object({ language: language.default('auto') })
/** Longest wait of a call, in seconds: proxies on the way give up after a minute. */
const WAIT_MAX = 30
export const WaitQuery = z.object({
  /** Seconds that the answer may wait for the note to end. */
  wait: wholeNumber('wait', { min: 0, max: WAIT_MAX }).default(0),
  /** Also ends the wait once more than this many seconds of the note are transcribed. */
  heard: z.coerce.number().min(0).optional(),
})
export const AudioQuery = z.object({
  token: z.string().max(200).optional(),
  download: z.literal('1').optional(),
})
export const EXPORT_FORMATS = ['txt', 'docx', 'pdf', 'md', 'srt', 'vtt', 'json'] as const
export const ExportQuery = z.object({
  format: z.enum(EXPORT_FORMATS),
  /** For txt, docx, pdf and md. Default: off for pdf, otherwise on. */
  times: z.enum(['on', 'off']).optional(),
  /** Exports the translation into this language in place of the text. */
  language: language.optional(),
  /** Default: on if speakers are told apart. */
  speakers: z.enum(['on', 'off']).optional(),
  /** PDF with times, the words before each correction, and the digests of audio and text. */
  certified: z.enum(['on', 'off']).optional(),
  /** Adds the texts in the person's forms below the words. Not for srt and vtt. */
  texts: z.enum(['on', 'off']).optional(),
})
const seconds = (what: string) =>
  z.coerce.number(`${what} must be a number of seconds`).min(0, `${what} must be at least 0`)
export const QuoteQuery = z
  .object({ from: seconds('from'), to: seconds('to') })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'to must be after from' })
const transcriptionIds = (max: number) =>
  z
    .array(z.string().min(1).max(100))
    .min(1, 'Please choose a transcription')
    .max(max, `At most ${max} transcriptions at once`)
    .transform(ids => [...new Set(ids)])
export const BulkBody = z
  .object({
    ids: transcriptionIds(BULK_MAX),
    action: z.enum(['delete', 'refresh', 'tag']),
    /** For `tag`: added to each note's own. */
    tags: tags.min(1, 'Please name a tag').optional(),
  })
  .refine(({ action, tags }) => action !== 'tag' || tags, { path: ['tags'], error: 'Please name a tag' })
export const ExportManyBody = ExportQuery.pick({ format: true }).extend({
  /** Unset: all. */
  ids: transcriptionIds(ARCHIVE_MAX).optional(),
})
export const TodosQuery = z.object({ done: z.literal('all').optional() })
export const TodoBody = z.object({ done: z.boolean() })
export const ShareBody = z.object({
  days: z.literal(SHARE_DAYS),
  /** Whether the link also plays the recording. */
  audio: z.boolean().default(false),
})
export const AnswerConnectRequestBody = z.object({ allow: z.boolean() })
export const UseKeyBody = z.object({
  secret: z.string().max(200),
  /** Entry point for which an OAuth token is valid. */
  door: z.enum(['mcp', 'v1']).optional(),
  /** Required scope; unset: no scope is required. */
  scope: KeyScope.optional(),
  address: z.string(),
})
/** The `sid` and `jti` of an access token. They aren't checked, because nobody can guess the `jti`. */
export const NoteRenewalUseBody = z.object({ sessionId: z.string(), renewal: z.string() })
/** About 300,000 notes: a ledger line takes about 200 bytes. */
export const KNOWN_MAX_BYTES = 64 * 1024 * 1024
/** `files`: the person's data from other services, by file name. */
export const ExportOfNotesBody = z.object({
  userId: z.string(),
  language: z.enum(UI_LANGUAGES),
  files: z.record(z.string(), z.unknown()),
})
