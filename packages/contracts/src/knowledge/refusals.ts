import { english, type I18n, type Values } from '@voxscribe/languages'
import {
  FORMS_MAX,
  HOOKS_MAX,
  INSTRUCTION_MAX,
  INVITATIONS_MAX,
  KEYS_MAX,
  OWN_WORD_LENGTH,
  OWN_WORDS_MAX,
  PASSKEYS_MAX,
  PASSWORD_MAX,
  PHONE_DIGITS_MAX,
  RESET_PASSWORD_MIN,
  SIGNUP_PASSWORD_MIN,
  SPEAKERS_MAX,
  TAG_LENGTH,
  TAGS_MAX,
} from './limits.ts'
import { roughly } from './wording.ts'

/** A sentence, with its fixed values if it has any. */
type Sentence = string | readonly [text: string, values: Record<string, number>]
type TextOf<S extends Sentence> = S extends string ? S : string

interface Refusal<Text extends string = string> {
  status: number
  /** The code in the answer. */
  code: string
  text: Text
  values: Record<string, number> | undefined
}

/** Declares the refusals of one status. `code`: the code that they share; unset: each has its name as its code. */
const refusals = <const Sentences extends Record<string, Sentence>>(
  status: number,
  sentences: Sentences,
  code?: string,
) =>
  Object.fromEntries(
    Object.entries(sentences).map(([name, sentence]) => {
      const [text, values] = typeof sentence === 'string' ? [sentence] : sentence
      return [name, { status, code: code ?? name, text, values }]
    }),
  ) as { [Name in keyof Sentences]: Refusal<TextOf<Sentences[Name]>> }

/** Every refusal of a call, by status. Sentences that people may read are translated; others are for programs. */
export const REFUSALS = {
  // Wrong input, refused by a schema of `requests` or by a handler.
  ...refusals(
    400,
    {
      invalid: /*i18n*/ 'Invalid request. Please check your input.',
      first_name_missing: /*i18n*/ 'First name is required',
      first_name_too_long: /*i18n*/ 'First name is too long',
      last_name_missing: /*i18n*/ 'Last name is required',
      last_name_too_long: /*i18n*/ 'Last name is too long',
      name_missing: /*i18n*/ 'Name is required',
      name_too_long: /*i18n*/ 'Name is too long',
      instruction_missing: /*i18n*/ 'Say what the text should be like',
      instruction_too_long: [/*i18n*/ 'At most {max} characters', { max: INSTRUCTION_MAX }],
      title_missing: /*i18n*/ 'Title is required',
      title_too_long: /*i18n*/ 'Title is too long',
      tag_bad: [/*i18n*/ 'A tag has at most {count} letters, digits, - and _', { count: TAG_LENGTH }],
      tags_too_many: [/*i18n*/ 'A note has at most {count} tags', { count: TAGS_MAX }],
      email_missing: /*i18n*/ 'Email is required',
      email_too_long: /*i18n*/ 'Email is too long',
      email_invalid: /*i18n*/ 'Please enter a valid email address',
      password_missing: /*i18n*/ 'Password is required',
      password_too_long: /*i18n*/ 'Password is too long',
      new_password_too_long: [
        /*i18n*/ 'Password must be at most {max} characters long',
        { max: PASSWORD_MAX },
      ],
      new_password_too_short: [
        /*i18n*/ 'Password must be at least {min} characters long',
        { min: SIGNUP_PASSWORD_MIN },
      ],
      reset_password_too_short: [
        /*i18n*/ 'Password must be at least {min} characters long',
        { min: RESET_PASSWORD_MIN },
      ],
      wtp_number_missing: /*i18n*/ 'WhatsApp number is required',
      wtp_number_too_long: /*i18n*/ 'WhatsApp number is too long',
      wtp_number_not_digits: /*i18n*/ 'WhatsApp number may contain digits only',
      wtp_number_too_many_digits: [
        /*i18n*/ 'WhatsApp number may have at most {max} digits',
        { max: PHONE_DIGITS_MAX },
      ],
      country_missing: /*i18n*/ 'Country is required',
      country_too_long: 'Country is too long',
      country_unknown: 'Please choose a country',
      language_missing: /*i18n*/ 'Language is required',
      language_too_long: 'Language is too long',
      language_not_chosen: /*i18n*/ 'Please choose a language',
      refresh_token_missing: 'Refresh token is required',
      refresh_token_too_long: 'Refresh token is too long',
      reset_token_missing: /*i18n*/ 'Invalid or missing reset token',
      reset_token_too_long: /*i18n*/ 'Invalid reset token',
      link_expired: /*i18n*/ 'Invalid or expired link',
      not_the_invited: /*i18n*/ 'Your invitation is for another email address',
      late_answers_not_chosen: /*i18n*/ 'Please choose where late texts go',
      gist_not_chosen: /*i18n*/ 'Please choose which notes get a summary',
      time_zone_unknown: 'Unknown time zone',
      retention_days_beyond: 'retention_days must be from 1 to {max}',
      profile_unchanged: /*i18n*/ 'Please make at least one change to update your profile',
      nothing_changed: /*i18n*/ 'Please change something',
      scopes_missing: /*i18n*/ 'Choose what the key may do',
      address_missing: /*i18n*/ 'Address is required',
      address_too_long: /*i18n*/ 'Address is too long',
      address_invalid: /*i18n*/ 'Please enter an address such as https://example.com/voxscribe',
      address_with_password: /*i18n*/ 'The address must not contain a user name or password',
      events_missing: /*i18n*/ 'Choose which events the hook receives',
      description_too_long: /*i18n*/ 'Description is too long',
      word_missing: /*i18n*/ 'A word is required',
      word_too_long: [/*i18n*/ 'A word may have at most {max} characters', { max: OWN_WORD_LENGTH }],
      word_with_signs: /*i18n*/ 'A word may not contain <, > or line breaks',
      too_many_words: [/*i18n*/ 'At most {max} words', { max: OWN_WORDS_MAX }],
      too_many_replacements: [/*i18n*/ 'At most {max} replacements', { max: OWN_WORDS_MAX }],
      subject_not_chosen: /*i18n*/ 'Please choose a subject',
      message_missing: /*i18n*/ 'Message is required',
      message_too_long: /*i18n*/ 'Message is too long',
      session_missing: 'Session ID is required',
      session_too_long: 'Session ID is too long',
      passage_too_long: /*i18n*/ 'This passage is too long',
      too_many_passages: /*i18n*/ 'Too many passages at once',
      passage_unknown: 'There is no passage {id}',
      speaker_unknown: 'There is no speaker {id}',
      quote_beyond_end: 'to must be within the note, which is {seconds} seconds long',
      speakers_count: ['count must be a whole number from 1 to {max}', { max: SPEAKERS_MAX }],
      version_malformed: 'If-Match must be the version of the transcript',
      engine_unknown: 'There is no such engine here',
      operator_missing: 'Say who you are.',
      not_a_path: 'The request target must be a path.',
      not_an_object: 'The body must be a JSON object',
      not_json: 'The body is not valid JSON.',
      request_unreadable: 'The request could not be read.',
      form_unreadable: 'The form could not be read. Please send the file again.',
      form_too_long: 'The fields of the form are too long.',
      not_one_file: 'Send one file, as “file”.',
      file_missing: 'Attach an audio or video file as “file”, with a file name.',
      idempotency_key_malformed: 'The Idempotency-Key may have 1 to {max} visible ASCII characters.',
      signature_missing: 'The signature is missing.',
      chat_unknown:
        'Expected a chat that WhatsApp exported (“Export chat”), or the result.json of one Telegram chat. Line {line} can’t be read.',
      chat_empty: /*i18n*/ 'There are no messages in this chat.',
      chats_many: 'This is an export of many chats. Please export one chat (⋯, Export chat history).',
      messages_many: 'A conversation may have at most 200,000 messages; line {line} is beyond them.',
      message_long: 'The message at line {line} is too long.',
      people_many: 'A conversation may have at most 10,000 people.',
      person_unknown: 'There is no person {id} in this conversation',
      chat_file_missing: 'Say which file of the conversation this is.',
      chat_file_unknown: 'There is no such recording in this conversation.',
    },
    'invalid',
  ),
  ...refusals(400, {
    bad_event: 'The event has no id, type or object.',
    bad_reset_token: /*i18n*/ 'Invalid or expired reset token',
    bad_signature: 'The signature is missing, wrong or too old.',
    oidc_refused: /*i18n*/ 'You weren’t signed in: the sign-in was canceled or refused.',
    oidc_state:
      /*i18n*/ 'This sign-in is over, or began in another browser. Please start again, and allow cookies if your browser blocks them.',
    oidc_token: /*i18n*/ 'The answer of the sign-in service can’t be trusted. Please start again.',
    https_needed: /*i18n*/ 'The address must begin with https://',
    impossible_number: 'This is not a possible WhatsApp number in {country}',
    price_changed: /*i18n*/ 'This price is not on offer. Please reload the page.',
    private_address: /*i18n*/ 'The address must be on the internet, not in a private network',
    same_language: 'The note is already in this language',
    transcript_too_long: /*i18n*/ 'This transcript is too long. Please shorten it.',
  }),
  ...refusals(401, {
    api_key_expired: 'This API key has expired. Make another one in your profile.',
    connection_ended:
      'There is no such API key or connection, or it has ended. Use a key of your profile, or connect again.',
    invalid_api_key: 'There is no such API key, or it has ended. Make another one in your profile.',
    /** Must not contain the word "unauthorized", on which clients sign out. */
    invalid_credentials: /*i18n*/ 'Invalid email or password',
    passkey_refused: /*i18n*/ 'This passkey was not accepted. Please try again.',
    token_expired: 'Token expired',
    unauthorized: 'Unauthorized',
  }),
  ...refusals(401, { api_key_missing: 'Send an API key, or connect by OAuth.' }, 'invalid_api_key'),
  ...refusals(403, {
    /** For callers who are signed in, whom a 401 would sign out. */
    invalid_password: /*i18n*/ 'Invalid password',
    missing_scope: 'This key or connection does not have the scope “{scope}”.',
    oidc_only: /*i18n*/ 'There are no passwords here. Sign in with your organization’s account.',
    sign_in_again:
      /*i18n*/ 'To prove that it’s you, sign out and sign in again. Within ten minutes, you can then delete your account.',
    not_for_keys:
      'No API key opens this call. Keys open transcriptions, conversations, to-dos and the profile.',
    sign_up_closed: /*i18n*/ 'This installation takes no new accounts.',
    sign_up_invited:
      /*i18n*/ 'To create an account here, you need an invitation from somebody who has an account, or from the people who run this installation.',
  }),
  ...refusals(
    403,
    {
      not_for_browsers: 'Not for browsers.',
      not_an_operator: 'Only on the machine, or in the container or pod, of this service.',
      signature_wrong: 'The signature is wrong.',
    },
    'forbidden',
  ),
  ...refusals(404, {
    link_ended: 'This link has ended, or it is not complete.',
    no_account: 'There is no such account.',
    no_translation: 'This note has no translation into that language.',
    not_found: /*i18n*/ 'Resource not found.',
    session_not_found: /*i18n*/ 'This payment session was not found.',
  }),
  ...refusals(
    404,
    {
      call_unknown: 'There is no such call.',
      connect_request_over:
        /*i18n*/ 'This request is over, or was made in another browser. Start again from the program, and allow cookies if your browser blocks them.',
      connection_unknown: 'There is no such connection.',
      delivery_unknown: 'There is no such delivery.',
      device_unknown: 'There is no such session.',
      hook_unknown: 'There is no such hook.',
      invitation_unknown: 'There is no such invitation.',
      key_unknown: 'There is no such API key.',
      note_unknown: /*i18n*/ 'There is no such transcription.',
      passkey_unknown: 'There is no such passkey.',
      form_unknown: /*i18n*/ 'There is no such form.',
      todo_unknown: 'There is no such to-do.',
      conversation_unknown: /*i18n*/ 'There is no such conversation.',
    },
    'not_found',
  ),
  ...refusals(405, { method_not_allowed: 'Method not allowed.' }),
  ...refusals(409, {
    already_processing: /*i18n*/ 'This note is already being transcribed.',
    already_refreshed: 'Already refreshed',
    already_subscribed: /*i18n*/ 'You already have the paid plan. There is nothing more to buy.',
    clip_failed: /*i18n*/ 'No clip can be cut from this recording. Its text can still be copied.',
    email_taken: /*i18n*/ 'An account with this email already exists',
    hook_off: /*i18n*/ 'This hook is off. Turn it on first.',
    identity_taken: /*i18n*/ 'This sign-in already belongs to an account. Please start again.',
    oidc_off: 'Signing in by a provider needs OIDC_ISSUER.',
    invitations_off: 'Invitations need SIGN_UP=invited.',
    no_other_way: /*i18n*/ 'This is your only way to sign in. Add a passkey first, or choose a password.',
    no_speaker_model: /*i18n*/ 'This installation has no model that tells voices apart.',
    no_text: 'There is no text in this note.',
    conversations_full:
      /*i18n*/ 'There is no room for another chat. Delete one that you no longer need, then bring this one in again.',
    conversation_too_long:
      /*i18n*/ 'This chat is too long for a PDF or Word file. Please download it as text, Markdown or ZIP.',
    not_completed: /*i18n*/ 'There is no transcript of this note to export yet.',
    not_subscribed: /*i18n*/ 'You have no paid plan at the moment.',
    pdf_not_in_this_script:
      /*i18n*/ 'A PDF cannot show the letters of this note yet. Please choose Word, which can.',
    payment_pending: /*i18n*/ 'Your payment is still being processed. Please check again in a while.',
    payment_problem:
      /*i18n*/ 'Your last payment didn’t go through. Please give a new card on your subscription page; there is no need to buy the plan again.',
    no_preview: 'Recordings are not heard here before they are sent, or not in this language.',
    passkeys_off: 'Passkeys need a PUBLIC_URL with a host’s name.',
    phone_taken: /*i18n*/ 'This WhatsApp number is already registered',
    profile_changed: /*i18n*/ 'Your profile was changed elsewhere at the same moment. Please try again.',
    purchase_changed: /*i18n*/ 'Your purchase changed in another window. Please reload the page.',
    quote_needs_audio:
      /*i18n*/ 'The audio of this note is gone, so no clip can be cut from it. Its text can still be copied.',
    speakers_need_audio:
      /*i18n*/ 'The audio of this note is gone, so its voices can’t be told apart. Please send it once more.',
    speakers_under_way: /*i18n*/ 'The speakers of this note are being told apart right now.',
    text_model_off: 'This installation has no text model.',
    text_under_way: 'A summary or translation of this note is being made.',
    form_taken: /*i18n*/ 'You already have a form with this name.',
    too_many_forms: [/*i18n*/ 'You have {max} forms. Delete one that you no longer use.', { max: FORMS_MAX }],
    too_many_hooks: [/*i18n*/ 'You have {max} hooks. Delete one that you no longer use.', { max: HOOKS_MAX }],
    too_many_invitations: [
      /*i18n*/ 'You have {max} open invitations. Remove one that is no longer needed.',
      { max: INVITATIONS_MAX },
    ],
    too_many_keys: [
      /*i18n*/ 'You have {max} API keys. Delete one that you no longer use.',
      { max: KEYS_MAX },
    ],
    too_many_passkeys: [
      /*i18n*/ 'You have {max} passkeys. Remove one that you no longer use.',
      { max: PASSKEYS_MAX },
    ],
    upload_under_way: 'A file with this Idempotency-Key is being sent right now. Try again in a moment.',
    conversation_changed: /*i18n*/ 'This conversation was changed in the meantime. Reload it and try again.',
    version_conflict: /*i18n*/ 'This transcript was changed in the meantime. Reload it and try again.',
  }),
  ...refusals(409, { not_shareable: 'Only a note whose text is ready can be shared.' }, 'not_completed'),
  ...refusals(410, {
    no_audio: /*i18n*/ 'There is no audio of this note to transcribe again. Please send it once more.',
    note_deleted: 'The note of this Idempotency-Key was deleted. Use a new key to send the file again.',
  }),
  ...refusals(410, { audio_deleted: 'The audio of this note has been deleted.' }, 'no_audio'),
  ...refusals(413, {
    too_large: 'The body is too large.',
    too_long_to_try: /*i18n*/ 'Without an account, a note may be half a minute long.',
  }),
  ...refusals(
    415,
    {
      compressed: 'Send the body as it is, without Content-Encoding.',
      no_audio_in_it: 'Send audio, as a browser records it.',
      not_a_form: 'Send the file as multipart/form-data.',
      not_as_json: 'Send the body as application/json.',
      not_in_utf8: 'Send the body as application/json in UTF-8.',
    },
    'unsupported_media_type',
  ),
  ...refusals(422, {
    idempotency_key_reused:
      'This Idempotency-Key was already used for a different file. Use a new key for each file.',
  }),
  ...refusals(429, {
    model_budget_spent:
      /*i18n*/ 'No more summaries and translations can be made today. Please try again in {wait}.',
    rate_limited: /*i18n*/ 'Too many requests for now. Please try again in {wait}.',
    try_used_up: /*i18n*/ 'That’s all for now without an account. You can try again in {wait}.',
    too_many_email_changes: /*i18n*/ 'You’ve changed your email too often. Please try again in {wait}.',
  }),
  ...refusals(
    429,
    {
      imports_under_way: 'Another chat is being read. Please send this one again in a moment.',
      export_under_way: 'Another export is still running. Please wait for it.',
      too_many_files: 'Too many files are under way. Please send this one again in a moment.',
      too_many_in_time:
        'At most {count} files can be sent within {minutes} minutes. Please send the next one after {time} UTC.',
      too_many_tests: '{max} tests and repeats of this hook are waiting. Try again once they have been sent.',
    },
    'rate_limited',
  ),
  ...refusals(500, { server_error: 'Server error' }),
  ...refusals(502, {
    oidc_unavailable: /*i18n*/ 'The sign-in service doesn’t answer right now. Please try again in a while.',
    payment_service_refused:
      /*i18n*/ 'The payment service refused the request. Please try again later or contact support.',
    text_model_failed: 'The text model gave no usable answer. Please try again later.',
  }),
  ...refusals(503, {
    disk_full:
      /*i18n*/ 'Nothing can be stored right now, because the disk of this service is full. Please try again later.',
    overloaded: 'Too much is under way here. Please send this again in a moment.',
    payment_service_unavailable:
      /*i18n*/ 'The payment service doesn’t answer right now. Please try again in a moment; you will not be charged twice.',
    payments_off: /*i18n*/ 'The paid plan can’t be bought here at the moment.',
    text_model_busy: 'The text model is busy. Please try again in a moment.',
    unavailable:
      /*i18n*/ 'This part of the service is not available right now. Please try again in a moment.',
  }),
  ...refusals(503, { sender_unreadable: 'The sender of this message has an unknown form.' }, 'unavailable'),
}

type Refusals = typeof REFUSALS
export type RefusalName = keyof Refusals
/** The values that a refusal's sentence takes. */
export type FactsOf<Name extends RefusalName> = Values<Refusals[Name]['text']>

/** Returns the English sentence of a refusal. */
export function refusalText(name: RefusalName, facts?: Record<string, string | number>): string {
  const { text, values }: Refusal = REFUSALS[name]
  return english.t(text, facts ?? values)
}

/** Rate limits, whose sentences say how long to wait. */
export type LimitName = 'model_budget_spent' | 'rate_limited' | 'try_used_up' | 'too_many_email_changes'

/** Returns the English sentence of a limit that is used up for `seconds`. */
export const limitText = (name: LimitName, seconds: number): string =>
  refusalText(name, { wait: roughly(english, seconds) })

const byEnglish = new Map<string, RefusalName>()
const isName = (code: string): code is RefusalName => Object.hasOwn(REFUSALS, code)

/**
 * Returns a refusal's sentence in the reader's language, found by its code, or by its English text for a schema's
 * refusal, whose code is always `invalid`. Undefined if this version does not know the refusal, or if the sentence
 * needs facts that only the service has. `waitSeconds`: seconds until the limit allows more (`Retry-After`).
 */
export function refusalIn(
  i18n: I18n,
  code: string,
  message: string,
  waitSeconds?: number,
): string | undefined {
  if (!byEnglish.size)
    for (const name of Object.keys(REFUSALS).filter(isName)) byEnglish.set(refusalText(name), name)
  const name = isName(code) && code !== 'invalid' ? code : byEnglish.get(message)
  if (!name) return undefined
  const { text, values: own }: Refusal = REFUSALS[name]
  const isLimit = waitSeconds !== undefined && text.includes('{wait}')
  const values = isLimit ? { wait: roughly(i18n, waitSeconds) } : own
  return text.includes('{') && !values ? undefined : i18n.t(text, values)
}
