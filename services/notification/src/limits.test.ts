import { jest } from '@jest/globals'
import { UI_LANGUAGES } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'

const limits = await import('@voxscribe/contracts/limits')

// Limits and plans used in sentences, each changed in its only place. Everything that reads them is loaded later.
const CHANGED = {
  CHAT_SHARE_DAYS: 91,
  HOOKS_MAX: 53,
  KEYS_MAX: 54,
  OWN_WORDS_MAX: 103,
  PASSWORD_MAX: 207,
  PHONE_DIGITS_MAX: 14,
  RETENTION_DAYS_MAX: 61,
  SHARE_DAYS: [1, 7, 90],
  SIGNUP_PASSWORD_MIN: 12,
  SUPPORT_HOURS: 47,
  TITLE_MAX: 80,
  HISTORY_PAGE_SIZE: 20,
  MAX_FILE_BYTES: 17 * 1024 * 1024,
  UNDELETE_MINUTES: 13,
}
jest.unstable_mockModule('@voxscribe/contracts/limits', () => ({ ...limits, ...CHANGED }))

const { REFUSALS, refusalIn } = await import('@voxscribe/contracts/refusals')
const { reason, sentenceOf } = await import('@voxscribe/contracts/reasons')
const requests = await import('@voxscribe/contracts/http')
const { commandText, strangerText } = await import('./chat/chat-texts.ts')
const { outcomeText } = await import('./chat/command-texts.ts')
const { confirmationMail, welcomeMail } = await import('./mail/mails.ts')

const URL = 'https://example.com'
const here = { publicUrl: URL, passwords: true, offer: { freeMinutes: 41, plans: true }, supportEmail: '' }
const reader = { email: 'ada@example.com', firstName: 'Ada' }

describe.each(UI_LANGUAGES)(
  'when limits and plans are changed, then their sentences follow in %s',
  language => {
    const i18n = i18nFor(language)
    const refusal = (name: keyof typeof REFUSALS) => refusalIn(i18n, name, '')
    const balance = { remainingSeconds: 60, periodEnd: '2026-12-01T00:00:00.000Z' }
    const chat = { number: '15550001111', url: `${URL}/chat` }

    test.each([
      ['free minutes, in a mail', 41, () => welcomeMail(i18n, reader, 'VX-1', chat, here).text],
      [
        'free minutes, in the chat',
        41,
        () => strangerText(i18n, { noteWaits: false, address: '15550001111', signupUrl: URL, ...here }),
      ],
      [
        'days of a link made in the chat',
        91,
        () => commandText.help(i18n, balance as never, { ...here, hasTextModel: true }),
      ],
      ['minutes to undo', 13, () => outcomeText(i18n, { kind: 'refused', why: 'nothing_deleted' }, URL)],
      ['hours to a reply', 47, () => confirmationMail(i18n, reader as never, 'help@example.com').text],
      ['megabytes of a file', 17, () => sentenceOf(i18n, reason('too_large'))],
      ['hooks', 53, () => refusal('too_many_hooks')],
      ['keys', 54, () => refusal('too_many_keys')],
      ['own words', 103, () => refusal('too_many_words')],
      ['characters of a password', 12, () => refusal('new_password_too_short')],
      ['most characters of a password', 207, () => refusal('new_password_too_long')],
      ['digits of a number', 14, () => refusal('wtp_number_too_many_digits')],
    ])('%s', (_, value, sentence) => {
      expect(sentence()).toMatch(new RegExp(`(?<!\\d)${value}(?!\\d)`))
    })
  },
)

test('when limits are changed, then so is what a call takes', () => {
  const { EditTranscriptionBody, PageQuery, ShareBody, UpdateProfileBody } = requests
  expect(EditTranscriptionBody.safeParse({ title: 'x'.repeat(80) }).success).toBe(true)
  expect(EditTranscriptionBody.safeParse({ title: 'x'.repeat(81) }).success).toBe(false)
  expect(PageQuery.parse({}).limit).toBe(20)
  expect(ShareBody.safeParse({ days: 90 }).success).toBe(true)
  expect(ShareBody.safeParse({ days: 30 }).success).toBe(false)
  expect(UpdateProfileBody.safeParse({ retention_days: 61 }).success).toBe(true)
  expect(UpdateProfileBody.safeParse({ retention_days: 62 }).error?.issues[0]?.message).toMatch(/ 61$/)
})
