import {
  PASSWORD_MAX,
  PHONE_DIGITS_MAX,
  RESET_PASSWORD_MIN,
  SIGNUP_PASSWORD_MIN,
} from '../knowledge/limits.ts'
import { ContactBody, EditTranscriptionBody, RegisterBody, ResetPasswordBody } from './requests.ts'

const contact = { email: 'ada@example.com', subject: 'bug', message: 'one\n\ntwo' }

test.each([
  ['Ada\r\nBcc: eve@example.com', 'Ada Bcc: eve@example.com'],
  [' Ada \u0000\t Lovelace ', 'Ada Lovelace'],
  ['Zoë Ó’Neil', 'Zoë Ó’Neil'],
  ['\u202eevE\u202c \u2066Lovelace\u2069', 'evE Lovelace'],
  ['عمر\u200f', 'عمر\u200f'],
])('when a name is %j, then it is one line, and the message keeps its lines', (name, expected) => {
  expect(ContactBody.parse({ ...contact, name })).toEqual({ ...contact, name: expected })
})

test('when a name has only control characters, then it is missing', () => {
  const { error } = RegisterBody.safeParse({ first_name: '\u0000\u001b' })
  expect(error?.issues).toContainEqual(
    expect.objectContaining({ path: ['first_name'], message: 'First name is required' }),
  )
})

test.each(['\u200b', ' \u2060\ufeff ', '\u00ad', '\u3164'])(
  'when a title is %j, then it is missing',
  title => {
    const { error } = EditTranscriptionBody.safeParse({ title })
    expect(error?.issues[0]).toMatchObject({ path: ['title'], message: 'Title is required' })
  },
)

test.each(['👩\u200d👧', 'می\u200cخواهم', '❤\ufe0f'])(
  'when a title is %j, then it keeps its joiners',
  title => {
    expect(EditTranscriptionBody.parse({ title })).toEqual({ title })
  },
)

const { password, wtp_number } = RegisterBody.shape
test.each([
  ['a short password', password, '', SIGNUP_PASSWORD_MIN],
  ['a short new password', ResetPasswordBody.shape.newPassword, '', RESET_PASSWORD_MIN],
  ['a long password', password, 'x'.repeat(PASSWORD_MAX + 1), PASSWORD_MAX],
  ['a long number', wtp_number, '1'.repeat(PHONE_DIGITS_MAX + 1), PHONE_DIGITS_MAX],
])('when %s is refused, then the sentence has the limit', (_, schema, text, limit) => {
  expect(schema.safeParse(text).error?.issues[0]?.message).toMatch(new RegExp(` ${limit} `))
})
