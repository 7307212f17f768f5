import { jest } from '@jest/globals'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { type FakeHandlers, failure, held, noNetwork, ok } from '../../testing/fake-api.ts'
import { ada, someCountries, tokenFor } from '../../testing/people.ts'
import { openApp } from '../../testing/render-app.tsx'
import { storedUser } from '../../testing/storage.ts'

const session = { user: ada, accessToken: tokenFor(900), refreshToken: 'refresh-1' }
const created = () => ok<'register'>(session, 'Account created')

async function open(handlers: FakeHandlers = {}, address = '/signup') {
  const app = openApp(address, { register: created, ...handlers })
  await screen.findByRole('heading', { name: 'Create account' })
  return app
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Continue to Free Trial' })

const everything = {
  'First name': 'Ada',
  'Last name': 'Lind',
  Email: 'ada@example.org',
  'WhatsApp number': '2015550123',
  Password: 'correct horse',
  'Confirm password': 'correct horse',
}

async function fillIn(changes: Partial<typeof everything> = {}) {
  await screen.findByDisplayValue('United States (+1)')
  for (const [label, text] of Object.entries({ ...everything, ...changes })) {
    if (text) fireEvent.change(field(label), { target: { value: text } })
  }
}

test('when all is filled in before the countries are there, then it can be sent once they are', async () => {
  const countries = held()
  await open({ countries: countries.handler })
  for (const [label, text] of Object.entries(everything))
    fireEvent.change(field(label), { target: { value: text } })
  expect(submit().disabled).toBe(true)
  countries.answer(ok<'countries'>(someCountries))
  await waitFor(() => expect(submit().disabled).toBe(false))
})

test('when all is filled in, then the account is made, and the dashboard opens with a welcome', async () => {
  const opened = await open()
  await fillIn()
  await opened.user.click(submit())
  await waitFor(() => expect(opened.place()).toBe('/dashboard'))
  expect(await screen.findByText('Account created successfully! Welcome to the product.')).toBeTruthy()
  expect(opened.api.of('register').map(request => request.body)).toEqual([
    {
      first_name: 'Ada',
      last_name: 'Lind',
      email: 'ada@example.org',
      wtp_number: '2015550123',
      password: 'correct horse',
      country_id: '840',
    },
  ])
  expect(localStorage.getItem('accessToken')).toBe(session.accessToken)
  expect(storedUser()).toEqual(ada)
})

test('when another country is chosen, or comes with a pasted number, then that one is sent', async () => {
  const opened = await open()
  await fillIn({ 'WhatsApp number': '' })
  await opened.user.click(field('WhatsApp number'))
  await opened.user.paste('+44 20 7946 0958')
  expect(field('WhatsApp number').value).toBe('2079460958')
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Country' }).value).toBe(
    'United Kingdom (+44)',
  )
  await opened.user.click(submit())
  await waitFor(() => expect(opened.api.of('register')).toHaveLength(1))
  expect(opened.api.of('register')[0]?.body).toMatchObject({ wtp_number: '2079460958', country_id: '826' })
})

test.each([
  ['is filled in, with its country', '442079460958', '2079460958', 'United Kingdom (+44)'],
  ['is none, then nothing is', '<b>', '', 'United States (+1)'],
])('when the number in the address %s', async (_what, phone, digits, country) => {
  await open({}, `/signup?phone=${encodeURIComponent(phone)}`)
  expect(await screen.findByDisplayValue(country)).toBeTruthy()
  expect(field('WhatsApp number').value).toBe(digits)
})

test.each([
  ['nothing', '', '', true],
  ['a short one', 'seven77', 'seven77', true],
  ['one only', 'longenough', '', true],
  ['two that differ', 'longenough', 'longenougj', true],
  ['two of eight characters', 'eight888', 'eight888', false],
])('when the passwords are %s, then the button knows', async (_, password, confirm, disabled) => {
  await open()
  await fillIn({ Password: password, 'Confirm password': confirm })
  expect(submit().disabled).toBe(disabled)
})

test.each([['a second press'], ['Yes']])(
  'when a number is too short, then the first press sends nothing, and %s does',
  async how => {
    const opened = await open()
    await fillIn({ 'WhatsApp number': '2015550' })
    await opened.user.click(submit())
    expect(await screen.findByText(/Is your WhatsApp number right\?$/)).toBeTruthy()
    expect(opened.api.of('register')).toEqual([])
    await opened.user.click(how === 'Yes' ? screen.getByRole('button', { name: 'Yes' }) : submit())
    await waitFor(() => expect(opened.api.of('register')).toHaveLength(1))
  },
)

test.each([
  [['pt-BR', 'en'], 'Europe/Berlin', 'Brazil (+55)'],
  [['pt', 'en-GB'], 'Europe/Berlin', 'United Kingdom (+44)'],
  [['pt'], 'America/Sao_Paulo', 'Brazil (+55)'],
  [['pt'], 'Etc/UTC', 'United States (+1)'],
  [['en-AQ'], 'Etc/UTC', 'United States (+1)'],
  [['C'], 'America/Sao_Paulo', 'Brazil (+55)'],
])('when the browser speaks %j in %s, then the country is %s', async (languages, timeZone, country) => {
  jest.spyOn(navigator, 'languages', 'get').mockReturnValue(languages)
  const options = new Intl.DateTimeFormat().resolvedOptions()
  jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone })
  const brazil = { id: '076', code: 'BR', iso: 'BRA', label: 'Brazil', phonecode: '+55' }
  await open({ countries: () => ok<'countries'>([brazil, ...someCountries]) })
  expect(await screen.findByDisplayValue(country)).toBeTruthy()
  jest.restoreAllMocks()
})

test('when a number is unlike those of its country, then it is asked about', async () => {
  const { user } = await open()
  await fillIn({ 'WhatsApp number': '' })
  await user.type(field('WhatsApp number'), '20155501')
  expect(screen.queryByText(/^Is this right\?/)).toBeNull()
  await user.tab()
  expect(await screen.findByText(/^Is this right\? \+1 201/)).toBeTruthy()
  await user.clear(field('WhatsApp number'))
  await user.type(field('WhatsApp number'), '2015550123')
  await user.tab()
  await waitFor(() => expect(screen.queryByText(/^Is this right\?/)).toBeNull())
})

test('when an Argentine mobile number is typed without its 9, then the form asks, and a press adds it', async () => {
  const argentina = { id: '032', code: 'AR', iso: 'ARG', label: 'Argentina', phonecode: '+54' }
  const { user } = await open({ countries: () => ok<'countries'>([...someCountries, argentina]) })
  await fillIn({ 'WhatsApp number': '' })
  await user.click(field('WhatsApp number'))
  await user.paste('+54 11 2345-6789')
  await user.tab()
  await user.click(await screen.findByRole('button', { name: '+54 9 11 2345 6789, as WhatsApp has it?' }))
  expect(screen.getByDisplayValue('91123456789')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText(/as WhatsApp has it/)).toBeNull())
})

test('when passwords are typed, then hints follow', async () => {
  const { user } = await open()
  expect(screen.getByText('At least 8 characters')).toBeTruthy()
  expect(screen.queryByText(/\(done\)/)).toBeNull()
  await user.type(field('Password'), 'longenough')
  expect(screen.getByText(/\(done\)/)).toBeTruthy()
  await user.type(field('Confirm password'), 'longenougx')
  expect(screen.getByText('Passwords do not match')).toBeTruthy()
  await user.type(field('Confirm password'), '{Backspace}h')
  expect(screen.getByText('Passwords match')).toBeTruthy()
})

test('when a password is too short, then it says so on leaving the field', async () => {
  const { user } = await open()
  await user.type(field('Password'), 'short')
  await user.tab()
  expect(await screen.findByText('Password must be at least 8 characters long')).toBeTruthy()
})

test.each([
  ['First name', 'First name is required'],
  ['Last name', 'Last name is required'],
  ['Email', 'Email is required'],
  ['WhatsApp number', 'WhatsApp number is required'],
])('when %s is left out, then it says %j and nothing is sent', async (label, message) => {
  const opened = await open()
  await fillIn({ [label]: '' })
  await opened.user.click(submit())
  expect(await screen.findByText(message)).toBeTruthy()
  expect(opened.api.of('register')).toHaveLength(0)
})

test.each([
  ['no success and no message', () => failure(200), 'An error occurred during signup'],
  ['a success without an account', () => ({ status: 201, body: { success: true } }), 'Signup failed'],
])('when the server answers with %s, then a banner has the words', async (_, register, words) => {
  const opened = await open({ register })
  await fillIn()
  await opened.user.click(submit())
  expect((await screen.findByRole('alert')).textContent).toBe(words)
  expect(opened.place()).toBe('/signup')
  expect(field('Email').value).toBe('ada@example.org')
})

test.each([
  ['its password opens the account, then that is theirs', () => ok<'login'>(session), '/dashboard'],
  [
    'it does not, then the account is another one',
    () => failure(401, 'Invalid email or password'),
    '/signup',
  ],
])('when the answer is lost, and with a second try %s', async (_, login, place) => {
  const opened = await open({ register: noNetwork, login })
  await fillIn()
  await opened.user.click(submit())
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Network error/)
  const taken = 'An account with this email already exists'
  opened.api.on({ register: () => failure(409, taken, { code: 'email_taken' }) })
  await opened.user.click(submit())
  await waitFor(() => expect(opened.api.of('login')).toHaveLength(1))
  await waitFor(() => expect(opened.place()).toBe(place))
  if (place === '/signup') expect((await screen.findByRole('alert')).textContent).toBe(taken)
})

test('when the server names a field, then its words stand there', async () => {
  const errors = [
    { field: 'wtp_number', message: 'This number cannot exist' },
    { field: 'country_id', message: 'Choose a country' },
  ]
  const opened = await open({ register: () => failure(400, 'Please check your input', { errors }) })
  await fillIn()
  await opened.user.click(submit())
  expect(await screen.findByText('This number cannot exist')).toBeTruthy()
  const boxes = [field('WhatsApp number'), screen.getByRole('combobox', { name: 'Country' })]
  for (const box of boxes) expect(box.getAttribute('aria-invalid')).toBe('true')
  expect(boxes[1]?.getAttribute('aria-describedby')).toBe(screen.getByText('Choose a country').id)
})

test('while it is being sent, then every field is off', async () => {
  const { handler, answer } = held()
  const opened = await open({ register: handler })
  await fillIn()
  await opened.user.click(submit())
  const busy = await screen.findByRole<HTMLButtonElement>('button', { name: 'Creating your account…' })
  expect(busy.disabled).toBe(true)
  for (const label of Object.keys(everything)) expect(field(label).matches(':disabled')).toBe(true)
  answer(created())
  await waitFor(() => expect(opened.place()).toBe('/dashboard'))
})
