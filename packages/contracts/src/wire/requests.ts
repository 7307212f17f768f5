import { UI_LANGUAGES, uiLanguageOf } from '@voxscribe/languages'
import { z } from 'zod'
import { CONTACT_SUBJECTS, GIST_CHOICES, LATE_ANSWERS, NOTE_SOURCES } from '../knowledge/business.ts'
import { isLanguage } from '../knowledge/languages.ts'
import {
  ARCHIVE_MAX,
  BULK_MAX,
  HISTORY_PAGE_SIZE,
  MAX_FILE_MB,
  OWN_WORD_LENGTH,
  OWN_WORDS_MAX,
  PAGE_SIZE_MAX,
  PASSWORD_MAX,
  PHONE_DIGITS_MAX,
  RESET_PASSWORD_MIN,
  RETENTION_DAYS,
  SEARCH_MAX,
  SHARE_DAYS,
  SIGNUP_PASSWORD_MIN,
  TITLE_MAX,
} from '../knowledge/limits.ts'
import { isTimeZone } from '../knowledge/time-zones.ts'
import { printableText } from '../knowledge/wording.ts'
import { HookEvent, KeyScope } from './answers.ts'

// Input of people and programs; fields that people type have a plain sentence for wrong input, which the page translates.

const required = (missing: string, tooLong: string, max: number, shaped = (text: string) => text.trim()) =>
  z.string(missing).overwrite(shaped).min(1, missing).max(max, tooLong)
const oneLine = (text: string) => printableText(text).replace(/\s+/g, ' ').trim()
/** A name is used in the headers and greetings of mails: one line, without control characters. */
const name = (missing: string, tooLong: string, max: number) => required(missing, tooLong, max, oneLine)
const FirstName = name(/*i18n*/ 'First name is required', /*i18n*/ 'First name is too long', 100)
const LastName = name(/*i18n*/ 'Last name is required', /*i18n*/ 'Last name is too long', 100)
const Title = name(/*i18n*/ 'Title is required', /*i18n*/ 'Title is too long', TITLE_MAX)
const Email = required(/*i18n*/ 'Email is required', /*i18n*/ 'Email is too long', 254)
  .toLowerCase()
  .pipe(z.email(/*i18n*/ 'Please enter a valid email address'))
const password = (min: number, tooShort: string) =>
  z
    .string(/*i18n*/ 'Password is required')
    .min(min, tooShort)
    .max(PASSWORD_MAX, /*i18n*/ 'Password must be at most 200 characters long')
const ChosenPassword = password(SIGNUP_PASSWORD_MIN, /*i18n*/ 'Password must be at least 8 characters long')
const WhatsAppNumber = required(
  /*i18n*/ 'WhatsApp number is required',
  /*i18n*/ 'WhatsApp number is too long',
  40,
)
  .refine(text => /^[\d\s()+.\-/]+$/.test(text), /*i18n*/ 'WhatsApp number may contain digits only')
  .refine(
    text => text.replace(/\D/g, '').length <= PHONE_DIGITS_MAX,
    /*i18n*/ 'WhatsApp number may have at most 15 digits',
  )
/** Of a list, each choice once. */
const chosen = <T extends z.ZodType>(choice: T, missing: string) =>
  z
    .array(choice, missing)
    .min(1, missing)
    .overwrite(choices => [...new Set(choices)])
/** One of several words; `what`: the field, for the sentence that lists them. */
const oneOf = <const T extends readonly string[]>(what: string, words: T) =>
  z.enum(words, `${what} must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)
/** Whether a body of optional fields has any. */
const hasAny = (body: object) => Object.values(body).some(value => value !== undefined)
const linkToken = (missing: string, bad = missing) => z.string(missing).trim().min(1, missing).max(500, bad)
/** Ids are strings; a number is accepted as well. */
const id = (missing: string, tooLong: string) =>
  z.union([z.string(), z.int().nonnegative().transform(String)], missing).pipe(required(missing, tooLong, 20))
const CountryId = id(/*i18n*/ 'Country is required', 'Country is too long')
const LanguageId = id(/*i18n*/ 'Language is required', 'Language is too long')

/** One of the product's languages, also as `pt-BR`. */
const uiLanguage = z
  .string(/*i18n*/ 'Please choose a language')
  .overwrite(tag => uiLanguageOf(tag) ?? tag)
  .pipe(z.enum(UI_LANGUAGES, 'Please choose a language'))

export const RegisterBody = z.object({
  first_name: FirstName,
  last_name: LastName,
  email: Email,
  wtp_number: WhatsAppNumber,
  password: ChosenPassword,
  country_id: CountryId,
  /** Unset: that of the request's Accept-Language, else English. */
  ui_language: uiLanguage.optional(),
})
/** A password that is compared. */
const GivenPassword = z
  .string('Password is required')
  .min(1, 'Password is required')
  .max(PASSWORD_MAX, /*i18n*/ 'Password is too long')
export const LoginBody = z.object({ email: Email, password: GivenPassword })
export const EraseAccountBody = z.object({ password: GivenPassword })
export const RefreshBody = z.object({
  refreshToken: required('Refresh token is required', 'Refresh token is too long', 500),
})
export const ForgotPasswordBody = z.object({ email: Email })
export const ResetPasswordBody = z.object({
  token: linkToken(/*i18n*/ 'Invalid or missing reset token', /*i18n*/ 'Invalid reset token'),
  newPassword: password(RESET_PASSWORD_MIN, /*i18n*/ 'Password must be at least 6 characters long'),
})
export const ChangePasswordBody = z.object({ password: GivenPassword, newPassword: ChosenPassword })
export const ConfirmEmailBody = z.object({ token: linkToken(/*i18n*/ 'Invalid or expired link') })
export const UndoBody = z.object({ token: linkToken(/*i18n*/ 'Invalid or expired link') })
const RETENTION_RANGE = `retention_days must be from 1 to ${RETENTION_DAYS}`
export const UpdateProfileBody = z
  .object({
    first_name: FirstName,
    last_name: LastName,
    email: Email,
    wtp_number: WhatsAppNumber,
    country_code: CountryId,
    wa_language: LanguageId,
    ui_language: uiLanguage,
    late_answers: z.enum(LATE_ANSWERS, /*i18n*/ 'Please choose where late texts go'),
    time_zone: z.string('Unknown time zone').refine(isTimeZone, 'Unknown time zone'),
    gist: z.enum(GIST_CHOICES, /*i18n*/ 'Please choose which notes get a summary'),
    keep_audio: z.boolean('keep_audio must be true or false'),
    /** More than the installation's days count as those. */
    retention_days: z
      .int('retention_days must be a whole number')
      .min(1, RETENTION_RANGE)
      .max(RETENTION_DAYS, RETENTION_RANGE),
    /** The choice about audio is also for what is stored already: that is deleted or kept shorter, never longer. */
    apply_to_existing: z.boolean('apply_to_existing must be true or false'),
  })
  .partial()
  .refine(hasAny, /*i18n*/ 'Please make at least one change to update your profile')
export const CreateKeyBody = z.object({
  name: name(/*i18n*/ 'Name is required', /*i18n*/ 'Name is too long', 100),
  scopes: chosen(KeyScope, /*i18n*/ 'Choose what the key may do'),
  expiresAt: z.iso
    .datetime({ offset: true, error: 'expiresAt must be an ISO time' })
    .pipe(z.string().refine(time => Date.parse(time) > Date.now(), 'expiresAt must be in the future'))
    .optional(),
})
const HookUrl = required(/*i18n*/ 'Address is required', /*i18n*/ 'Address is too long', 2_000)
  .refine(
    text => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    /*i18n*/ 'Please enter an address such as https://example.com/voxscribe',
  )
  .refine(text => {
    const { username, password } = URL.parse(text) ?? {}
    return !username && !password
  }, /*i18n*/ 'The address must not contain a user name or password')
export const CreateHookBody = z.object({
  url: HookUrl,
  events: chosen(HookEvent, /*i18n*/ 'Choose what the hook is told'),
  description: z.string().overwrite(oneLine).max(200, /*i18n*/ 'Description is too long').optional(),
})
export const ChangeHookBody = CreateHookBody.extend({ enabled: z.boolean() })
  .partial()
  .refine(hasAny, /*i18n*/ 'Please change something')
/** Speech engines refuse a whole request for these signs. */
const ownWord = z
  .string(/*i18n*/ 'A word is required')
  .overwrite(text => text.normalize('NFC').trim())
  .min(1, /*i18n*/ 'A word is required')
  .max(OWN_WORD_LENGTH, /*i18n*/ 'A word may have at most 60 characters')
  .regex(/^[^<>\p{Cc}\u2028\u2029]*$/u, /*i18n*/ 'A word may not contain <, > or line breaks')
const replacement = z.object({ heard: ownWord, write: ownWord })
export const OwnWords = z.object({
  /** Names and terms that speech engines are told. */
  words: z.array(ownWord, 'words must be a list').max(OWN_WORDS_MAX, /*i18n*/ 'At most 100 words'),
  /** Written in place of what an engine heard. */
  replacements: z
    .array(replacement, 'replacements must be a list')
    .max(OWN_WORDS_MAX, /*i18n*/ 'At most 100 replacements'),
  /** Never suggested again; those of before stay when it is left out. */
  declined: z
    .array(replacement, 'declined must be a list')
    .max(OWN_WORDS_MAX, `At most ${OWN_WORDS_MAX} declined suggestions`)
    .optional(),
})
export type OwnWords = z.output<typeof OwnWords>
export const ContactBody = z.object({
  name: name(/*i18n*/ 'Name is required', /*i18n*/ 'Name is too long', 200),
  email: Email,
  subject: z.enum(CONTACT_SUBJECTS, /*i18n*/ 'Please choose a subject'),
  message: required(/*i18n*/ 'Message is required', /*i18n*/ 'Message is too long', 10_000),
})
export const CheckoutBody = z.object({
  priceId: z.string().trim().min(1).max(200).optional(),
  planType: z.literal('monthly', 'planType must be monthly'),
})
export const VerifySessionBody = z.object({
  sessionId: required('Session ID is required', 'Session ID is too long', 500),
})

const wholeNumber = (what: string) =>
  z.coerce
    .number(`${what} must be a whole number`)
    .pipe(z.int(`${what} must be a whole number`).min(1, `${what} must be at least 1`))
const limit = wholeNumber('limit')
  .transform(value => Math.min(value, PAGE_SIZE_MAX))
  .default(HISTORY_PAGE_SIZE)
export const PageQuery = z.object({ page: wholeNumber('page').default(1), limit })
const language = z.string().refine(text => isLanguage(text), 'There is no such language')
const DAY_MS = 86_400_000
/** A day or an ISO time, by default in UTC. Becomes its first moment, or the first moment after it. */
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
export const TranscriptionsQuery = PageQuery.extend({
  status: oneOf('status', ['all', 'completed', 'processing', 'failed']).optional(),
  search: z.string('search must be one text').trim().max(SEARCH_MAX, 'search is too long').optional(),
  language: language.optional(),
  source: oneOf('source', NOTE_SOURCES).optional(),
  from: moment('from', false).optional(),
  /** Included, with the whole day. */
  to: moment('to', true).optional(),
}).refine(({ from, to }) => !from || !to || from < to, {
  path: ['to'],
  message: 'to must not be before from',
})
/** A body that may be left out. */
export const RefreshTranscriptionBody = z
  .object({
    language: LanguageId.refine(text => isLanguage(text), 'There is no such language').optional(),
    engine: z.string().trim().min(1).max(40).optional(),
  })
  .optional()
export const TranslateBody = z.object({
  language: LanguageId.refine(text => isLanguage(text) && text !== 'auto', 'There is no such language'),
})
export const EditTranscriptionBody = z
  .object({
    title: Title.optional(),
    segments: z
      .array(
        z.object({
          id: z.string('id is required').min(1, 'id is required').max(40, 'id is too long'),
          text: z
            .string(/*i18n*/ 'Text is required')
            .overwrite(printableText)
            .trim()
            .max(5_000, /*i18n*/ 'This passage is too long'),
        }),
      )
      .min(1)
      .max(1_000, /*i18n*/ 'Too many passages at once')
      .optional(),
    /** Restores the text as it was recognised. */
    restore: z.literal(true).optional(),
  })
  .refine(hasAny, /*i18n*/ 'Please change something')
  .refine(body => !(body.restore && body.segments), 'Either bring the original back or change the text')
export const UploadForm = z.object({
  file: z.string().meta({ format: 'binary', description: `Audio or video of at most ${MAX_FILE_MB} MB` }),
  language: language.optional().meta({ description: 'A language id; without one: as in the profile' }),
  title: Title.optional(),
})
/** The longest wait of one call, in seconds: proxies on the way give up after a minute. */
const WAIT_MAX = 30
export const WaitQuery = z.object({
  /** Seconds that the answer may wait for the end of the note. */
  wait: z.coerce
    .number('wait must be a whole number')
    .pipe(
      z
        .int('wait must be a whole number')
        .min(0, 'wait must be at least 0')
        .max(WAIT_MAX, `wait must be at most ${WAIT_MAX}`),
    )
    .default(0),
})
export const AudioQuery = z.object({
  /** The query of `audioUrl`. */
  token: z.string().max(200).optional(),
  download: z.literal('1').optional(),
})
export const EXPORT_FORMATS = ['txt', 'srt', 'vtt', 'json', 'docx'] as const
export const ExportQuery = z.object({
  format: oneOf('format', EXPORT_FORMATS),
  times: oneOf('times', ['on', 'off']).default('on'),
  /** The translation into this language, in place of the text. */
  language: language.optional(),
})
const transcriptionIds = (max: number) =>
  z
    .array(z.string('ids must be texts').min(1).max(100), 'ids must be a list')
    .min(1, 'Please choose a transcription')
    .max(max, `At most ${max} transcriptions at once`)
    .transform(ids => [...new Set(ids)])
export const BulkBody = z.object({
  ids: transcriptionIds(BULK_MAX),
  action: oneOf('action', ['delete', 'refresh']),
})
export const ExportManyBody = ExportQuery.pick({ format: true }).extend({
  /** Without ids: all. */
  ids: transcriptionIds(ARCHIVE_MAX).optional(),
})
export const ShareBody = z.object({
  days: z.literal(SHARE_DAYS, 'days must be 1, 7 or 30'),
  /** Whether the link also plays the recording. */
  audio: z.boolean('audio must be true or false').default(false),
})
