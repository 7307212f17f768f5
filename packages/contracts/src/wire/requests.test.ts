import { ContactBody, RegisterBody } from './requests.ts'

const contact = { email: 'ada@example.com', subject: 'bug', message: 'one\n\ntwo' }

test.each([
  ['Ada\r\nBcc: eve@example.com', 'Ada Bcc: eve@example.com'],
  [' Ada \u0000\t Lovelace ', 'Ada Lovelace'],
  ['Zoë Ó’Neil', 'Zoë Ó’Neil'],
])('when a name is %j, then it is one line, and the message keeps its lines', (name, expected) => {
  expect(ContactBody.parse({ ...contact, name })).toEqual({ ...contact, name: expected })
})

test('when a name has only control characters, then it is missing', () => {
  const { error } = RegisterBody.safeParse({ first_name: '\u0000\u001b' })
  expect(error?.issues).toContainEqual(
    expect.objectContaining({ path: ['first_name'], message: 'First name is required' }),
  )
})
